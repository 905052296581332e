import { withoutMark } from '../../../preload/base/messages/utf8.ts'

/**
 * What a text is that should be JSON or plain text: a web page, something else in tags, or neither. By its letters:
 * small HTTP servers label JSON as text/html.
 */
export function markupIn(text: string): 'page' | 'markup' | null {
  let rest = withoutMark(text).trimStart()
  if (!rest.startsWith('<')) return null
  // Not with one pattern: many comments in a row would cause exponential backtracking.
  for (const [start, end] of skipped) {
    if (!rest.startsWith(start)) continue
    const at = rest.indexOf(end)
    // Cut off in a comment: only pages begin so.
    if (at < 0) return 'page'
    rest = rest.slice(at + end.length).trimStart()
  }
  return /^<(!doctype\s+html|html|head|body|title|meta|script)\b/i.test(rest) ? 'page' : 'markup'
}

const skipped = [['<?xml', '?>'] as const, ...Array<readonly [string, string]>(10).fill(['<!--', '-->'])]
