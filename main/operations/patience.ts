/**
 * How long an operation must wait. Monotonic and of this run alone: after a restart the grace time starts anew, which is
 * only ever longer.
 */
export interface Wait {
  graceOverMs: number
  /** When the first of the two reads that find nothing came back. */
  firstAbsentMs: number | null
  /** Nothing is asked or sent before. */
  holdUntilMs: number
  /** How often in a row the gateway could not be asked. */
  timesAway: number
}

export interface Patience {
  of(id: string): Wait
  /** `moreMs`: beside the grace time. */
  beginGrace(id: string, moreMs?: number): void
  hold(id: string, ms: number): void
  isHeld(id: string): boolean
  forget(id: string): void
}

/** A clock that was set meanwhile must not keep work waiting for days. */
const longestHoldMs = 3_600_000

/** What this run remembers of when each operation may go on. */
export function createPatience(monotonicMs: () => number, graceMs: number): Patience {
  const waits = new Map<string, Wait>()

  function of(id: string): Wait {
    let wait = waits.get(id)
    if (!wait) waits.set(id, (wait = { graceOverMs: 0, firstAbsentMs: null, holdUntilMs: 0, timesAway: 0 }))
    return wait
  }

  return {
    of,
    beginGrace(id, moreMs = 0) {
      waits.set(id, { graceOverMs: monotonicMs() + graceMs + moreMs, firstAbsentMs: null, holdUntilMs: 0, timesAway: 0 })
    },
    hold(id, ms) {
      of(id).holdUntilMs = monotonicMs() + Math.min(longestHoldMs, Math.max(0, ms))
    },
    isHeld: (id) => (waits.get(id)?.holdUntilMs ?? 0) > monotonicMs(),
    forget: (id) => void waits.delete(id)
  }
}
