import type { ReaderSettings } from '../../preload/messages/settings.ts'
import type { Teller } from '../../preload/contract/events.ts'
import type { Job } from '../../preload/contract/jobs/jobs.ts'
import type { Order } from '../../preload/contract/jobs/orders.ts'
import type { Outputs } from '../outputs/outputs.ts'
import type { Signature } from '../store/jobs/signature.ts'
import type { LoggedJob, NewEntry } from './record/journal.ts'
import type { DamagedJobStore } from '../store/damage/damagedJobs.ts'
import type { AttachmentPort, DevicePort, GatewayPort, JobLog, OperationsPort, PhotoPort, SnapshotPort } from './engine/ports.ts'
import type { Shipped } from './checklists/shipped.ts'
import type { Templates } from './checklists/templates.ts'

export interface JobsOptions {
  log: JobLog
  /** Replaces the secrets in an entry that no report could black out. */
  withoutSecrets?: (entry: NewEntry) => NewEntry
  /** Where jobs are known whose logs are not whole. */
  damagedJobs?: Pick<DamagedJobStore, 'all' | 'keep'>
  /** Keeps how the device stood when a job began and was signed off; without it nothing is kept. */
  snapshots?: SnapshotPort
  /** Everything is only looked at. */
  isReadOnly?: boolean
  attachments: AttachmentPort
  photos: PhotoPort
  shipped: Shipped
  /** Every checklist that a job may be made from. */
  templates: Pick<Templates, 'list' | 'find'>
  /** Finds and checks the device of a job; throws AppError when it is out of reach, refuses us, or is another one. */
  connect(device: { imei: string; address: string }, signal: AbortSignal): Promise<{ device: DevicePort; address: string; close(): void }>
  gateway: GatewayPort
  operations: OperationsPort
  events: Teller
  outputs: Outputs
  profileId(): string
  technician(): string
  /** Names this data folder in the logs of its jobs; null outside of a team. */
  folderMark(): string | null
  /** Signs the seal of a log; without it nothing is signed, and the seal says so. */
  sign?(text: string): Promise<Signature>
  /** How far the gateway's clock is before this computer's; null while it is not known. */
  clockDifferenceMs?(): number | null
  /** The units that the person reads; metric where it is left out. */
  units?(): ReaderSettings['units']
  monotonicMs?: () => number
  now?: () => Date
  /** Resolves when the disk takes what is written again; undefined when it does. */
  diskUsable?(signal: AbortSignal): Promise<void> | undefined
  /** The job touched this device: for the memory of known devices. */
  worked(job: LoggedJob): void
  reportFault(error: unknown): void
}

export interface NewJob {
  templateId: string
  device: Job['device']
  vehicleText: string
  customer: string
  /** What was ordered; its vehicle and customer go where none is given. */
  order?: Order | null
  scannedImei?: string | undefined
  /** There is no trailer or driver: that step does not ask for it. */
  withoutTrailer?: boolean | undefined
  prepared?: Job['prepared']
}
