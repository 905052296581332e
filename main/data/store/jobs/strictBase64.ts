/**
 * The bytes of a text in base64; undefined unless it is their only spelling, with nothing in it that a decoder would
 * skip.
 */
export function readBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (/[^A-Za-z0-9+/]/.test(text.slice(0, text.length - padding))) return undefined
  // The last letter before the padding has bits of no byte.
  if (padding > 0 && !(padding === 2 ? 'AQgw' : 'AEIMQUYcgkosw048').includes(text.charAt(text.length - padding - 1)))
    return undefined
  const letters = atob(text)
  const bytes = new Uint8Array(letters.length)
  for (let index = 0; index < letters.length; index++) bytes[index] = letters.charCodeAt(index)
  return bytes
}
