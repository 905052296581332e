import type { Finding } from '../../../preload/contract/app/app.ts'
import type { Json } from '../../../preload/contract/define.ts'
import type { Evidence } from '../../../preload/contract/diagnosis/evidence.ts'
import type { Job } from '../../../preload/contract/jobs/jobs.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import type { DeviceWrite } from '../../../preload/contract/device/workspace.ts'
import type { HandedOverOperation } from '../../operations/handover/handedOver.ts'
import type { Redactor } from '../../secrets/redact.ts'
import type { JournalEntry } from '../../store/jobs/seal.ts'
import type { Versions } from './format.ts'
import type { BundleDevice } from './opened.ts'

/** What a bundle is about: a job, a device of the table, or a vehicle, with what is known of the others. */
export interface BundleSubject {
  jobId: string | null
  imei: string | null
  model: string | null
  /** Its key in the table of devices; null while it is not there. */
  deviceKey: string | null
  vehicleId: number | null
  vehicleName: string | null
  /** The job goes along with its device: what else is known of the device is in the bundle as well. */
  isAboutDevice?: true
}

/** A file that was kept, as it stands, with when it was made. */
export interface KeptSnapshot {
  id: string
  takenAt: string
  text: string
}

/** Where the parts of a bundle come from. What cannot be had is null or empty; what it was asked of says so in the evidence. */
export interface BundleSources {
  /** Makes good what kept the seal of its log away. */
  seal(jobId: string): Promise<void>
  job(id: string): { job: Job; entries: JournalEntry[] }
  /** The picture under its hash; undefined where it is damaged or gone. */
  picture(sha256: string): Uint8Array | undefined
  operations(jobId: string): HandedOverOperation[]
  /** What was sent to a device, newest first. */
  deviceWrites(imei: string): DeviceWrite[]
  /** Oldest first. */
  snapshots(subject: BundleSubject): KeptSnapshot[]
  evidence(subject: BundleSubject, signal: AbortSignal): Promise<Evidence | null>
  /** What evidence is held against here: the limits of the profile, and tolerances. */
  limits(): Json
  recording(subject: BundleSubject): Json | null
  answers(subject: BundleSubject, signal: AbortSignal): Promise<Json[]>
  device(subject: BundleSubject): BundleDevice | null
  vehicle(vehicleId: number, signal: AbortSignal): Promise<Json | null>
  /** The end of the log of faults, oldest first. */
  faults(): Json[]
  selfTest(signal: AbortSignal): Promise<Finding[]>
  versions(): Versions
  /** Names of people as this computer knows them. */
  people(): string[]
  technician(): string
  isTraining: boolean
  redactor: Pick<Redactor, 'text' | 'json'>
  say(what: Message): string
}
