const mark = '\ufeff'
let strict: TextDecoder | undefined

/** The text of UTF-8 bytes, with its byte order mark if it has one; undefined for other bytes. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    strict ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return strict.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** A text without the byte order mark that some programs write before it. */
export function withoutMark(text: string): string {
  return text.startsWith(mark) ? text.slice(mark.length) : text
}
