import { message } from '../../../preload/contract/messages.ts'
import { type EngineParts, asAppError } from './parts.ts'
import { replaceOlder } from './send.ts'
import type { StoredOperation } from '../../data/store/work/operations.ts'
import { attemptOfDecision } from './rows.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { choicesOf } from './transitions.ts'

/** Replaces the names in a draft by ids. Only an exact match is accepted; anything else is a question. */
export async function finaliseDraft(parts: EngineParts, row: StoredOperation): Promise<void> {
  const { moves, patience, reading } = parts
  const work = parts.workOf(row)
  if (!work || parts.still.has(row.id) || patience.isHeld(row.id) || parts.isPaused(row.id) || reading.aborted) return
  try {
    const result = await work.kind.finalise?.(work.payload, reading)
    if (!moves.isStill(row.id, 'draft')) return
    if (result?.kind === 'stuck') {
      const evidence = result.raw === undefined ? {} : { evidence: { what: result.reason, raw: result.raw } }
      return moves.move(row.id, 'needsAttention', result.reason, evidence)
    }
    const { payload, key, title } = result ?? row
    moves.inOne(() => {
      moves.move(row.id, 'pending', message('operations.ready'), { finalised: { payload, key, title } })
      replaceOlder(parts, row.id)
    })
    patience.forget(row.id)
  } catch (error) {
    parts.stayInState(row, asAppError(error, reading))
  }
}

/** Puts the chosen record into a draft. This is no edit: its effect, its place and its dependants stay. */
export function chooseRecord({ kinds, moves, patience }: EngineParts, row: StoredOperation, entityId: number): void {
  const { id, state, attempts, key, title } = row
  const record = choicesOf(row).find((one) => one.id === entityId)
  const kind = kinds.get(row.kind)
  const payload = kind?.payload.safeParse(row.payload)
  if (!record || !kind?.choose || !payload?.success)
    throw new AppError('INVALID_REQUEST', message('operations.noSuchChoice', { number: String(entityId) }))
  const chosen = kind.choose(payload.data, record)
  const what = message('operations.personChose', { name: record.name, number: String(record.id) })
  moves.inOne(() => {
    moves.move(id, 'draft', what, {
      evidence: { what, raw: { ...attemptOfDecision(state, 'draft', attempts), chosen: record } }
    })
    moves.move(id, 'draft', what, { finalised: { payload: chosen, key, title } })
  })
  patience.forget(id)
}
