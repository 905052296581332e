import { decodeUtf8 } from '../../../preload/base/messages/utf8.ts'

const escapedText = /^(?:[^\\]|\\(?:x[0-9a-fA-F]{2}|["\\enrt]))*$/
const escapes: Readonly<Record<string, number>> = { e: 27, n: 10, r: 13, t: 9 }

/**
 * The name of a network as people read it. Scan tools of Linux print every byte outside ASCII as `\xNN`, and quotes and
 * backslashes with a backslash; a text that is not of this form, or whose bytes are no UTF-8, stays as it is.
 */
export function readEscapedName(text: string): string {
  const isPrinted = /^[\x20-\x7e]*$/.test(text) && /\\[x\\"]/.test(text) && escapedText.test(text)
  if (!isPrinted) return text
  const bytes = [...text.matchAll(/\\(?:x(..)|(.))|[^\\]/g)].map(([whole, hex, mark]) =>
    hex === undefined ? (escapes[mark ?? ''] ?? (mark ?? whole).charCodeAt(0)) : parseInt(hex, 16)
  )
  // Bytes of another encoding: no text stands for them.
  return decodeUtf8(Uint8Array.from(bytes)) ?? text
}
