import { isSignedWith, sha256Hex } from './hashing.ts'
import { readBase64 } from './strictBase64.ts'
import { canonicalJson, startHash, type JournalEntry } from './seal.ts'
import { addFields, firstFields, type Redaction } from './sealedFields.ts'

/** Type of the entries that seal everything before them. */
export const sealedEntryType = 'sealed'

/** The holder of a job is written after its seal as well: it says nothing about the work. */
export function isMoveType(type: string): boolean {
  return type === movedAwayType || type === movedHereType
}
export const movedAwayType = 'movedAway'
export const movedHereType = 'movedHere'

/** ECDSA over P-256 with SHA-256, 64 bytes r and s: every browser's WebCrypto can verify it. */
export const signedAlgorithm = 'ECDSA-P256-SHA256'
/** There was no keychain for a key: only the hashes protect the log. */
export const hashOnlyAlgorithm = 'hashOnly'

/** The signature of sealed data. Key (SPKI) and signature in base64. */
export type Signature =
  | { algorithm: typeof signedAlgorithm; publicKey: string; signature: string }
  | { algorithm: typeof hashOnlyAlgorithm; publicKey: null; signature: null }

export const unsigned: Signature = { algorithm: hashOnlyAlgorithm, publicKey: null, signature: null }

/** The content of a seal: this job's log up to this entry existed at this time. */
export interface SealClaim {
  job: string
  /** Hash of the last entry before the seal. */
  head: string
  entries: number
  /** ISO 8601 UTC. */
  at: string
  /**
   * Salted hashes of what a report may leave out (main/data/store/jobs/sealedFields.ts); earlier versions sealed none.
   */
  fields?: string | undefined
}

export function sealText({ job, head, entries, at, fields }: SealClaim): string {
  return canonicalJson({ what: 'fitter-job-seal', job, head, entries, at, ...(fields === undefined ? {} : { fields }) })
}

/** SHA-256 of a public key, for comparison by a person: 64 lower-case hex digits. */
export function fingerprintOf(publicKey: string): string {
  return sha256Hex(readBase64(publicKey) ?? publicKey)
}

/** What every key on P-256 begins with: no other kind of key counts, nor another form of this one. */
const keyStart = Uint8Array.from([
  0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce,
  0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04
])
const pointLength = 64
const signatureLength = 64

/** Whether this key signed this text. Also false for an invalid key. */
export function isSignedBy(text: string, publicKey: string, signature: string): boolean {
  const [key, signed] = [readBase64(publicKey), readBase64(signature)]
  if (key?.length !== keyStart.length + pointLength || !keyStart.every((byte, index) => key[index] === byte))
    return false
  return signed?.length === signatureLength && isSignedWith(key, text, signed)
}

export type SealFault =
  | { fault: 'sealChanged' | 'wrongSignature'; entry: number }
  | { fault: 'noSeal' }
  | { fault: 'addedAfterSeal'; n: number }

export interface SealState {
  faults: SealFault[]
  /** `none`: not signed off, or by a version without seals. */
  kind: 'signed' | 'hashOnly' | 'none'
  at: string | null
  /** The key of the last seal, which counts; null when it has no signature. */
  publicKey: string | null
  /**
   * The number of entries from the start that are confirmed, even with parts left out: those before the last seal with
   * `fields`.
   */
  proved: number
  /** Entries after the last seal. */
  open: number
}

/** Checks every seal of a verified log; `redactions`: what was left out of a report's entries, by `seq`. */
export function checkSeals(
  jobId: string,
  entries: readonly JournalEntry[],
  redactions: ReadonlyMap<number, Redaction> = new Map()
): SealState {
  const faults: SealFault[] = []
  let publicKey: string | null = null
  let kind: SealState['kind'] = 'none'
  let at: string | null = null
  let lastAt = -1
  let proved = 0
  let fields: string | undefined = firstFields(jobId)
  for (const [index, entry] of entries.entries()) {
    const fieldsBefore = fields
    fields = fields === undefined ? undefined : addFields(fields, entry, redactions.get(entry.seq))
    if (entry.type !== sealedEntryType) continue
    lastAt = index
    publicKey = null
    const seal = readSeal(entry)
    const head = entries[index - 1]?.hash ?? startHash(jobId)
    if (
      !seal ||
      seal.head !== head ||
      seal.entries !== index ||
      (seal.fields !== undefined && seal.fields !== fieldsBefore)
    ) {
      faults.push({ fault: 'sealChanged', entry: entry.seq })
      continue
    }
    at = seal.at
    kind = seal.algorithm === signedAlgorithm ? 'signed' : 'hashOnly'
    if (seal.fields !== undefined) proved = index
    if (seal.algorithm !== signedAlgorithm) continue
    if (!isSignedBy(sealText({ job: jobId, ...seal }), seal.publicKey, seal.signature))
      faults.push({ fault: 'wrongSignature', entry: entry.seq })
    publicKey = seal.publicKey
  }
  const open = entries.slice(lastAt + 1).filter(({ type }) => !isMoveType(type)).length
  if (lastAt >= 0 && open > 0 && lastState(entries) === 'done') faults.push({ fault: 'addedAfterSeal', n: open })
  if (lastAt < 0 && isToBeSealed(entries)) faults.push({ fault: 'noSeal' })
  return { faults, kind, at, publicKey, proved, open: lastAt < 0 ? 0 : open }
}

const sealFields: ReadonlySet<string> = new Set([
  'head',
  'entries',
  'at',
  'fields',
  'algorithm',
  'publicKey',
  'signature'
])

/** The claim of a seal; undefined when the entry contains anything else, which its signature would not cover. */
function readSeal({ stepId, data: stored }: JournalEntry): (Omit<SealClaim, 'job'> & Signature) | undefined {
  const data = stored as Record<string, unknown> | null
  if (
    stepId !== null ||
    data === null ||
    typeof data !== 'object' ||
    !Object.keys(data).every((name) => sealFields.has(name))
  )
    return undefined
  const { head, entries, at, fields, algorithm, publicKey, signature } = data
  if (typeof head !== 'string' || typeof entries !== 'number' || typeof at !== 'string') return undefined
  if (fields !== undefined && typeof fields !== 'string') return undefined
  const claim = { head, entries, at, fields }
  if (algorithm === hashOnlyAlgorithm && publicKey === null && signature === null) return { ...claim, ...unsigned }
  if (algorithm !== signedAlgorithm || typeof publicKey !== 'string' || typeof signature !== 'string') return undefined
  return { ...claim, algorithm, publicKey, signature }
}

function lastState(entries: readonly JournalEntry[]): unknown {
  return (entries.findLast(({ type }) => type === 'stateChanged')?.data as { state?: unknown } | undefined)?.state
}

/** The first entry of a log says that its end will be sealed; logs of earlier versions do not. */
function isToBeSealed(entries: readonly JournalEntry[]): boolean {
  const created = entries[0]?.data as { isSealed?: unknown } | null | undefined
  return created?.isSealed === true && ['done', 'installedAwaitingGateway'].includes(String(lastState(entries)))
}
