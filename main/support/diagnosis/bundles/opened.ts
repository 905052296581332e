import { z } from 'zod'
import type { Finding } from '../../../../preload/contract/app/app.ts'
import type { Json } from '../../../../preload/contract/define.ts'
import type { Evidence } from '../../../../preload/contract/support/evidence.ts'
import type { Job } from '../../../../preload/contract/job/jobs.ts'
import type { DeviceWrite } from '../../../../preload/contract/device/workspace.ts'
import type { HandedOverOperation } from '../../../gateway/waitingWork/handover/handedOver.ts'
import type { JournalEntry } from '../../../data/store/jobs/seal.ts'
import type { Manifest, Versions } from './format.ts'
import type { TimelineLine } from './timeline.ts'

const text = z.string().max(400)

export const bundleDevice = z.strictObject({
  imei: text.nullable(),
  model: text,
  label: text,
  address: text.nullable(),
  lastVehicle: text.nullable(),
  lastJobAt: text.nullable(),
  lastSeenAt: text.nullable()
})
export type BundleDevice = z.infer<typeof bundleDevice>

export interface BundlePhoto {
  sha256: string
  mediaType: 'image/jpeg' | 'image/png'
  bytes: number
}

/**
 * An opened support bundle: every part matches its size, its checksum and its hash. The small parts are loaded; the
 * others are read, and checked against their hash again, on request. Values of type `Json` have acceptable size and
 * depth only: the caller must check them against a schema. Every call throws AppError INVALID_REQUEST with one sentence
 * for an invalid part.
 */
export interface Bundle {
  readonly manifest: Manifest
  readonly versions: Versions
  /** As returned by `job show`; its log is in `entries`. */
  readonly job: Job | null
  readonly evidence: Evidence | null
  readonly limits: Json | null
  readonly device: BundleDevice | null
  readonly vehicle: Json | null
  readonly selfTest: Finding[]
  readonly photos: BundlePhoto[]
  /** The job's log, oldest first; its chain was checked. */
  entries(): Promise<JournalEntry[]>
  operations(): Promise<HandedOverOperation[]>
  /** The changes sent to the device, newest first. */
  deviceWrites(): Promise<DeviceWrite[]>
  timeline(): Promise<TimelineLine[]>
  /** Oldest first. */
  snapshots(): Promise<Json[]>
  recording(): Promise<Json | null>
  answers(): Promise<Json[]>
  faults(): Promise<Json[]>
  photo(sha256: string): Promise<{ mediaType: BundlePhoto['mediaType']; bytes: Uint8Array }>
  /** A part of the file as text, from a byte on; `next` is null at its end. */
  text(part: string, from: number): Promise<{ text: string; next: number | null }>
  close(): Promise<void>
}
