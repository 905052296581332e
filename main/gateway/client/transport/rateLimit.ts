import { AppError } from '../../../../preload/contract/errors.ts'
import type { GatewayStatus } from '../../../../preload/contract/gateway/gateway.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { presentAsker, type Asker } from '../../../base/time/turns.ts'

/** The caller, most urgent first: a person or a running job, a screen that refreshes, background work. */
const priorities = ['person', 'screen', 'background'] as const
export type Priority = (typeof priorities)[number]

/** An answer's limit for its resource: the reset as ISO 8601 UTC in the gateway's time. */
export type RateLimit = NonNullable<GatewayStatus['rateLimit']>

export interface BucketState extends RateLimit {
  /** The known resources (first path segments) that share it. */
  buckets: string[]
  waiting: number
  inFlight: number
}

export interface EnterOptions {
  priority: Priority
  /** How long to wait for a free place or for the reset. */
  waitMs: number
  signal?: AbortSignal | undefined
  /** Admitted at once, whatever the limits say: only the gateway itself may refuse it. */
  overtakes?: boolean | undefined
}

export interface PermitAnswer {
  status: number
  headers: Map<string, string>
  endedAtMs: number
}

export interface Permit {
  /** Returns the place. `answer` is missing when there was none. */
  leave(answer?: PermitAnswer): RateLimit | null
  /** After a 429: when the gateway allows requests again, on this computer's clock (epoch ms). */
  retryAtMs(): number | undefined
}

export type RateLimiter = ReturnType<typeof createRateLimiter>

interface Waiter {
  bucket: string
  priority: Priority
  asker: Asker | undefined
  /** The lowest goes first; of equal ones the first that came. */
  turn: number
  admit(): void
}

interface Window {
  limit: number
  remaining: number
  resetEpochS: number
  /** Monotonic ms. */
  endsAt: number
  /** Monotonic ms of its first occurrence. */
  learnedAt: number
}

/**
 * Resources that are assumed to share a limit until an answer proves otherwise: counting them separately would exceed
 * it.
 */
interface Family {
  buckets: Set<string>
  /** By limit: several tiers (per second, per minute, per hour) may apply at once, and the tightest one decides. */
  windows: Map<number, Window>
  /** The smallest limit ever seen: after a reset, at most that many are sent before the next answer. */
  smallestLimit: number
  /** Answers have no limits: only the number at a time is bounded. */
  isUnlimited: boolean
  /** Monotonic ms before which nothing may be sent. */
  closedUntil: number
  inFlight: number
  waiters: Waiter[]
  /** Of the last admitted call. */
  turn: number
  /** By caller: the turn of its next call. */
  nextTurns: Map<string, number>
  timer: NodeJS.Timeout | undefined
}

export interface RateLimiterOptions {
  /** The gateway's time, epoch ms, for answers without it; undefined while unknown. */
  serverNowMs?: (() => number | undefined) | undefined
  /** The most calls in any minute, besides the gateway's own limits; null: no such limit. */
  mostPerMinute?: (() => number | null) | undefined
}

const maxInFlight = 6
/** Reserved for persons and running jobs in every window; in a small one a quarter. */
const reserved = 10
/** So long before the end of a window anybody may have what is reserved: nobody could use it after the reset. */
const releasedMs = 2_000
/** At a time while no window is known: enough that one slow answer does not block everything. */
const maxUninformed = 2
/** After the reset: the gateway counts whole seconds, and its clock is known only from its answers. */
const resetMarginMs = 50
const unknownResetMs = 5_000
/** After a sign-in that is one too many, where nobody says how long. */
const unknownSignInMs = 60_000
const longestResetMs = 3_600_000
/** A smaller number is no date of our time. */
const longestLeftS = 1e7
const longestRetryAfterMs = 24 * 3_600_000
const minuteMs = 60_000

/**
 * Admits requests while their rate window is open. Limits are learned from every answer; while none is known, two at a
 * time find out.
 */
