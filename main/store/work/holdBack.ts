import type Database from 'better-sqlite3'
import { message } from '../../../preload/contract/messages.ts'
import type { KeptClaim } from './claims.ts'

/** Nothing will ever happen with these again. */
export const endedStates: readonly string[] = ['done', 'cancelled', 'expired', 'superseded', 'moved']

/**
 * Records of what was sent may be missing: nothing that has not ended is sent before it was looked for at the gateway, and
 * what is not there then is asked about. How many there are.
 */
export function holdBack(sql: Database.Database, at: string): number {
  const hold = sql.prepare(
    `update operation set claim = @claim, updated_at = @at,
       reason = case state when 'pending' then @reason else reason end, state = case state when 'pending' then 'unknown' else state end
     where state not in (select value from json_each(@ended))`
  )
  const claim: KeptClaim = { sinceMs: null, waitMs: 0, whenAbsent: 'ask', isReadBack: false }
  return hold.run({ claim: JSON.stringify(claim), at, reason: JSON.stringify(message('damage.recordDamaged')), ended: JSON.stringify(endedStates) }).changes
}
