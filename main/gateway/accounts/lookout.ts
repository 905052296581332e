export interface WatchedGateway {
  status(): Promise<{ state: 'notSet' | 'signedOut' | 'unknown' | 'reachable' | 'unreachable' }>
  /** Whether the gateway answered the last request; undefined before the first. */
  isAnswering(): boolean | undefined
  /** One cheap request without any secret. True: the gateway itself answered. */
  look(signal: AbortSignal): Promise<boolean>
  /** Earlier connections are dead; time asleep counts. */
  renew(sleptMs: number): void
}

export interface LookoutOptions {
  gateway: WatchedGateway
  /** The cards and addresses of this computer as text: a different text means a different network. Empty: none. */
  network(): string
  hasWork(): boolean
  /** The gateway is back; limited for one that comes and goes. */
  back(): void
  networkChanged(): void
  wallMs?: () => number
  monotonicMs?: () => number
  reportFault(error: unknown): void
}

export type Lookout = ReturnType<typeof createLookout>

const tickMs = 1_000
/** From the start of one request to the start of the next. A hanging request delays none of them. */
const pausesMs = [1_000, 2_000, 4_000]
const mostAtOnce = 3
/** The keychain knows whether someone is signed in: it is not asked every second. */
const askWhoMs = 10_000
/** The pause after a gateway that came back only briefly: requests succeed where work does not. */
const flappingMs = 15_000
const momentMs = 7_000
/** With this difference, the clock was set or the computer slept; a tick this late means the latter. */
const jumpMs = 5_000

/**
 * While the gateway is offline, looks for it every 4 s and when network or power changed. A gateway that refuses is not
 * offline.
 */
export function createLookout(options: LookoutOptions) {
  const wallMs = options.wallMs ?? (() => Date.now())
  const monotonicMs = options.monotonicMs ?? (() => performance.now())
  const ending = new AbortController()
  let lastTick = { wall: wallMs(), monotonic: monotonicMs() }
  let network = options.network()
  let round = 0
  let inFlight = 0
  let backAtMs = -Infinity
  let nobodyUntilMs = -Infinity
  /** Or never answered. */
  let isAway = true
  let awaySinceMs = -Infinity
  let late: NodeJS.Timeout | undefined
  let next: NodeJS.Timeout | undefined

  let isUnreadable = false

  const ticker = setInterval(tick, tickMs)

  /** Asked by timers: a data file that cannot be read for a moment must end nothing, and is reported once. */
  function hasWork(): boolean {
    try {
      const isThere = options.hasWork()
      isUnreadable = false
      return isThere
    } catch (error) {
      if (!isUnreadable) options.reportFault(error)
      isUnreadable = true
      return false
    }
  }

  function tick(): void {
    const now = { wall: wallMs(), monotonic: monotonicMs() }
    const went = { wall: now.wall - lastTick.wall, monotonic: now.monotonic - lastTick.monotonic }
    lastTick = now
    // Some systems count sleep in the monotonic clock, some do not.
    const isLate = went.monotonic > tickMs + jumpMs
    const aheadMs = went.wall - went.monotonic
    const found = options.network()
    const hasMoved = found !== network
    network = found
    if (hasMoved) options.networkChanged()
    if (isLate || Math.abs(aheadMs) > jumpMs) options.gateway.renew(Math.max(0, aheadMs))
    else if (hasMoved) options.gateway.renew(0)
    else return planIfAway()
    lookNow()
  }

  function planIfAway(): void {
    if (next !== undefined || inFlight > 0 || monotonicMs() < nobodyUntilMs) return
    ifAway(() => plan())
  }

  function ifAway(then: () => void): void {
    const isAnswering = options.gateway.isAnswering()
    if (isAnswering || (isAnswering === undefined && !hasWork())) return
    options.gateway.status().then(({ state }) => {
      if (state === 'signedOut' || state === 'notSet') nobodyUntilMs = monotonicMs() + askWhoMs
      if (ending.signal.aborted || network === '') return
      if (state === 'unreachable' || (state === 'unknown' && hasWork())) then()
    }, options.reportFault)
  }

  function noticeBack(): void {
    const isAnswering = options.gateway.isAnswering()
    if (isAnswering === false && !isAway) {
      isAway = true
      awaySinceMs = monotonicMs()
      clearTimeout(late)
    }
    if (!isAnswering || !isAway || ending.signal.aborted) return
    isAway = false
    clearTimeout(next)
    next = undefined
    round = 0
    const leftMs = monotonicMs() - awaySinceMs < momentMs ? backAtMs + flappingMs - monotonicMs() : 0
    if (leftMs <= 0) tellBack()
    else late = setTimeout(tellBack, leftMs)
  }

  function tellBack(): void {
    backAtMs = monotonicMs()
    options.back()
  }

  function plan(): void {
    if (next !== undefined) return
    const isFlapping = monotonicMs() - backAtMs < flappingMs
    const pauseMs = pausesMs[isFlapping ? pausesMs.length - 1 : Math.min(round, pausesMs.length - 1)] ?? tickMs
    next = setTimeout(() => {
      next = undefined
      round += 1
      ifAway(() => look())
    }, pauseMs)
  }

  function lookNow(): void {
    clearTimeout(next)
    next = undefined
    round = 0
    // Earlier answers mean nothing any more, so one request is made if there was one before.
    options.gateway.status().then(({ state }) => {
      if (ending.signal.aborted || state === 'notSet' || state === 'signedOut') return
      if (state !== 'unknown' || hasWork()) look()
    }, options.reportFault)
  }

  function look(): void {
    ifAway(() => plan())
    if (inFlight >= mostAtOnce) return
    inFlight += 1
    options.gateway
      .look(ending.signal)
      .catch((error: unknown) => {
        if (!ending.signal.aborted) options.reportFault(error)
      })
      .finally(() => (inFlight -= 1))
  }

  return {
    /** The gateway answered, or did not: its state may have changed. */
    noticeGateway: noticeBack,
    resumed(): void {
      const now = { wall: wallMs(), monotonic: monotonicMs() }
      options.gateway.renew(Math.max(0, now.wall - lastTick.wall - (now.monotonic - lastTick.monotonic)))
      lastTick = now
      lookNow()
    },
    stop(): void {
      ending.abort()
      clearInterval(ticker)
      clearTimeout(next)
      clearTimeout(late)
    }
  }
}