export function createRateLimiter(options: RateLimiterOptions = {}) {
  const families = new Map<string, Family>()
  /** Of the calls of the last minute, oldest first (monotonic ms); only while there is a limit of our own. */
  let admittedAt: number[] = []

  function familyOf(bucket: string): Family {
    const own = families.get(bucket)
    if (own) return own
    const kind = kindOf(bucket)
    const relative = [...families].find(([name]) => kindOf(name) === kind)?.[1]
    const family = relative ?? newFamily()
    family.buckets.add(bucket)
    families.set(bucket, family)
    return family
  }

  function openWindows(family: Family): Window[] {
    const now = performance.now()
    for (const [limit, window] of family.windows) if (window.endsAt <= now) family.windows.delete(limit)
    return [...family.windows.values()]
  }

  /** Until our own limit admits a call; 0: now. */
  function ownWait(priority: Priority): number {
    const limit = options.mostPerMinute?.() ?? null
    if (limit === null) return 0
    const now = performance.now()
    admittedAt = admittedAt.filter((at) => at > now - minuteMs)
    const allowed = limit - reserveOf({ limit }, priority)
    // The one whose minute must be over before there is room again.
    const blocking = admittedAt[admittedAt.length - allowed]
    return blocking === undefined ? 0 : Math.max(1, blocking + minuteMs - now)
  }

  /** 0: now. Otherwise ms until it can change without an answer; Infinity: only an answer can change it. */
  function waitOf(family: Family, priority: Priority): number {
    const now = performance.now()
    const ownMs = ownWait(priority)
    if (family.closedUntil > now || ownMs > 0) return Math.max(ownMs, family.closedUntil - now)
    if (family.inFlight >= maxInFlight) return Infinity
    const windows = openWindows(family)
    const full = Math.max(
      0,
      ...windows.map((window) => opensInMs(window, window.remaining - family.inFlight, priority))
    )
    if (full > 0) return full
    return windows.length > 0 || family.isUnlimited || family.inFlight < Math.min(maxUninformed, family.smallestLimit)
      ? 0
      : Infinity
  }

  /** The wait when it is closed until a reset; 0 when it only waits for its turn. */
  function closedFor(family: Family, priority: Priority): number {
    const waits = openWindows(family).map((window) => opensInMs(window, window.remaining, priority))
    return Math.max(0, ownWait(priority), family.closedUntil - performance.now(), ...waits)
  }

  function pump(family: Family): void {
    clearTimeout(family.timer)
    family.timer = undefined
    while (family.waiters.length > 0) {
      const first =
        priorities.find((priority) => family.waiters.some((waiter) => waiter.priority === priority)) ?? 'background'
      const wait = waitOf(family, first)
      if (wait > 0) {
        if (Number.isFinite(wait)) family.timer = setTimeout(() => pump(family), Math.ceil(wait))
        return tellWaiters(family)
      }
      const next = family.waiters
        .filter(({ priority }) => priority === first)
        .reduce((best, waiter) => (waiter.turn < best.turn ? waiter : best))
      family.waiters = family.waiters.filter((waiter) => waiter !== next)
      family.turn = Math.max(family.turn, next.turn)
      next.admit()
    }
  }

  function tellWaiters(family: Family): void {
    for (const { asker, priority } of family.waiters) {
      const closed = asker?.line ? closedFor(family, priority) : 0
      if (closed > 0) asker?.line?.waits(Date.now() + Math.ceil(closed))
    }
  }

  /** A caller with many requests goes behind those with fewer; a person at a screen has no caller id and goes next. */
  function takeTurn(family: Family, asker: Asker | undefined): number {
    const turn = Math.max(family.turn, asker ? (family.nextTurns.get(asker.name) ?? 0) : 0)
    for (const [name, next] of family.nextTurns) if (next <= family.turn) family.nextTurns.delete(name)
    if (asker) family.nextTurns.set(asker.name, turn + 1)
    return turn
  }

  function learn(bucket: string, sentAt: number, answer: PermitAnswer): RateLimit | null {
    const limit = headerNumber(answer.headers, 'x-ratelimit-limit')
    const remaining = headerNumber(answer.headers, 'x-ratelimit-remaining')
    const serverNowMs = Date.parse(answer.headers.get('date') ?? '')
    const now = performance.now()
    // Never this computer's clock alone: it may be hours off.
    const gatewayNowMs = Number.isFinite(serverNowMs) ? serverNowMs : options.serverNowMs?.()
    const resetEpochS = readReset(answer.headers, gatewayNowMs ?? answer.endedAtMs)
    const untilReset =
      resetEpochS === undefined
        ? undefined
        : gatewayNowMs === undefined
          ? unprovenReset(resetEpochS * 1000 - answer.endedAtMs)
          : Math.min(longestResetMs, resetEpochS * 1000 - gatewayNowMs)
    let family = familyOf(bucket)
    const retryAfterMs = readRetryAfter(answer.headers, gatewayNowMs)
    // A refused sign-in is not tried before its time, whatever its status: attempts may lock the account.
    if (answer.status === 429 || (kindOf(bucket) === 'login' && answer.status >= 400 && retryAfterMs !== undefined)) {
      const waitMs =
        untilReset === undefined
          ? (retryAfterMs ?? (kindOf(bucket) === 'login' ? unknownSignInMs : unknownResetMs))
          : Math.max(untilReset, retryAfterMs ?? 0, 0)
      family.closedUntil = Math.max(family.closedUntil, now + waitMs + resetMarginMs)
      if (limit !== undefined) family.windows.delete(limit)
    }
    if (limit === undefined || remaining === undefined || resetEpochS === undefined || untilReset === undefined) {
      if (answer.status < 400 && limit === undefined && remaining === undefined) family.isUnlimited = true
      return null
    }
    const rateLimit = { limit, remaining, resetAt: isoOf(resetEpochS) }
    // An answer to a token that the gateway does not know counts towards nobody's limits.
    if (answer.status === 401 || answer.status === 429 || untilReset <= 0) return rateLimit
    family.isUnlimited = false
    family.smallestLimit = Math.min(family.smallestLimit, Math.max(1, limit))
    const known = family.windows.get(limit)
    // The same limit with an earlier reset than the known one: a separate window.
    if (known && resetEpochS < known.resetEpochS && sentAt > known.learnedAt) family = split(bucket, family)
    const present = family.windows.get(limit)
    if (present && present.resetEpochS === resetEpochS) present.remaining = Math.min(present.remaining, remaining)
    else if (!present || resetEpochS > present.resetEpochS) {
      family.windows.set(limit, {
        limit,
        remaining,
        resetEpochS,
        endsAt: now + untilReset + resetMarginMs,
        learnedAt: now
      })
    }
    return rateLimit
  }

  /** The resource has its own limits: it leaves the family together with its waiting callers. */
  function split(bucket: string, family: Family): Family {
    if (family.buckets.size === 1) {
      family.windows.clear()
      return family
    }
    const own = newFamily()
    own.buckets.add(bucket)
    own.waiters = family.waiters.filter((waiter) => waiter.bucket === bucket)
    own.turn = family.turn
    family.waiters = family.waiters.filter((waiter) => waiter.bucket !== bucket)
    family.buckets.delete(bucket)
    families.set(bucket, own)
    return own
  }

  return {
    async enter(bucket: string, options: EnterOptions): Promise<Permit> {
      const { family, sentAt } = await admitted(bucket, options)
      let isLeft = false
      return {
        leave(answer) {
          if (isLeft) return null
          isLeft = true
          family.inFlight--
          let rateLimit: RateLimit | null = null
          if (answer) rateLimit = learn(bucket, sentAt, answer)
          // Unknown whether the gateway counted it: assume that it did.
          else for (const window of family.windows.values()) window.remaining--
          pump(family)
          const present = familyOf(bucket)
          if (present !== family) pump(present)
          return rateLimit
        },
        retryAtMs() {
          const wait = closedFor(familyOf(bucket), options.priority)
          return wait > 0 ? Date.now() + Math.ceil(wait) : undefined
        }
      }
    },
    /** The computer slept for this long: windows that ended in the meantime are over. */
    slept(ms: number): void {
      if (ms <= 0) return
      admittedAt = admittedAt.map((at) => at - ms)
      for (const family of new Set(families.values())) {
        family.closedUntil -= ms
        for (const window of family.windows.values()) window.endsAt -= ms
        pump(family)
      }
    },
    snapshot(): BucketState[] {
      return [...new Set(families.values())].flatMap((family) =>
        openWindows(family).map((window) => ({
          buckets: [...family.buckets],
          limit: window.limit,
          remaining: Math.max(0, window.remaining - family.inFlight),
          resetAt: isoOf(window.resetEpochS),
          waiting: family.waiters.length,
          inFlight: family.inFlight
        }))
      )
    }
  }

  /** Which limit is reached, in words: the gateway's, or the one that a person or the company set. */
  function closedError(bucket: string, waitMs: number, priority: Priority): AppError {
    if (ownWait(priority) < waitMs - 1 && kindOf(bucket) === 'login') return rateLimited(waitMs, 'gateway.signInClosed')
    return ownWait(priority) >= waitMs - 1
      ? rateLimited(waitMs, 'gateway.ownLimit')
      : rateLimited(waitMs, priority === 'person' ? 'gateway.windowClosed' : 'gateway.keptForJobs')
  }

  function admitted(bucket: string, wish: EnterOptions): Promise<{ family: Family; sentAt: number }> {
    if (wish.overtakes) {
      const family = familyOf(bucket)
      family.inFlight++
      if (options.mostPerMinute) admittedAt.push(performance.now())
      return Promise.resolve({ family, sentAt: performance.now() })
    }
    const closed = closedFor(familyOf(bucket), wish.priority)
    if (closed > wish.waitMs) return Promise.reject(closedError(bucket, closed, wish.priority))
    const asker = presentAsker()
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer)
        asker?.line?.waits(null)
        wish.signal?.removeEventListener('abort', onAbort)
        const family = familyOf(bucket)
        family.waiters = family.waiters.filter((other) => other !== waiter)
        settle()
      }
      const waiter: Waiter = {
        bucket,
        priority: wish.priority,
        asker,
        turn: 0,
        admit: () => {
          const family = familyOf(bucket)
          family.inFlight++
          if (options.mostPerMinute) admittedAt.push(performance.now())
          finish(() => resolve({ family, sentAt: performance.now() }))
        }
      }
      const onAbort = (): void =>
        finish(() => reject(new AppError('CANCELLED', message('gateway.cancelledBefore'), { fate: 'notSent' })))
      const timer = setTimeout(
        () => {
          finish(() => {
            const stillClosed = closedFor(familyOf(bucket), wish.priority)
            reject(stillClosed > 0 ? closedError(bucket, stillClosed, wish.priority) : tooBusy())
          })
        },
        Math.max(1, wish.waitMs)
      )
      if (wish.signal?.aborted) {
        onAbort()
        return
      }
      wish.signal?.addEventListener('abort', onAbort, { once: true })
      const family = familyOf(bucket)
      waiter.turn = takeTurn(family, asker)
      family.waiters.push(waiter)
      pump(family)
    })
  }
}

