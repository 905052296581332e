import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import { decision } from './attempts.ts'
import { choicesOf } from './choices.ts'
import type { EngineParts } from './parts.ts'
import type { StoredRow } from './rows.ts'

/**
 * Puts the record that a person chose into a draft. It is no edit: what is wanted stays, it keeps its place before younger
 * work of its key, and what needs it goes on waiting for it.
 */
export function choose({ kinds, moves, patience }: EngineParts, row: StoredRow, entityId: number): void {
  const { id, state, attempts, key, title } = row
  const record = choicesOf(row).find((one) => one.id === entityId)
  const kind = kinds.get(row.kind)
  const payload = kind?.payload.safeParse(row.payload)
  if (!record || !kind?.choose || !payload?.success) throw new AppError('INVALID_REQUEST', message('operations.noSuchChoice', { number: String(entityId) }))
  const chosen = kind.choose(payload.data, record)
  const what = message('operations.personChose', { name: record.name, number: String(record.id) })
  moves.inOne(() => {
    moves.move(id, 'draft', what, { evidence: { what, raw: { ...decision(state, 'draft', attempts), chosen: record } } })
    moves.move(id, 'draft', what, { finalised: { payload: chosen, key, title } })
  })
  patience.forget(id)
}
