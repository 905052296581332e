/** A gateway that could not be asked so often in a row is out of reach: nobody waits for it. */
export const awayAfter = 3

/** Why nothing is asked or sent for a while: out of reach, a limit of the gateway, its cache, or an effect that is to come. */
export type HoldCause = 'away' | 'signIn' | 'limit' | 'cache' | 'look'

/** How long an operation waits: monotonic and of this run, so a restart only makes it longer. See claim.ts for handed-over work. */
export interface Wait {
  graceOverMs: number
  /** When the first of the two reads that find nothing came back. */
  firstAbsentMs: number | null
  /** Nothing is asked or sent before. */
  holdUntilMs: number
  holdCause: HoldCause
  /** How often in a row the gateway could not be asked. */
  timesAway: number
  /** How often an effect that is still to come was looked for in vain. */
  timesWaited: number
  /** When what is there before the first attempt was read. */
  baselineAtMs: number | null
}

export type Patience = ReturnType<typeof createPatience>

/** A clock that was set in the meantime must not keep work waiting for days. */
const longestHoldMs = 3_600_000
const unchangeable: readonly HoldCause[] = ['limit', 'cache']

/** What this run remembers of when each operation may go on. `changed` is told of each hold that began. */
export function createPatience(monotonicMs: () => number, graceMs: number, changed: (id: string) => void = () => undefined) {
  const waits = new Map<string, Wait>()

  function of(id: string): Wait {
    let wait = waits.get(id)
    if (!wait) waits.set(id, (wait = { graceOverMs: 0, firstAbsentMs: null, holdUntilMs: 0, holdCause: 'look', timesAway: 0, timesWaited: 0, baselineAtMs: null }))
    return wait
  }

  /** In so many ms it may go on, and what keeps it until then; undefined where nothing does. */
  function holdOf(id: string): { inMs: number; cause: HoldCause } | undefined {
    const wait = waits.get(id)
    const inMs = (wait?.holdUntilMs ?? 0) - monotonicMs()
    return wait && inMs > 0 ? { inMs, cause: wait.holdCause } : undefined
  }

  return {
    of,
    holdOf,
    /** `moreMs`: beside the grace time. */
    beginGrace(id: string, moreMs: number = 0): void {
      waits.set(id, { graceOverMs: monotonicMs() + graceMs + moreMs, firstAbsentMs: null, holdUntilMs: 0, holdCause: 'look', timesAway: 0, timesWaited: 0, baselineAtMs: null })
    },
    hold(id: string, ms: number, cause: HoldCause): void {
      Object.assign(of(id), { holdUntilMs: monotonicMs() + Math.min(longestHoldMs, Math.max(0, ms)), holdCause: cause })
      changed(id)
    },
    isHeld: (id: string): boolean => (waits.get(id)?.holdUntilMs ?? 0) > monotonicMs(),
    /** Whether the gateway could not be asked last time. */
    isAway: (id: string): boolean => (waits.get(id)?.timesAway ?? 0) > 0,
    graceOf: (id: string): number => Math.max(0, (waits.get(id)?.graceOverMs ?? 0) - monotonicMs()),
    /** Lets it be tried at once where that breaks no rule. False: a limit or the cache of the gateway holds it, which no wish changes. */
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
