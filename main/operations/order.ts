import { message } from '../../preload/contract/messages.ts'
import { mayHaveArrived } from './attempts.ts'
import type { EngineParts } from './parts.ts'
import type { StoredRow } from './rows.ts'

/** Older ones of the same kind on the same key that were never sent: of what only the last value counts, they are moot. */
export function replaceOlder({ rows, kinds, moves }: EngineParts, id: string): void {
  const row = rows.get(id)
  if (!row || !kinds.get(row.kind)?.newerReplaces) return
  for (const older of rows.unfinished()) {
    const isSame = older.key === row.key && older.kind === row.kind && older.sequence < row.sequence
    if (isSame && !rows.attempts(older.id).some(mayHaveArrived)) moves.move(older.id, 'superseded', message('operations.replaced', { title: row.title }))
  }
}

/**
 * Keeps an older one from being sent after a younger one of its key: it would undo what was wanted later. True when it is
 * held back for good.
 */
export function isOvertaken({ rows, kinds, moves }: EngineParts, row: StoredRow): boolean {
  const [younger] = rows.youngerSent(row)
  if (!younger) return false
  const isMoot = kinds.get(row.kind)?.newerReplaces && younger.kind === row.kind && !rows.attempts(row.id).some(mayHaveArrived)
  if (isMoot) moves.move(row.id, 'superseded', message('operations.replaced', { title: younger.title }))
  else moves.move(row.id, 'needsAttention', message('operations.overtaken', { title: younger.title }))
  return true
}

/** Says of the younger ones of a key what they wait for: a younger one never overtakes one that a person has to decide on. */
export function holdBack({ moves }: EngineParts, younger: readonly StoredRow[], older: StoredRow): void {
  for (const { id, state } of younger) if (state === 'pending' && moves.isStill(id, state)) moves.move(id, 'pending', message('operations.waitsForDecision', { title: older.title }))
}
