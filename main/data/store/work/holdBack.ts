import type Database from 'better-sqlite3'
import { message } from '../../../../preload/contract/messages.ts'
import type { KeptClaim } from './claims.ts'

/** States in which nothing will ever happen again. */
export const endedStates: readonly string[] = ['done', 'cancelled', 'expired', 'superseded', 'moved']

/** Work in any other state. Word for word as in the partial index, otherwise SQLite does not use it. */
export const isOpen = "state not in ('done', 'cancelled', 'expired', 'superseded', 'moved')"

/** Sent work may be missing: nothing open is sent before Fitter looked for it. Returns the number of operations. */
export function holdBack(sql: Database.Database, at: string): number {
  const hold = sql.prepare(
    `update operation set claim = @claim, updated_at = @at,
       reason = case state when 'pending' then @reason else reason end, state = case state when 'pending' then 'unknown' else state end
     where ${isOpen}`
  )
  const claim: KeptClaim = { sinceMs: null, waitMs: 0, whenAbsent: 'ask', isReadBack: false }
  return hold.run({ claim: JSON.stringify(claim), at, reason: JSON.stringify(message('damage.recordDamaged')) }).changes
}
