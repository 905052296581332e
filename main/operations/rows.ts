import type { Json } from '../../preload/contract/define.ts'
import type { Message } from '../../preload/contract/messages.ts'
import type { Operation, OperationState } from '../../preload/contract/operations.ts'
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

export type StoredRow = Omit<Operation, 'evidenceCount' | 'choices'> & { baseline: Json; result: Json; isLive: boolean }

export interface Change {
  /** What the names of a draft turned out to be, or what it needed gave; only a draft or a blocked one takes it. */
  finalised?: { payload: Json; key: string; title: Message }
  baseline?: Json
  /** What it gives to those that need it. */
  result?: Json
  evidence?: { what: Message; raw: Json }
  attempt?: { number: number; outcome: string }
}
