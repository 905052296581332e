import type { OperationState, OperationLine, SyncResult } from '../../../preload/contract/gateway/operations.ts'
import { z } from 'zod'
import { entityChoice, type EntityChoice } from '../../../preload/contract/gateway/gateway.ts'
import type { StoredOperation } from '../../data/store/work/operations.ts'

/** The allowed moves between states (docs/operations.md, "States"). Any other move is a bug: it is not written. */
export const mayFollow: Readonly<Record<OperationState, readonly OperationState[]>> = {
  draft: ['draft', 'pending', 'needsAttention', 'cancelled', 'superseded', 'moved'],
  blocked: ['draft', 'pending', 'needsAttention', 'cancelled', 'superseded', 'moved'],
  // unknown: it came from another laptop, and is read back before it is sent. done: an earlier try arrived after all.
  pending: ['pending', 'sending', 'unknown', 'done', 'needsAttention', 'cancelled', 'superseded', 'moved'],
  // cancelled and expired: live work that certainly had no effect, or that nobody follows any more.
  sending: ['pending', 'unknown', 'accepted', 'done', 'failed', 'needsAttention', 'cancelled', 'expired'],
  // done and expired: live work, by its follower.
  unknown: ['unknown', 'verifying', 'done', 'needsAttention', 'cancelled', 'expired', 'moved'],
  // verifying: learns the state before, if it was never sent.
  verifying: ['verifying', 'unknown', 'pending', 'done', 'needsAttention', 'moved'],
  accepted: ['accepted', 'done', 'needsAttention', 'cancelled', 'expired', 'moved'],
  failed: ['pending', 'draft', 'cancelled', 'superseded', 'moved'],
  needsAttention: ['needsAttention', 'pending', 'draft', 'done', 'cancelled', 'superseded', 'moved'],
  done: ['done'],
  cancelled: [],
  expired: [],
  superseded: [],
  // It is withdrawn, or returns with its result (main/gateway/waitingWork/handover/handedOver.ts).
  moved: ['draft', 'blocked', 'unknown', 'needsAttention', 'failed', 'done', 'cancelled', 'expired', 'superseded']
}

/** Throws for a forbidden move; rule 5: done needs evidence. */
export function assertMove(
  id: string,
  from: OperationState,
  to: OperationState,
  { hasEvidence }: { hasEvidence: boolean }
): void {
  if (!mayFollow[from].includes(to)) throw new Error(`Operation ${id} is ${from} and cannot become ${to}`)
  if (to === 'done' && from !== 'done' && !hasEvidence)
    throw new Error(`Operation ${id} cannot be done without evidence`)
}

const question = z.object({ wanted: z.string(), similar: z.array(entityChoice) })

/** The possible records for a typed name, while a draft waits for a person's choice. Empty for all other work. */
export function choicesOf({
  state,
  attempts,
  evidence
}: Pick<StoredOperation, 'state' | 'attempts' | 'evidence'>): EntityChoice[] {
  if (state !== 'needsAttention' || attempts > 0) return []
  return question.safeParse(evidence.at(-1)?.raw).data?.similar ?? []
}

const ended: readonly OperationState[] = ['done', 'cancelled', 'expired', 'superseded', 'moved']
const forPerson: readonly OperationState[] = ['failed', 'needsAttention']

/** Whether nothing will ever happen with it again. */
export function hasEnded(state: OperationState): boolean {
  return ended.includes(state)
}

export function movesByItself(state: OperationState): boolean {
  return !ended.includes(state) && !forPerson.includes(state)
}

/** Whether it is not in progress, so that a pause applies. */
export function isUnsent(state: OperationState): boolean {
  return state === 'draft' || state === 'blocked' || state === 'pending'
}

/** Whether it is at rest: done, given up, or waiting for a person. */
export function isAtRest(state: OperationState): boolean {
  return !movesByItself(state)
}

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

export function lineOf(row: StoredOperation): OperationLine {
  const { id, sequence, kind, key, state, attempts, createdAt, updatedAt, reason, jobId, title, evidence } = row
  return {
    id,
    sequence,
    kind,
    key,
    state,
    attempts,
    createdAt,
    updatedAt,
    reason,
    jobId,
    title,
    evidenceCount: evidence.length,
    choices: choicesOf(row)
  }
}
