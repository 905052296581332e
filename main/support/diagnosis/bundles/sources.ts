import type { Finding } from '../../../../preload/contract/app/app.ts'
import type { BundleWait } from '../../../../preload/contract/support/bundles.ts'
import type { Json } from '../../../../preload/contract/define.ts'
import type { Evidence } from '../../../../preload/contract/support/evidence.ts'
import type { Job } from '../../../../preload/contract/job/jobs.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import type { DeviceWrite } from '../../../../preload/contract/device/workspace.ts'
import type { HandedOverOperation } from '../../../gateway/waitingWork/handover/handedOver.ts'
import type { Redactor } from '../../../base/secrets/redact.ts'
import type { JournalEntry } from '../../../data/store/jobs/seal.ts'
import type { Versions } from './format.ts'
import type { BundleDevice } from './opened.ts'

/** The subject of a bundle: a job, a device of the table, or a vehicle, with its known relations to the others. */
export interface BundleSubject {
  jobId: string | null
  imei: string | null
  model: string | null
  deviceKey: string | null
  vehicleId: number | null
  vehicleName: string | null
  /** The bundle is about the device, and the job is included: the bundle also contains the other data of the device. */
  isAboutDevice?: true
}

/** A stored file, unchanged, with the time of its creation. */
export interface KeptSnapshot {
  id: string
  takenAt: string
  text: string
}

/** The question that is asked now: what about, its number, and how many are known so far. */
export type AnswersTold = (waitsFor: BundleWait, n: number, of: number) => void

/** The sources of a bundle's parts. Unavailable parts are null or empty; the evidence states the reason. */
export interface BundleSources {
  /** Seals a log that could not be sealed earlier. */
  seal(jobId: string): Promise<void>
  job(id: string): { job: Job; entries: JournalEntry[] }
  /** The picture with this hash; undefined if it is damaged or missing. */
  picture(sha256: string): Uint8Array | undefined
  operations(jobId: string): HandedOverOperation[]
  /** Changes sent to a device, newest first. */
  deviceWrites(imei: string): DeviceWrite[]
  /** Oldest first. */
  snapshots(subject: BundleSubject): KeptSnapshot[]
  evidence(subject: BundleSubject, signal: AbortSignal): Promise<Evidence | null>
  /** The limits for evidence on this computer: those of the profile, and tolerances. */
  limits(): Json
  recording(subject: BundleSubject): Json | null
  /** `told` hears which question is asked. */
  answers(subject: BundleSubject, signal: AbortSignal, told?: AnswersTold): Promise<Json[]>
  device(subject: BundleSubject): BundleDevice | null
  vehicle(vehicleId: number, signal: AbortSignal): Promise<Json | null>
  /** The end of the fault log, oldest first. */
  faults(): Json[]
  selfTest(signal: AbortSignal): Promise<Finding[]>
  versions(): Versions
  people(): string[]
  technician(): string
  isTraining: boolean
  redactor: Pick<Redactor, 'text' | 'json'>
  say(what: Message): string
}
