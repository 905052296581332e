/** Learns the gateway's clock from its answers, as bounds that each answer narrows. */
export interface ServerTime {
  /** `dateHeader` has whole seconds: the true time lies within the second that it names. */
  learnDate(dateHeader: string | undefined, startedAtMs: number, endedAtMs: number): void
  /** `GET /tz`: server_utc_epoch in seconds; whole seconds unless it has a fraction. */
  learnEpoch(epochS: number, startedAtMs: number, endedAtMs: number): void
  /** Gateway time less this computer's time, in seconds; null until an answer came. */
  clockDifferenceS(): number | null
}

export function createServerTime(): ServerTime {
  let low: number | undefined
  let high: number | undefined

  function narrow(serverFromMs: number, serverToMs: number, startedAtMs: number, endedAtMs: number): void {
    const from = serverFromMs - endedAtMs
    const to = serverToMs - startedAtMs
    if (from > to) return
    if (low === undefined || high === undefined || from > high || to < low) {
      // The first answer, or one of the clocks was set: what was known before says nothing any more.
      low = from
      high = to
      return
    }
    low = Math.max(low, from)
    high = Math.min(high, to)
  }

  return {
    learnDate(dateHeader, startedAtMs, endedAtMs) {
      const dateMs = dateHeader === undefined ? Number.NaN : Date.parse(dateHeader)
      if (Number.isFinite(dateMs)) narrow(dateMs, dateMs + 1000, startedAtMs, endedAtMs)
    },
    learnEpoch(epochS, startedAtMs, endedAtMs) {
      if (!Number.isFinite(epochS) || Math.abs(epochS) > 1e11) return
      narrow(epochS * 1000, epochS * 1000 + (Number.isInteger(epochS) ? 1000 : 1), startedAtMs, endedAtMs)
    },
    clockDifferenceS() {
      if (low === undefined || high === undefined) return null
      // A difference that the bounds leave open is no difference.
      if (low <= 0 && high >= 0) return 0
      return Math.round((low + high) / 2) / 1000
    }
  }
}
