import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { Operations } from '../../operations/engine.ts'
import type { AttachmentStore } from '../../store/jobs/attachments.ts'
import type { HandoverStore } from '../../store/jobs/handovers.ts'
import type { JobStore } from '../../store/jobs/jobs.ts'
import type { Jobs } from '../jobCalls.ts'

export interface TransferOptions {
  log: Pick<JobStore, 'journal' | 'append' | 'adopt'>
  /** Whether a handover went through the team log: no file of it is made, and nobody takes it back without asking there. */
  isThroughTeam?(id: string): boolean
  handovers: HandoverStore
  attachments: AttachmentStore
  snapshots: TransferSnapshots
  operations: Operations
  jobs: Pick<Jobs, 'whileClosed' | 'loaded' | 'reread'>
  together<T>(work: () => T): T
  technician(): string
  /** Names this data folder in the logs of its jobs; null outside of a team. */
  folderMark(): string | null
  isTraining: boolean
  clockDifferenceMs(): number | null
  now?: () => Date
  /** How long an arrival waits beside the grace time, by chance. */
  chooseWaitMs?: () => number
}

/** Snapshots of jobs, as they go and come with them. */
export interface TransferSnapshots {
  /** The file of one of this job; null where it is not here, or not as it was kept. */
  ofJob(jobId: string, sha256: string): string | null
  /** What is wrong with one that came with this job; null when nothing is. */
  refusal(text: string, jobId: string): Message | null
  /** Keeps one that came along with its job; null when it did. */
  adopt(text: string, jobId: string): Message | null
}

/** Somebody may take it there at any moment: only there it is taken back. */
export function assertNotThroughTeam({ isThroughTeam }: Pick<TransferOptions, 'isThroughTeam'>, id: string): void {
  if (isThroughTeam?.(id)) throw new AppError('CONFLICT', message('teamHolding.isInTeamLog', { id }))
}
