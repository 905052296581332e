import { withoutMark } from '../../../preload/base/messages/utf8.ts'

/** The server's own message: the shape of an error body is not documented, so any short text of it is used. */
export function wordsOfServer(body: Buffer): string {
  const text = withoutMark(body.subarray(0, 4000).toString('utf8'))
  try {
    return wordsIn(JSON.parse(text)) ?? text
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // Packed bytes are no words.
    return /[\0\ufffd]/.test(text) ? '' : text
  }
}

function wordsIn(body: unknown): string | undefined {
  if (typeof body === 'string') return body
  if (body === null || typeof body !== 'object') return ''
  if (Array.isArray(body)) return body.length === 0 ? '' : wordsIn(body[0])
  if (Object.keys(body).length === 0) return ''
  const byKey = new Map(Object.entries(body).map(([key, value]) => [key.toLowerCase(), value as unknown]))
  for (const key of ['message', 'msg', 'error', 'errors', 'reason', 'detail', 'description', 'title']) {
    const value = byKey.get(key)
    if (value === undefined || value === null || value === '') continue
    if (typeof value === 'string') return value
    const inner = typeof value === 'object' ? wordsIn(value) : undefined
    if (inner) return inner
  }
  return undefined
}
