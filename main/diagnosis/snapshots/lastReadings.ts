import type { Json } from '../../../preload/contract/define.ts'
import { snapshotOperation, type SnapshotOperation, type SnapshotReading } from '../../../preload/contract/diagnosis/snapshots.ts'
import type { DeviceRead } from '../../device/client.ts'

/** Devices whose last answers are kept; the one heard longest ago leaves. */
const mostDevices = 24
/** A longer answer is asked again rather than kept. */
const mostLetters = 64 * 1024

const operations: ReadonlySet<string> = new Set(snapshotOperation.options)

/** What devices said last, whoever asked: what was read a moment ago need not be asked again. */
export interface LastReadings {
  hear(device: string, read: DeviceRead): void
  /** The last answer, when it is this young; it says itself when it was read. */
  since(device: string, operation: SnapshotOperation, notBeforeMs: number): SnapshotReading | undefined
}

export function createLastReadings(): LastReadings {
  const devices = new Map<string, Map<SnapshotOperation, { atMs: number; reading: SnapshotReading }>>()
  return {
    hear(device, { operation, value, raw, problems, sizeBytes, atMs, elapsedMs }) {
      if (!operations.has(operation)) return
      const kept = devices.get(device) ?? new Map<SnapshotOperation, { atMs: number; reading: SnapshotReading }>()
      devices.delete(device)
      devices.set(device, kept)
      for (const other of devices.keys()) if (devices.size > mostDevices) devices.delete(other)
      const name = operation as SnapshotOperation
      // What was tried in vain says that the last answer is not the newest word.
      if (value === null || sizeBytes > mostLetters) return void kept.delete(name)
      const reading = { value: value as Json, raw: (raw ?? null) as Json, problems, readAt: new Date(atMs).toISOString(), elapsedMs, failure: null }
      kept.set(name, { atMs, reading })
    },
    since(device, operation, notBeforeMs) {
      const kept = devices.get(device)?.get(operation)
      return kept && kept.atMs >= notBeforeMs ? kept.reading : undefined
    }
  }
}
