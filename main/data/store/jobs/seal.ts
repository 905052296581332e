import type { Json } from '../../../../preload/contract/define.ts'
import { sha256Hex } from './hashing.ts'

export { sha256Hex } from './hashing.ts'

/** Never changed once written: `hash` covers this entry and, through the entry before, everything earlier. */
export interface JournalEntry {
  /** Increases from entry to entry of a job. */
  seq: number
  /** ISO 8601 UTC. */
  at: string
  /** The type of the entry; reports check `evidence` against the steps. */
  type: string
  stepId: string | null
  data: Json
  /** SHA-256, 64 lower-case hex digits. */
  hash: string
}

export type ChainCheck = { ok: true } | { ok: false; at: number; why: string }

/**
 * JSON with sorted keys and no spaces. TypeError for undefined, NaN, infinities, functions, dates and classes. `known`:
 * the texts of values that occur in many others, such as a checklist.
 */
export function canonicalJson(value: unknown, known?: ReadonlyMap<unknown, string>): string {
  const text = known?.get(value)
  if (text !== undefined) return text
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be written as JSON`)
    return JSON.stringify(value)
  }
  // Array.from turns holes into undefined, which is then refused instead of skipped.
  if (Array.isArray(value)) return `[${Array.from(value, (item) => canonicalJson(item, known)).join(',')}]`
  if (typeof value === 'object' && isPlain(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key], known)}`)
    return `{${members.join(',')}}`
  }
  throw new TypeError(`A value of type ${typeof value} cannot be written as JSON`)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** The hash before the first entry of a job: the hash of the job's id. */
export function startHash(jobId: string): string {
  return sha256Hex(jobId)
}

/** Hash of an entry: SHA-256 over the hash before it and the entry's canonical JSON without its own hash. */
export function hashEntry(
  previousHash: string,
  entry: Omit<JournalEntry, 'hash'>,
  known?: ReadonlyMap<unknown, string>
): string {
  const { seq, at, type, stepId, data } = entry
  return sha256Hex(previousHash + canonicalJson({ seq, at, type, stepId, data }, known))
}

export function sealEntry(
  previousHash: string,
  entry: Omit<JournalEntry, 'hash'>,
  known?: ReadonlyMap<unknown, string>
): JournalEntry {
  const { seq, at, type, stepId, data } = entry
  return { seq, at, type, stepId, data, hash: hashEntry(previousHash, entry, known) }
}

/** Hash of the last entry: the seal of the whole log. An empty log is sealed by its start. */
export function sealOf(jobId: string, entries: readonly JournalEntry[]): string {
  return entries.at(-1)?.hash ?? startHash(jobId)
}

/**
 * Checks a job's whole log from its start: order and every hash. `at` is the `seq` of the first invalid entry. A
 * truncated end cannot be detected in the log alone: compare the last hash with the job's seal as well.
 * @param contentUnknown `seq` of entries with blacked-out text in a copy: their own hash is accepted.
 */
export function verifyChain(
  jobId: string,
  entries: readonly JournalEntry[],
  contentUnknown: ReadonlySet<number> = new Set()
): ChainCheck {
  let previous = startHash(jobId)
  let lastSeq = -Infinity
  for (const entry of entries) {
    if (!(entry.seq > lastSeq)) {
      return {
        ok: false,
        at: entry.seq,
        why: `Entry ${entry.seq} stands after entry ${lastSeq}: the order was changed.`
      }
    }
    if (!contentUnknown.has(entry.seq)) {
      const expected = tryHash(previous, entry)
      if (expected !== entry.hash) {
        return {
          ok: false,
          at: entry.seq,
          why: `Entry ${entry.seq} does not fit its hash: it was changed, or an entry before it was changed or removed.`
        }
      }
    }
    previous = entry.hash
    lastSeq = entry.seq
  }
  return { ok: true }
}

function tryHash(previous: string, entry: JournalEntry): string | undefined {
  try {
    return hashEntry(previous, entry)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
