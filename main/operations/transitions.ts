import type { OperationState, OperationLine, SyncResult } from '../../preload/contract/gateway/operations.ts'
import { z } from 'zod'
import { entityChoice, type EntityChoice } from '../../preload/contract/gateway/gateway.ts'
import type { StoredRow } from './rows.ts'

/** How an operation comes into the table. Live work is `pending` for as long as its transaction lasts. */
export const firstStates: readonly OperationState[] = ['draft', 'blocked', 'pending']

/**
 * Which state may follow which (docs/operations.md, "States"). To stay in a state, with another reason or more evidence,
 * is a move as well. Whatever is not here is a fault: it is not written.
 */
export const mayFollow: Readonly<Record<OperationState, readonly OperationState[]>> = {
  draft: ['draft', 'pending', 'needsAttention', 'cancelled', 'superseded', 'moved'],
  blocked: ['draft', 'pending', 'needsAttention', 'cancelled', 'superseded', 'moved'],
  // unknown: it came from another laptop, and is read back before it is sent. done: an earlier try arrived after all.
  pending: ['pending', 'sending', 'unknown', 'done', 'needsAttention', 'cancelled', 'superseded', 'moved'],
  // cancelled and expired: live work that surely had no effect, or that nobody follows any more.
  sending: ['pending', 'unknown', 'accepted', 'done', 'failed', 'needsAttention', 'cancelled', 'expired'],
  // done and expired: live work, by whoever followed it.
  unknown: ['unknown', 'verifying', 'done', 'needsAttention', 'cancelled', 'expired', 'moved'],
  // verifying: what is there before is learned first, where nothing of it was ever sent.
  verifying: ['verifying', 'unknown', 'pending', 'done', 'needsAttention', 'moved'],
  accepted: ['accepted', 'done', 'needsAttention', 'cancelled', 'expired', 'moved'],
  failed: ['pending', 'draft', 'cancelled', 'superseded', 'moved'],
  needsAttention: ['needsAttention', 'pending', 'draft', 'done', 'cancelled', 'superseded', 'moved'],
  done: ['done'],
  cancelled: [],
  expired: [],
  superseded: [],
  // It is taken back, or comes home with what became of it (main/operations/handover/handedOver.ts).
  moved: ['draft', 'blocked', 'unknown', 'needsAttention', 'failed', 'done', 'cancelled', 'expired', 'superseded']
}

/** Throws for a move that no rule allows; rule 5: what becomes done says by what evidence. */
export function assertMove(id: string, from: OperationState, to: OperationState, { hasEvidence }: { hasEvidence: boolean }): void {
  if (!mayFollow[from].includes(to)) throw new Error(`Operation ${id} is ${from} and cannot become ${to}`)
  if (to === 'done' && from !== 'done' && !hasEvidence) throw new Error(`Operation ${id} cannot be done without evidence`)
}

const question = z.object({ wanted: z.string(), similar: z.array(entityChoice) })

/** The records that a typed name may mean, while a draft waits for a person to say which. Empty for all other work. */
export function choicesOf({ state, attempts, evidence }: Pick<StoredRow, 'state' | 'attempts' | 'evidence'>): EntityChoice[] {
  if (state !== 'needsAttention' || attempts > 0) return []
  return question.safeParse(evidence.at(-1)?.raw).data?.similar ?? []
}

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
