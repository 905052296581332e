import type { Json } from '../../../../preload/contract/define.ts'
import {
  snapshotOperation,
  type SnapshotOperation,
  type SnapshotReading
} from '../../../../preload/contract/support/snapshots.ts'
import type { DeviceRead } from '../../../device/client/client.ts'
import { keepLatest } from '../keepLatest.ts'

/** The number of devices whose last answers are stored; the least recently read device is removed first. */
const mostDevices = 24
/** A longer answer is not stored. */
const mostLetters = 64 * 1024

const operations: ReadonlySet<string> = new Set(snapshotOperation.options)

/** The last answers of devices to any caller: a recent reading need not be repeated. */
export function createLastReadings() {
  const devices = new Map<string, Map<SnapshotOperation, { atMs: number; reading: SnapshotReading }>>()
  return {
    hear(device: string, { operation, value, raw, problems, sizeBytes, atMs, elapsedMs }: DeviceRead): void {
      if (!operations.has(operation)) return
      const kept = keepLatest(
        devices,
        device,
        devices.get(device) ?? new Map<SnapshotOperation, { atMs: number; reading: SnapshotReading }>(),
        mostDevices
      )
      const name = operation as SnapshotOperation
      // After a failed attempt, the last answer is no longer the latest state.
      if (value === null || sizeBytes > mostLetters) return void kept.delete(name)
      const reading = {
        value: value as Json,
        raw: (raw ?? null) as Json,
        problems,
        readAt: new Date(atMs).toISOString(),
        elapsedMs,
        failure: null
      }
      kept.set(name, { atMs, reading })
    },
    /** The last answer if it is recent enough; it contains the time of its reading. */
    since(device: string, operation: SnapshotOperation, notBeforeMs: number): SnapshotReading | undefined {
      const kept = devices.get(device)?.get(operation)
      return kept && kept.atMs >= notBeforeMs ? kept.reading : undefined
    }
  }
}
