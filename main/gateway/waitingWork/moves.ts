import { type Message, message } from '../../../preload/contract/messages.ts'
import type { OperationState } from '../../../preload/contract/gateway/operations.ts'
import type { OperationKind } from './kind.ts'
import type { ChangeDetails, OperationStore, StoredOperation } from '../../data/store/work/operations.ts'
import { assertMove, hasEnded } from './transitions.ts'
import type { Json } from '../../../preload/contract/define.ts'

export type Moves = ReturnType<typeof createMoves>

/** The only place where an operation changes its state: a forbidden move throws, and nothing is written. */
export function createMoves(options: {
  rows: OperationStore
  kinds: ReadonlyMap<string, OperationKind>
  now(): Date
  changed(operation: StoredOperation): void
}) {
  const { rows, kinds, now, changed } = options
  const toTell = new Set<string>()
  let isTelling = false
  let depth = 0

  /** All moves in `work` are committed, or none; others are informed afterwards. */
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

  /** Writes the new state of an operation and the reason; dependent work moves in the same transaction. */
  function move(id: string, state: OperationState, reason: Message, more: ChangeDetails = {}): void {
    const before = rows.get(id)
    if (
      before?.state === state &&
      JSON.stringify(before.reason) === JSON.stringify(reason) &&
      Object.keys(more).length === 0
    )
      return
    if (before) assertMove(id, before.state, state, { hasEvidence: more.evidence !== undefined })
    inOne(() => {
      rows.change(id, { state, reason, at: now().toISOString(), ...more })
      toTell.add(id)
      for (const next of movesOfDependents(rows, kinds, id)) move(next.id, next.state, next.reason, next.more)
    })
  }

  return {
    move,
    /** Rule 1: the intent to send it. */
    beginAttempt(...[id, attempt, reason]: Parameters<OperationStore['beginAttempt']>): void {
      const before = rows.get(id)
      if (before) assertMove(id, before.state, 'sending', { hasEvidence: false })
      rows.beginAttempt(id, attempt, reason)
    },
    inOne,
    /** A person may have decided otherwise while the gateway was asked. */
    isStill: (id: string, state: OperationState): boolean => rows.get(id)?.state === state,
    tell(id: string): void {
      toTell.add(id)
      if (depth === 0) tellNow(id)
    },
    /** From here on others are informed. A listener asks the engine for details, so not before there is one. */
    beginToTell(): void {
      isTelling = true
    }
  }
}

interface NextMove {
  id: string
  state: OperationState
  reason: Message
  more: ChangeDetails
}

/** The consequences of an operation's end for dependent work; none before it has ended. */
export function movesOfDependents(
  rows: OperationStore,
  kinds: ReadonlyMap<string, OperationKind>,
  id: string
): NextMove[] {
  const row = rows.get(id)
  if (!row || !hasEnded(row.state)) return []
  return rows.dependents(id).flatMap((dependent) => releaseOf(rows, kinds, dependent) ?? [])
}

/** A blocked operation becomes ready when its dependencies are done, with their ids. Undefined while it must wait. */
export function releaseOf(
  rows: OperationStore,
  kinds: ReadonlyMap<string, OperationKind>,
  blocked: StoredOperation
): NextMove | undefined {
  const { id, key, title } = blocked
  const needs = rows.needsOf(id).map(({ id: needed, part }) => ({ row: rows.get(needed), part }))
  const lost = needs.find(({ row }) => !row || (hasEnded(row.state) && row.state !== 'done'))
  if (lost)
    return {
      id,
      state: 'needsAttention',
      reason: message('operations.needGone', { title: lost.row?.title ?? '' }),
      more: {}
    }
  if (needs.some(({ row }) => row?.state !== 'done')) return undefined
  const kind = kinds.get(blocked.kind)
  let payload: Json = blocked.payload
  for (const { row, part } of needs) {
    // If the gateway did not show the record, its name is searched like any other.
    if (part !== '' && row && row.result !== null && kind?.receive) payload = kind.receive(payload, part, row.result)
  }
  const state = kind?.finalise ? 'draft' : 'pending'
  return { id, state, reason: message('operations.ready'), more: { finalised: { payload, key, title } } }
}
