import { snapshotFile, snapshotVersion, type Snapshot } from '../../../../preload/contract/support/snapshots.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { checkJson } from '../../../base/reading/checkJson.ts'

/** Many times the size of a device's answers; a larger file was not written by Fitter. */
export const mostSnapshotBytes = 1_000_000
const limits = { depth: 40, containers: 20_000 }

export type ReadSnapshot =
  | { outcome: 'read'; snapshot: Snapshot }
  /** It is a snapshot, of a version that this Fitter does not know. */
  | { outcome: 'newer'; version: string; why: Message }
  | { outcome: 'tooLarge' | 'notOurs' | 'broken'; why: Message }

/** The file of a snapshot: the same snapshot always gives the same text, and the SHA-256 of the text is its name. */
export function writeSnapshot(snapshot: Snapshot): string {
  return `${JSON.stringify(snapshot, null, 1)}\n`
}

/** Reads the file of a snapshot, which may come from anyone: content that does not match the form is rejected. */
export function readSnapshot(text: string): ReadSnapshot {
  if (text.length > mostSnapshotBytes || Buffer.byteLength(text) > mostSnapshotBytes)
    return { outcome: 'tooLarge', why: message('snapshots.tooLarge', { mostBytes: mostSnapshotBytes }) }
  const notOurs: ReadSnapshot = { outcome: 'notOurs', why: message('snapshots.notOurs') }
  const parsed = checkJson(text, limits)
  if (parsed.kind !== 'json') return notOurs
  const { format, version } = (parsed.value ?? {}) as { format?: unknown; version?: unknown }
  if (format !== 'fitter-snapshot') return notOurs
  if (typeof version === 'number' && version > snapshotVersion) {
    const shown = String(version).slice(0, 20)
    return { outcome: 'newer', version: shown, why: message('snapshots.newer', { version: shown }) }
  }
  const read = snapshotFile.safeParse(parsed.value)
  return read.success
    ? { outcome: 'read', snapshot: read.data }
    : { outcome: 'broken', why: message('snapshots.broken') }
}
