import type { Message } from '../../preload/contract/messages.ts'
import type { OperationState } from '../../preload/contract/operations.ts'
import { movesOfDependents } from './dependencies.ts'
import type { OperationKind } from './kind.ts'
import type { Change, OperationRows, StoredRow } from './rows.ts'
import { assertMove } from './transitions.ts'

export interface Moves {
  /** Writes where an operation is now and why; what depends on it moves in the same transaction. */
  move(id: string, state: OperationState, reason: Message, more?: Change): void
  /** Rule 1: the intent to send it. */
  beginAttempt: OperationRows['beginAttempt']
  /** All moves in `work` are kept, or none; others are told once they are on the disk. */
  inOne<T>(work: () => T): T
  tell(id: string): void
  /** While the gateway was asked, a person may have decided otherwise. */
  isStill(id: string, state: OperationState): boolean
  /** From here on others are told. Whoever is told asks the engine for more: not before there is one. */
  beginToTell(): void
}

/** The one place where an operation changes its state: a move that no rule allows throws, and nothing is written. */
export function createMoves(options: {
  rows: OperationRows
  kinds: ReadonlyMap<string, OperationKind>
  now(): Date
  changed(operation: StoredRow): void
}): Moves {
  const { rows, kinds, now, changed } = options
  const toTell = new Set<string>()
  let isTelling = false
  let depth = 0

  function inOne<T>(work: () => T): T {
    depth += 1
    try {
      return rows.together(work)
    } catch (error) {
      if (depth === 1) toTell.clear()
      throw error
    } finally {
      depth -= 1
      if (depth === 0) for (const id of toTell) tellNow(id)
    }
  }

  function tellNow(id: string): void {
    toTell.delete(id)
    const row = isTelling ? rows.get(id) : undefined
    if (row) changed(row)
  }

  function move(id: string, state: OperationState, reason: Message, more: Change = {}): void {
    const before = rows.get(id)
    if (before?.state === state && JSON.stringify(before.reason) === JSON.stringify(reason) && Object.keys(more).length === 0) return
    if (before) assertMove(id, before.state, state, { hasEvidence: more.evidence !== undefined })
    inOne(() => {
      rows.change(id, { state, reason, at: now().toISOString(), ...more })
      toTell.add(id)
      for (const next of movesOfDependents(rows, kinds, id)) move(next.id, next.state, next.reason, next.more)
    })
  }

  return {
    move,
    beginAttempt(id, attempt, reason) {
      const before = rows.get(id)
      if (before) assertMove(id, before.state, 'sending', { hasEvidence: false })
      rows.beginAttempt(id, attempt, reason)
    },
    inOne,
    isStill: (id, state) => rows.get(id)?.state === state,
    tell(id) {
      toTell.add(id)
      if (depth === 0) tellNow(id)
    },
    beginToTell() {
      isTelling = true
    }
  }
}
