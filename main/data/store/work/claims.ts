/**
 * Another laptop, or an older copy of the data, may have sent this work: it is read back before this laptop first sends
 * it.
 */
export interface KeptClaim {
  /** What appears at the gateway after this may be its effect (epoch ms, by the gateway's clock if known). */
  sinceMs: number | null
  /** Beside the grace time, so that two laptops with the same work do not send at the same moment. */
  waitMs: number
  /** If it is absent: it is sent, if its kind allows that, or a person decides. */
  whenAbsent: 'send' | 'ask'
  isReadBack: boolean
  /**
   * Who handed it over never sent it and cannot send it any more: if it is not found, it is sent without a question.
   */
  isUnsent?: true
  /**
   * When it arrived on this computer, by its clock; absent if it was not handed over. Never passed on to the next
   * holder.
   */
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
  const { sinceMs, waitMs, whenAbsent, isReadBack, isUnsent, arrivedAtMs } = kept ?? {}
  return {
    sinceMs: typeof sinceMs === 'number' ? sinceMs : null,
    waitMs: typeof waitMs === 'number' ? waitMs : 0,
    whenAbsent: whenAbsent === 'send' ? 'send' : 'ask',
    isReadBack: isReadBack === true,
    ...(isUnsent === true ? { isUnsent } : {}),
    ...(typeof arrivedAtMs === 'number' ? { arrivedAtMs } : {})
  }
}
