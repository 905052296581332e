import { message } from '../../../../preload/contract/messages.ts'
import type { Json } from '../../../../preload/contract/define.ts'
import { decodeUtf8 } from '../../../../preload/base/messages/utf8.ts'
import { checkJson } from '../../../base/reading/checkJson.ts'
import { bundleLimits } from './format.ts'
import { refusal } from './zipReader.ts'

/**
 * The JSON of a part, or of one of its lines. Throws INVALID_REQUEST for text that is not JSON, or not of an acceptable
 * form.
 */
export function readJson(bytes: Uint8Array, part: string): Json {
  const damaged = () => refusal(message('bundles.damaged', { part }))
  const text = decodeUtf8(bytes)
  if (text === undefined) throw damaged()
  const checked = checkJson(text)
  if (checked.kind !== 'json') throw damaged()
  const strange = strangeness(checked.value)
  if (strange) throw damaged()
  return checked.value as Json
}

/**
 * Rejects names that are special in JavaScript, numbers out of range, and endless texts. The depth was already checked.
 */
function strangeness(value: unknown): boolean {
  if (typeof value === 'string') return value.length > bundleLimits.stringLength
  if (typeof value === 'number') return !Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(strangeness)
  for (const key of Object.keys(value)) {
    if (key === '__proto__' || key.length > 1_000 || strangeness((value as Record<string, unknown>)[key])) return true
  }
  return false
}

/** The lines of a part, without line ends, none longer than the limit. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>, part: string): AsyncGenerator<Uint8Array> {
  let left: Uint8Array[] = []
  let length = 0
  let lines = 0
  for await (const piece of pieces) {
    let from = 0
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, from)) {
      left.push(piece.subarray(from, at))
      lines += 1
      if (lines > bundleLimits.lines || length + at - from > bundleLimits.lineBytes)
        throw refusal(message('bundles.tooLarge'))
      yield left.length === 1 ? (left[0] as Uint8Array) : Buffer.concat(left)
      left = []
      length = 0
      from = at + 1
    }
    if (from < piece.length) left.push(Uint8Array.from(piece.subarray(from)))
    length += piece.length - from
    if (length > bundleLimits.lineBytes) throw refusal(message('bundles.tooLarge'))
  }
  if (length > 0) throw refusal(message('bundles.damaged', { part }))
}
