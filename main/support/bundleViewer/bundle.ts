import type { BundleHolds } from '../../../preload/contract/support/bundles.ts'
import type { Evidence } from '../../../preload/contract/support/evidence.ts'
import type { Json } from '../../../preload/contract/define.ts'
import type { DeviceWrite } from '../../../preload/contract/device/workspace.ts'
import type { JournalEntry } from '../../data/store/jobs/seal.ts'

export interface CabBundle {
  readonly manifest: {
    writtenAt: string
    fitter: string
    by: string
    isTraining: boolean
    holds: BundleHolds
    subject: {
      jobId: string | null
      imei: string | null
      model: string | null
      vehicleId: number | null
      vehicleName: string | null
    }
  }
  readonly evidence: Evidence | null
  readonly limits: Json | null
  readonly device: {
    imei: string | null
    model: string
    label: string
    address: string | null
    lastVehicle: string | null
    lastSeenAt: string | null
  } | null
  readonly photos: readonly { sha256: string }[]
  entries(): Promise<JournalEntry[]>
  deviceWrites(): Promise<DeviceWrite[]>
  answers(): Promise<Json[]>
  /** Oldest first. */
  snapshots(): Promise<Json[]>
  recording(): Promise<Json | null>
  /** By the hash of either form: the original, or the copy for reports. */
  photo(sha256: string): Promise<{ mediaType: string; bytes: Uint8Array }>
  close(): Promise<void>
}
