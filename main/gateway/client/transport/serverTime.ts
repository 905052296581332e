/** Learns the gateway's clock from its answers, as bounds that each answer narrows. */
export type ServerTime = ReturnType<typeof createServerTime>

const freshMs = 60_000

/** Wall clock and monotonic clock differ by no more than this, unless the clock was set or the computer slept. */
const stepMs = 2_000

export function createServerTime() {
  let low: number | undefined
  let high: number | undefined
  /** The difference between wall clock and monotonic clock when the bounds were learned. */
  let offsetMs: number | undefined
  let answeredAtMs = -Infinity

  /** After a jump of this computer's clock the old difference is wrong, and evidence would be judged by it. */
  function forgetAfterJump(): void {
    const nowOffsetMs = Date.now() - performance.now()
    if (offsetMs !== undefined && Math.abs(nowOffsetMs - offsetMs) > stepMs) low = high = undefined
    offsetMs = nowOffsetMs
  }

  function narrow(serverFromMs: number, serverToMs: number, startedAtMs: number, endedAtMs: number): void {
    const from = serverFromMs - endedAtMs
    const to = serverToMs - startedAtMs
    if (from > to) return
    forgetAfterJump()
    answeredAtMs = performance.now()
    if (low === undefined || high === undefined || from > high || to < low) {
      // The first answer, or one of the clocks was set: earlier bounds are invalid.
      low = from
      high = to
      return
    }
    low = Math.max(low, from)
    high = Math.min(high, to)
  }

  return {
    /** `dateHeader` has whole seconds: the true time is within that second. */
    learnDate(dateHeader: string | undefined, startedAtMs: number, endedAtMs: number): void {
      const dateMs = dateHeader === undefined ? Number.NaN : Date.parse(dateHeader)
      if (Number.isFinite(dateMs)) narrow(dateMs, dateMs + 1000, startedAtMs, endedAtMs)
    },
    /** `GET /tz`: server_utc_epoch in seconds; whole seconds unless it has a fraction. */
    learnEpoch(epochS: number, startedAtMs: number, endedAtMs: number): void {
      if (!Number.isFinite(epochS) || Math.abs(epochS) > 1e11) return
      narrow(epochS * 1000, epochS * 1000 + (Number.isInteger(epochS) ? 1000 : 1), startedAtMs, endedAtMs)
    },
    clockDifferenceS,
    /** The gateway's time now, epoch ms; undefined while the difference is unknown. */
    nowMs(): number | undefined {
      const differenceS = clockDifferenceS()
      return differenceS === null ? undefined : Date.now() + differenceS * 1000
    },
    /** Known from an answer of the last minute: nobody sets the gateway's clock within a minute. */
    isSure: (): boolean => clockDifferenceS() !== null && performance.now() - answeredAtMs < freshMs
  }

  /**
   * Gateway time minus this computer's, in seconds; null before the first answer and after this computer's clock was
   * set.
   */
  function clockDifferenceS(): number | null {
    forgetAfterJump()
    if (low === undefined || high === undefined) return null
    // A difference within the bounds is not a difference.
    if (low <= 0 && high >= 0) return 0
    return Math.round((low + high) / 2) / 1000
  }
}
