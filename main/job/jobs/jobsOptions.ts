import type { ReaderSettings } from '../../../preload/base/messages/settings.ts'
import type { Teller } from '../../../preload/contract/events.ts'
import type { Outputs } from '../outputs/outputs.ts'
import type { Signature } from '../../data/store/jobs/signature.ts'
import type { LoggedJob, NewEntry } from './record/journal.ts'
import type { DamagedJobStore } from '../../data/store/damage/damagedJobs.ts'
import type {
  AttachmentPort,
  DevicePort,
  GatewayPort,
  JobLog,
  OperationsPort,
  PhotoPort,
  SnapshotPort
} from './engine/ports.ts'
import type { Shipped } from './checklists/shipped.ts'
import type { Templates } from './checklists/templates.ts'

export interface JobsOptions {
  log: JobLog
  /** Replaces the secrets in an entry that no report could black out. */
  withoutSecrets?: (entry: NewEntry) => NewEntry
  /** The jobs whose logs are damaged. */
  damagedJobs?: Pick<DamagedJobStore, 'all' | 'keep'>
  /** Stores snapshots of the device at the start and at the sign-off of a job; without it there are none. */
  snapshots?: SnapshotPort
  /** The data folder is read-only. */
  isReadOnly?: boolean
  attachments: AttachmentPort
  photos: PhotoPort
  shipped: Shipped
  /** Every checklist that a job can use. */
  templates: Pick<Templates, 'list' | 'find'>
  /**
   * Finds and checks the device of a job; throws AppError when it cannot be reached, refuses access, or is a different
   * one.
   */
  connect(
    device: { imei: string; address: string },
    signal: AbortSignal
  ): Promise<{ device: DevicePort; address: string; close(): void }>
  gateway: GatewayPort
  operations: OperationsPort
  events: Teller
  outputs: Outputs
  profileId(): string
  technician(): string
  /** Jobs here are practice. */
  isTraining?: boolean
  /** Identifies this data folder in the logs of its jobs; null outside of a team. */
  folderMark(): string | null
  /** Signs the seal of a log; without it a seal has no signature, and says so. */
  sign?(text: string): Promise<Signature>
  /** The gateway's clock minus this computer's; null when unknown. */
  clockDifferenceMs?(): number | null
  /** The units of the person; metric if omitted. */
  units?(): ReaderSettings['units']
  monotonicMs?: () => number
  now?: () => Date
  /** Resolves when the disk is usable again; undefined when it is. */
  diskUsable?(signal: AbortSignal): Promise<void> | undefined
  /** The job has worked on its device, which becomes a known device. */
  worked(job: LoggedJob): void
  reportFault(error: unknown): void
}
