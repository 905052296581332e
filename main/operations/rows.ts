import type { Json } from '../../preload/contract/define.ts'
import type { Message } from '../../preload/contract/messages.ts'
import type { Operation, OperationState } from '../../preload/contract/operations.ts'
import type { Paused } from '../../preload/contract/stories.ts'
import type { Attempt } from './attempts.ts'

/** What the engine needs of the store. Each call is one transaction that is on the disk when it returns. */
export interface OperationRows {
  /** All that `work` writes is kept, or nothing. */
  together<T>(work: () => T): T
  add(operation: NewRow): void
  change(id: string, change: Change & { state: OperationState; reason: Message; at: string }): void
  /** Writes the intent: state `sending` and the attempt. */
  beginAttempt(id: string, attempt: Omit<Attempt, 'outcome'> & { by: string; imei: string | null }, reason: Message): void
  /** Oldest first. */
  attempts(id: string): Attempt[]
  get(id: string): StoredRow | undefined
  /** All that have not ended, oldest first; those that need a person are among them. */
  unfinished(): StoredRow[]
  /** All that have not ended, oldest first, without what they carry: for decisions over all of them. */
  waiting(): WaitingRow[]
  /** Which of those that have not ended need which others. */
  openNeeds(): { id: string; needs: string }[]
  setPaused(ids: readonly string[], paused: Paused): void
  /** Younger ones on the same key that may have reached the gateway. */
  youngerSent(row: Pick<StoredRow, 'key' | 'sequence'>): StoredRow[]
  needsOf(id: string): { id: string; part: string }[]
  /** Blocked ones that need this one. */
  dependents(id: string): StoredRow[]
  counts(): Partial<Record<OperationState, number>>
  /** Newest first. */
  page(page: { scope: 'open' | 'ended'; before: number | null; limit: number }): StoredRow[]
  /** Oldest first. */
  list(): StoredRow[]
  /** Oldest first. */
  ofJob(jobId: string): StoredRow[]
}

export interface NewRow extends Pick<Operation, 'id' | 'kind' | 'key' | 'state' | 'jobId' | 'title' | 'payload' | 'reason' | 'createdAt'> {
  isLive: boolean
  needs: { id: string; part: string }[]
}

export type StoredRow = Omit<Operation, 'evidenceCount' | 'choices' | 'tries'> & { baseline: Json; result: Json; isLive: boolean; claim: Claim | null; paused: Paused }

/**
 * Another laptop may have sent this work, or may be about to: it came from there, or from an older copy of the data. It is
 * read back before it is sent from here for the first time.
 */
export interface Claim {
  /** What appears at the gateway after this may be its effect (epoch ms, by the gateway's clock as far as it was known). */
  sinceMs: number | null
  /** Beside the grace time: two that claim the same work should not send at the same moment. */
  waitMs: number
  /** What follows when it is not there: it is sent, where its kind may be resent, or a person decides. */
  whenAbsent: 'send' | 'ask'
  isReadBack: boolean
  /** When it came to this computer, by its clock; absent where it was not handed over. Never goes along to the next holder. */
  arrivedAtMs?: number
}

export interface WaitingRow extends Pick<StoredRow, 'id' | 'sequence' | 'key' | 'kind' | 'state' | 'jobId' | 'isLive'> {
  isPaused: boolean
  /** The vehicle of its job, where one is known. */
  vehicleId: number | null
}

export interface Change {
  /** What the names of a draft turned out to be, or what it needed gave; only a draft or a blocked one takes it. */
  finalised?: { payload: Json; key: string; title: Message }
  baseline?: Json
  /** What it gives to those that need it. */
  result?: Json
  /** It was read back here. */
  claim?: Claim
  evidence?: { what: Message; raw: Json }
  attempt?: { number: number; outcome: string }
}
