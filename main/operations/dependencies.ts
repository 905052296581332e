import type { Json } from '../../preload/contract/define.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import type { OperationState } from '../../preload/contract/operations.ts'
import type { OperationKind } from './kind.ts'
import type { Change, OperationRows, StoredRow } from './rows.ts'
import { hasEnded } from './states.ts'

interface NextMove {
  id: string
  state: OperationState
  reason: Message
  more: Change
}

/** What the end of one operation means for those that need it; nothing before it has ended. */
export function movesOfDependents(rows: OperationRows, kinds: ReadonlyMap<string, OperationKind>, id: string): NextMove[] {
  const row = rows.get(id)
  if (!row || !hasEnded(row.state)) return []
  return rows.dependents(id).flatMap((dependent) => releaseOf(rows, kinds, dependent) ?? [])
}

/**
 * What becomes of a blocked operation now: ready once all that it needs is done, with the ids of their records in its
 * payload. Undefined while it has to wait.
 */
export function releaseOf(rows: OperationRows, kinds: ReadonlyMap<string, OperationKind>, blocked: StoredRow): NextMove | undefined {
  const { id, key, title } = blocked
  const needs = rows.needsOf(id).map(({ id: needed, part }) => ({ row: rows.get(needed), part }))
  const lost = needs.find(({ row }) => !row || (hasEnded(row.state) && row.state !== 'done'))
  if (lost) return { id, state: 'needsAttention', reason: message('operations.needGone', { title: lost.row?.title ?? '' }), more: {} }
  if (needs.some(({ row }) => row?.state !== 'done')) return undefined
  const kind = kinds.get(blocked.kind)
  let payload: Json = blocked.payload
  for (const { row, part } of needs) {
    // Where the gateway did not show the record, its name is looked for like any other.
    if (part !== '' && row && row.result !== null && kind?.receive) payload = kind.receive(payload, part, row.result)
  }
  const state = kind?.finalise ? 'draft' : 'pending'
  return { id, state, reason: message('operations.ready'), more: { finalised: { payload, key, title } } }
}
