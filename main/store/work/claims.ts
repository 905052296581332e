/** Claims of work that another laptop may have sent (main/operations/handover/claim.ts has the rules). */
export interface KeptClaim {
  sinceMs: number | null
  waitMs: number
  whenAbsent: 'send' | 'ask'
  isReadBack: boolean
  arrivedAtMs?: number
}

/** An unreadable claim is the strictest: nothing is sent because of it. */
export function claimOf(text: string): KeptClaim {
  let kept: Partial<KeptClaim> | null
  try {
    kept = JSON.parse(text) as Partial<KeptClaim> | null
  } catch {
    kept = null
  }
  const { sinceMs, waitMs, whenAbsent, isReadBack, arrivedAtMs } = kept ?? {}
  return {
    sinceMs: typeof sinceMs === 'number' ? sinceMs : null,
    waitMs: typeof waitMs === 'number' ? waitMs : 0,
    whenAbsent: whenAbsent === 'send' ? 'send' : 'ask',
    isReadBack: isReadBack === true,
    ...(typeof arrivedAtMs === 'number' ? { arrivedAtMs } : {})
  }
}
