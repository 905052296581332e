import type { OperationLine, OperationState, SyncResult } from '../../preload/contract/operations.ts'
import { choicesOf } from './choices.ts'
import type { StoredRow } from './rows.ts'

const ended: readonly OperationState[] = ['done', 'cancelled', 'expired', 'superseded', 'moved']
const forPerson: readonly OperationState[] = ['failed', 'needsAttention']

/** Whether nothing will ever happen with it again. */
export function hasEnded(state: OperationState): boolean {
  return ended.includes(state)
}

/** Whether it moves by itself as soon as it can. */
export function movesByItself(state: OperationState): boolean {
  return !ended.includes(state) && !forPerson.includes(state)
}

/** Whether nothing of it is under way: a pause holds it. */
export function isUnsent(state: OperationState): boolean {
  return state === 'draft' || state === 'blocked' || state === 'pending'
}

/** Whether it neither moves by itself nor can: done, given up, or waiting for a person. */
export function isAtRest(state: OperationState): boolean {
  return !movesByItself(state)
}

/** How much is done, waits, and asks for a person. */
export function countsOf(states: Partial<Record<OperationState, number>>): SyncResult {
  const result: SyncResult = { done: 0, waiting: 0, needsAttention: 0, failed: 0 }
  for (const [state, n] of Object.entries(states) as [OperationState, number][]) {
    if (state === 'done') result.done += n
    else if (state === 'failed') result.failed += n
    else if (state === 'needsAttention') result.needsAttention += n
    else if (!hasEnded(state)) result.waiting += n
  }
  return result
}

/** As a list shows it. */
export function lineOf(row: StoredRow): OperationLine {
  const { id, sequence, kind, key, state, attempts, createdAt, updatedAt, reason, jobId, title, evidence } = row
  return { id, sequence, kind, key, state, attempts, createdAt, updatedAt, reason, jobId, title, evidenceCount: evidence.length, choices: choicesOf(row) }
}
