/** After this many failed requests in a row the gateway counts as out of reach: nobody waits for it. */
export const awayAfter = 3

/**
 * Why nothing is requested or sent for a while: the gateway is out of reach, its limit, its cache, or an effect that is
 * still to come.
 */
export type HoldCause = 'away' | 'signIn' | 'limit' | 'cache' | 'look'

/**
 * How long an operation waits, by a clock of this run: a restart only makes it longer. See claim.ts for handed-over
 * work.
 */
export interface Wait {
  graceOverMs: number
  /** When the first of the two readings without the effect was answered. */
  firstAbsentMs: number | null
  /** Nothing is requested or sent before. */
  holdUntilMs: number
  holdCause: HoldCause
  /** How many requests in a row failed. */
  timesAway: number
  /** How often an effect that is still to come was not found. */
  timesWaited: number
  /** When the state before the first attempt was read. */
  baselineAtMs: number | null
}

export type Patience = ReturnType<typeof createPatience>

/** A clock that was set in the meantime must not keep work waiting for days. */
const longestHoldMs = 3_600_000
const unchangeable: readonly HoldCause[] = ['limit', 'cache']

/** When each operation may continue, for this run. `changed` is called when a delay begins. */
export function createPatience(
  monotonicMs: () => number,
  graceMs: number,
  changed: (id: string) => void = () => undefined
) {
  const waits = new Map<string, Wait>()

  function of(id: string): Wait {
    let wait = waits.get(id)
    if (!wait)
      waits.set(
        id,
        (wait = {
          graceOverMs: 0,
          firstAbsentMs: null,
          holdUntilMs: 0,
          holdCause: 'look',
          timesAway: 0,
          timesWaited: 0,
          baselineAtMs: null
        })
      )
    return wait
  }

  /** How long it is still delayed, and why; undefined when nothing delays it. */
  function holdOf(id: string): { inMs: number; cause: HoldCause } | undefined {
    const wait = waits.get(id)
    const inMs = (wait?.holdUntilMs ?? 0) - monotonicMs()
    return wait && inMs > 0 ? { inMs, cause: wait.holdCause } : undefined
  }

  return {
    of,
    holdOf,
    /** `moreMs`: in addition to the grace time. */
    beginGrace(id: string, moreMs: number = 0): void {
      waits.set(id, {
        graceOverMs: monotonicMs() + graceMs + moreMs,
        firstAbsentMs: null,
        holdUntilMs: 0,
        holdCause: 'look',
        timesAway: 0,
        timesWaited: 0,
        baselineAtMs: null
      })
    },
    hold(id: string, ms: number, cause: HoldCause): void {
      Object.assign(of(id), { holdUntilMs: monotonicMs() + Math.min(longestHoldMs, Math.max(0, ms)), holdCause: cause })
      changed(id)
    },
    isHeld: (id: string): boolean => (waits.get(id)?.holdUntilMs ?? 0) > monotonicMs(),
    /** Whether the gateway could not be reached last time. */
    isAway(id: string): boolean {
      const wait = waits.get(id)
      return wait !== undefined && wait.timesAway > 0 && wait.holdCause !== 'signIn'
    },
    /** The gateway answered a request for it. */
    reached(id: string): void {
      const wait = waits.get(id)
      if (wait) wait.timesAway = 0
    },
    /** The gateway can be reached again: ends what waits only for that. */
    gatewayIsBack(id: string): void {
      const wait = waits.get(id)
      if (!wait || wait.holdCause === 'signIn') return
      wait.timesAway = 0
      if (wait.holdCause === 'away') wait.holdUntilMs = 0
    },
    graceOf: (id: string): number => Math.max(0, (waits.get(id)?.graceOverMs ?? 0) - monotonicMs()),
    /** Ends the delay, unless it is a limit or the cache of the gateway: then false. */
    tryNow(id: string): boolean {
      const hold = holdOf(id)
      if (hold && unchangeable.includes(hold.cause)) return false
      const wait = waits.get(id)
      if (wait) Object.assign(wait, { holdUntilMs: 0, timesAway: 0 })
      return true
    },
    forget: (id: string): void => void waits.delete(id)
  }
}