/** The part of a window that is reserved for more urgent callers. */
function reserveOf({ limit }: Pick<Window, 'limit'>, priority: Priority): number {
  return priority === 'person' ? 0 : Math.min(reserved, Math.floor(limit / 4))
}

/** Until this window has room for such a caller; 0: now. */
function opensInMs(window: Window, free: number, priority: Priority): number {
  if (free > reserveOf(window, priority)) return 0
  return Math.max(0, window.endsAt - performance.now() - (free > 0 ? releasedMs : 0))
}

/** By this computer's clock if the gateway's is unknown: ignore a time that cannot belong to a window. */
function unprovenReset(ms: number): number | undefined {
  return ms > 0 && ms <= longestResetMs ? ms : undefined
}

function newFamily(): Family {
  return {
    buckets: new Set(),
    windows: new Map(),
    smallestLimit: Infinity,
    isUnlimited: false,
    closedUntil: 0,
    inFlight: 0,
    waiters: [],
    turn: 0,
    nextTurns: new Map(),
    timer: undefined
  }
}

/**
 * Rawdata, counters and trips have their own tiers; the sign-in is not counted for a user; everything else is one tier.
 */
function kindOf(bucket: string): string {
  if (bucket === 'rawdata' || bucket === 'counters' || bucket === 'trips') return 'data'
  return bucket === 'login' ? 'login' : 'other'
}

