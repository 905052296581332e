import type { Json } from '../../preload/contract/define.ts'
import type { Operation, OperationState } from '../../preload/contract/operations.ts'
import type { Attempt } from './attempts.ts'

/** What the engine needs of the store. Each call is one transaction that is on the disk when it returns. */
export interface OperationRows {
  add(operation: Pick<Operation, 'id' | 'kind' | 'key' | 'state' | 'jobId' | 'title' | 'payload' | 'reason' | 'createdAt'>): void
  change(id: string, change: Change & { state: OperationState; reason: string; at: string }): void
  /** Writes the intent: state `sending` and the attempt. */
  beginAttempt(id: string, attempt: Omit<Attempt, 'outcome'>): void
  /** Oldest first. */
  attempts(id: string): Attempt[]
  get(id: string): StoredRow | undefined
  list(): StoredRow[]
}
export type StoredRow = Operation & { sequence: number; baseline: Json }

export interface Change {
  /** What the names of a draft turned out to be; only a draft takes it. */
  finalised?: { payload: Json; key: string; title: string }
  baseline?: Json
  evidence?: { what: string; raw: Json }
  attempt?: { number: number; outcome: string }
}
