import { encodeTime } from 'ulid'
import { canonicalJson, sha256Hex, type JournalEntry } from './seal.ts'

/** Crockford’s base 32, as ULIDs use it. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * The id of a new job: as long as a ULID, sorted by time and after every ULID. Its last 16 signs are made of the first
 * entry, which names the data folder, so that a team log accepts no other log under this id
 * (main/team/server/migrations/apart.ts).
 */
export function jobIdOf(
  { seq, at, type, stepId, data }: Omit<JournalEntry, 'hash'>,
  known?: ReadonlyMap<unknown, string>
): string {
  const time = encodeTime(Date.parse(at), 10)
  const made = BigInt(`0x${sha256Hex(canonicalJson({ seq, at, type, stepId, data }, known)).slice(0, 20)}`)
  const signs = Array.from({ length: 16 }, (_, n) => digits[Number((made >> BigInt(75 - n * 5)) & 31n)])
  return `${digits[digits.indexOf(time.charAt(0)) + 8] ?? ''}${time.slice(1)}${signs.join('')}`
}