/** The resource of a path for its limit: the first segment. */
export function bucketOfPath(path: string): string {
  return path.split('/').find((part) => part !== '') ?? 'version'
}

function rateLimited(
  waitMs: number,
  why: 'gateway.ownLimit' | 'gateway.windowClosed' | 'gateway.signInClosed' | 'gateway.keptForJobs'
): AppError {
  const waitS = Math.ceil(waitMs / 1000)
  return new AppError('RATE_LIMITED', message(why, { waitS }), {
    retryable: true,
    retryAtMs: Date.now() + Math.ceil(waitMs),
    fate: 'notSent'
  })
}

function tooBusy(): AppError {
  return new AppError('TIMEOUT', message('gateway.tooBusy'), { retryable: true, fate: 'notSent' })
}

/** Epoch seconds as documented; other servers give milliseconds, or the seconds that are left. */
function readReset(headers: Map<string, string>, nowMs: number): number | undefined {
  const value = headerNumber(headers, 'x-ratelimit-reset')
  if (value === undefined || (value > longestLeftS && value < 1e11)) return value
  if (value >= 1e11) return value < 1e14 ? value / 1000 : value
  return Math.ceil(nowMs / 1000) + value
}

/** In seconds, or as a date by the clock of the server. */
function readRetryAfter(headers: Map<string, string>, serverNowMs: number | undefined): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Math.min(longestRetryAfterMs, Math.ceil(Number(text)) * 1000)
  const untilMs = Date.parse(text) - (serverNowMs ?? Date.now())
  return Number.isFinite(untilMs) && /^[a-z]{3,9},/i.test(text)
    ? Math.min(longestRetryAfterMs, Math.max(0, untilMs))
    : undefined
}

function headerNumber(headers: Map<string, string>, name: string): number | undefined {
  const text = headers.get(name)?.trim()
  if (text === undefined || !/^\d{1,15}(\.\d{1,9})?$/.test(text)) return undefined
  return Number(text)
}

function isoOf(epochS: number): string {
  const date = new Date(epochS * 1000)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}
