import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { Operations } from '../../../gateway/waitingWork/engine.ts'
import type { AttachmentStore } from '../../../data/store/jobs/attachments.ts'
import type { HandoverStore } from '../../../data/store/jobs/handovers.ts'
import type { JobStore } from '../../../data/store/jobs/jobs.ts'
import type { Jobs } from '../jobs.ts'

export interface TransferOptions {
  log: Pick<JobStore, 'journal' | 'append' | 'adopt'>
  /** Whether a handover went through the team log: then it has no file, and can be taken back only there. */
  isThroughTeam?(id: string): boolean
  handovers: HandoverStore
  attachments: AttachmentStore
  snapshots: TransferSnapshots
  operations: Operations
  jobs: Pick<Jobs, 'whileClosed' | 'loaded' | 'reread'>
  together<T>(work: () => T): T
  technician(): string
  /** Identifies this data folder in the logs of its jobs; null outside a team. */
  folderMark(): string | null
  isTraining: boolean
  clockDifferenceMs(): number | null
  now?: () => Date
  /** A random wait after a takeover, in addition to the grace time. */
  chooseWaitMs?: () => number
}

export interface TransferSnapshots {
  /** The file of a snapshot of this job; null if it is missing here, or was changed. */
  ofJob(jobId: string, sha256: string): string | null
  /** The reason why a snapshot that came with this job is invalid; null if it is valid. */
  refusal(text: string, jobId: string): Message | null
  /** Stores a snapshot that came with its job; null after success, otherwise the reason why it is invalid. */
  adopt(text: string, jobId: string): Message | null
}

/** Another laptop may take the job over in the team log at any moment, so it can be taken back only there. */
export function assertNotThroughTeam({ isThroughTeam }: Pick<TransferOptions, 'isThroughTeam'>, id: string): void {
  if (isThroughTeam?.(id)) throw new AppError('CONFLICT', message('teamHolding.isInTeamLog', { id }))
}
