import type { Json } from '../../preload/contract/define.ts'
import type { DeviceWrite, LiveReading } from '../../preload/contract/workspace.ts'
import type { JournalEntry } from '../store/seal.ts'

/** What a cab needs of a support bundle that was opened and checked. */
export interface CabBundle {
  readonly manifest: {
    writtenAt: string
    fitter: string
    by: string
    isTraining: boolean
    subject: { jobId: string | null; imei: string | null; model: string | null; vehicleId: number | null; vehicleName: string | null }
  }
  readonly evidence: unknown
  readonly device: { imei: string | null; model: string; label: string; address: string | null; lastVehicle: string | null; lastSeenAt: string | null } | null
  readonly photos: readonly { sha256: string }[]
  entries(): Promise<JournalEntry[]>
  deviceWrites(): Promise<DeviceWrite[]>
  answers(): Promise<Json[]>
  snapshots(): Promise<Json[]>
  /** By the hash of either of its forms: as it was taken, or as reports show it. */
  photo(sha256: string): Promise<{ mediaType: string; bytes: Uint8Array }>
  close(): Promise<void>
}

/** Readings of the device by their operation, newest evidence first; what is not of that form is left to the screens to refuse. */
export function readingsOf(evidence: unknown): Record<string, LiveReading> {
  const device = (evidence as { device?: { readings?: unknown } | null } | null)?.device
  const readings = device?.readings
  return typeof readings === 'object' && readings !== null && !Array.isArray(readings) ? { ...(readings as Record<string, LiveReading>) } : {}
}
