import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { TeamStatus } from '../../../preload/contract/team/team.ts'
import type { Jobs } from '../../job/jobs/jobs.ts'
import type { Transfers } from '../../job/jobs/handover/transfers.ts'
import type { Operations } from '../../gateway/waitingWork/engine.ts'
import type { Store } from '../../data/store/index.ts'
import type { Team } from '../team.ts'

/** The parts that move jobs between laptops through the team log. */
export interface HoldingParts {
  team: Pick<Team, 'ask' | 'status'>
  store: Pick<
    Store,
    | 'teamPush'
    | 'teamAcknowledged'
    | 'teamHolding'
    | 'teamForks'
    | 'handovers'
    | 'attachments'
    | 'operations'
    | 'jobs'
    | 'together'
  >
  transfers: Transfers
  jobs: Pick<Jobs, 'lose' | 'loaded'>
  operations: Pick<Operations, 'stopAtOnce' | 'giveUp' | 'setAside' | 'moved' | 'ofJob'>
  /** The text of a snapshot of a job; null when it is not on this computer. */
  snapshot(jobId: string, sha256: string): string | null
  /** Where offers are stored until they are imported. */
  folder: string
  now(): Date
}

export function assertMayWrite({ joined }: TeamStatus): void {
  if (!joined) throw new AppError('NOT_FOUND', message('team.notJoined'))
  if (!joined.mayWrite) throw new AppError('NOT_PERMITTED', message('team.onlyReads'))
}
