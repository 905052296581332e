import { ulid } from 'ulid'
import type { Snapshot } from '../../../../preload/contract/support/snapshots.ts'
import type { NewSnapshot } from '../../../data/store/jobs/snapshots.ts'

/** A stored snapshot; `text` is its file. */
export function rowOf(snapshot: Snapshot, text: string): NewSnapshot {
  const { imei } = snapshot.device
  return {
    id: ulid(),
    imei,
    jobId: snapshot.jobId,
    cause: snapshot.cause,
    takenAt: snapshot.takenAt,
    vehicleId: snapshot.vehicle?.id ?? null,
    text
  }
}
