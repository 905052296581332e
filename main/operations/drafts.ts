import { message } from '../../preload/contract/messages.ts'
import { asAppError, stay } from './failures.ts'
import { isPaused, type EngineParts } from './parts.ts'
import { replaceOlder } from './order.ts'
import type { StoredRow } from './rows.ts'
import { workOf } from './work.ts'

/** Turns the names of a draft into ids. Only one that is called exactly so is taken; anything else is a question. */
export async function finalise(parts: EngineParts, row: StoredRow): Promise<void> {
  const { moves, patience, reading } = parts
  const work = workOf(parts, row)
  if (!work || parts.still.has(row.id) || patience.isHeld(row.id) || isPaused(parts, row.id) || reading.aborted) return
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
    stay(parts, row, asAppError(error, reading))
  }
}
