import type { ReaderSettings } from '../../preload/messages/settings.ts'
import type { Teller } from '../../preload/contract/events.ts'
import type { Answer, Job, JobLines, ListedJob, LiveStep } from '../../preload/contract/jobs/jobs.ts'
import type { Order } from '../../preload/contract/jobs/orders.ts'
import type { Message } from '../../preload/contract/messages.ts'
import type { Outputs } from '../outputs/outputs.ts'
import type { JobPage, JobPageRequest } from '../store/jobs/jobPages.ts'
import type { Lost } from '../store/jobs/jobs.ts'
import type { JournalEntry } from '../store/jobs/seal.ts'
import type { Signature } from '../store/jobs/signature.ts'
import type { AttachOutcome, AddedPhoto } from './photos/addedPhoto.ts'
import type { EntryInput, LoggedJob, NewEntry } from './record/journal.ts'
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

export interface Jobs {
  templates(): { id: string; version: number; name: Message; kind: Job['kind']; description: Message; steps: number }[]
  create(input: NewJob): string
  /** The job has another order from now on: its checklist follows. Throws INVALID_REQUEST once it is signed. */
  changeOrder(id: string, order: Order | null): void
  /** The newest job on this device that takes more work. */
  openOfDevice(imei: string): ListedJob | undefined
  list(request: JobPageRequest): Omit<JobPage, 'jobs'> & { jobs: ListedJob[] }
  show(id: string): Job
  journal(id: string): JournalEntry[]
  /** With `goesOn` each step begins by itself as soon as all before it are settled; without, whoever calls says which. */
  start(id: string, signal: AbortSignal, options?: { goesOn: boolean }): Promise<void>
  pause(id: string): Promise<void>
  /** Resolves when the step ended. What keeps it from beginning is thrown before anything was done. */
  runStep(id: string, stepId: string): Promise<void>
  /** Begins a step that nobody waits for; throws what keeps it from beginning. */
  beginStep(step: { id: string; stepId: string }, signal: AbortSignal): Promise<void>
  stopStep(id: string, stepId: string): Promise<void>
  /** Which step the person looks at; null for none. Until it is said for the first time, every clock runs. */
  onStage(id: string, stepId: string | null): void
  answer(id: string, stepId: string, answer: Answer): void
  /** Keeps a picture with a step of a job, or with the job as a whole. Throws INVALID_REQUEST once it is signed. */
  attach(id: string, stepId: string | null, photo: AddedPhoto): Promise<AttachOutcome>
  /** Does `work` while nobody can begin on these jobs. CONFLICT for one in work, handed over, or with an output that may be on. */
  whileClosed<T>(ids: readonly string[], work: () => Promise<T>): Promise<T>
  /** Others have taken these over: what runs ends, outputs first, and they are read-only. `together` writes it in one transaction. */
  lose(lost: readonly ({ jobId: string } & Lost)[], together: (mark: () => void) => void): Promise<void>
  loaded(id: string): LoggedJob
  /** After its log was changed by its arrival or its leaving. */
  reread(id: string): void
  /** What the person chose for an open step before it asked: it goes before the words that the job was made with. */
  chooseBefore(id: string, stepId: string, choose: string): void
  waive(id: string, stepId: string, reason: string, by: string): Promise<void>
  /** Somebody accepts that a step passed with a warning. Throws INVALID_REQUEST for any other step, and once the job is signed. */
  accept(id: string, stepId: string, by: string): void
  cancel(id: string, reason: string): Promise<void>
  live(id: string): { active: boolean; steps: LiveStep[]; lines: JobLines | null }
  idle(id: string): Promise<void>
  jobOf(imei: string): string | null
  hasOpen(): boolean
  /** What the checklist of its open job says is wired to a line of this device. */
  wiringOf(imei: string): { line: string; what: Message }[]
  /** Keeps in the log what a person sent by hand while the job was open; a signed log takes nothing more. */
  /** Whether its log takes entries: it is there, whole, and worked on here. */
  isWhole(jobId: string): boolean
  recordWrite(id: string, entry: EntryInput<'deviceWrite'>): void
  /** Seals the log of a signed job that has no seal at its end yet. */
  seal(id: string): Promise<void>
  hasDeferred(): boolean
  /** Runs what was left for the gateway, without the device. */
  finishDeferred(signal: AbortSignal): Promise<void>
  stop(): Promise<void>
}
