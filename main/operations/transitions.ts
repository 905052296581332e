import type { OperationState } from '../../preload/contract/operations.ts'

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
  // It is taken back, or comes home with what became of it (main/operations/given.ts).
  moved: ['draft', 'blocked', 'unknown', 'needsAttention', 'failed', 'done', 'cancelled', 'expired', 'superseded']
}

/** Throws for a move that no rule allows; rule 5: what becomes done says by what evidence. */
export function assertMove(id: string, from: OperationState, to: OperationState, { hasEvidence }: { hasEvidence: boolean }): void {
  if (!mayFollow[from].includes(to)) throw new Error(`Operation ${id} is ${from} and cannot become ${to}`)
  if (to === 'done' && from !== 'done' && !hasEvidence) throw new Error(`Operation ${id} cannot be done without evidence`)
}
