import { withoutMark } from '../../../preload/base/messages/utf8.ts'

export type CheckedJson =
  { kind: 'json'; value: unknown } | { kind: 'notJson'; reason: string } | { kind: 'tooDeep' } | { kind: 'tooMany' }

export interface JsonLimits {
  /** Documented answers have a handful of levels; a hostile depth would exhaust the stack. */
  depth: number
  /** Objects and lists. A page has at most some thousand records, an export some hundred thousand. */
  containers: number
}

const limitsOfAnswers: JsonLimits = { depth: 64, containers: 500_000 }

/** Parses a JSON text with acceptable depth and size. */
export function checkJson(text: string, limits = limitsOfAnswers): CheckedJson {
  const bare = withoutMark(text)
  // Checked on the text, because parsing would already use the memory that must be saved.
  const form = checkForm(bare, limits)
  if (form !== 'bearable') return { kind: form }
  try {
    return { kind: 'json', value: parseWithDigits(bare) }
  } catch (error) {
    return { kind: 'notJson', reason: error instanceof Error ? error.name : 'Error' }
  }
}

/** Numbers in JSON are often ids: of an integer that no number can represent, the next one would be another record. */
const longInteger = /(?:^|[:,[\s])-?\d{16}/

/** `JSON.parse`, but an integer beyond 2^53 becomes a text with its digits. Throws a SyntaxError. */
export function parseWithDigits(text: string): unknown {
  if (!longInteger.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
      ? source
      : value
  )
}

/** Whether a text is bearable for the parser, which recurses as deep as the text is nested. */
export function checkForm(text: string, limits: JsonLimits): 'bearable' | 'tooDeep' | 'tooMany' {
  let depth = 0
  let containers = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 34) {
      i = endOfString(text, i)
      if (i < 0) return 'bearable'
    } else if (code === 91 || code === 123) {
      if (++depth > limits.depth) return 'tooDeep'
      if (++containers > limits.containers) return 'tooMany'
    } else if (code === 93 || code === 125) depth--
  }
  return 'bearable'
}

/** Index of the closing quote; -1 when the text is truncated inside. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes++
    if (slashes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return -1
}
