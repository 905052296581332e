import { performance } from 'node:perf_hooks'
import { AppError } from '../../preload/contract/errors.ts'
import { markSent } from './sent.ts'

export type Priority = 'person' | 'background'

/** What an answer says about its resource: the reset as ISO 8601 UTC in the gateway's time. */
export interface RateLimit {
  limit: number
  remaining: number
  resetAt: string
}

export interface BucketState extends RateLimit {
  bucket: string
  waiting: number
  inFlight: number
}

export interface EnterOptions {
  priority: Priority
  /** How long to wait for a free place or for the reset. */
  waitMs: number
  signal?: AbortSignal | undefined
}

export interface Permit {
  /** Gives the place back. `answer` is missing when none came. */
  leave(answer?: { status: number; headers: Map<string, string>; endedAtMs: number }): RateLimit | null
  /** After a 429: when the gateway says that it goes on, on this computer's clock (epoch ms). */
  retryAtMs(): number | undefined
}

export interface RateLimiter {
  enter(bucket: string, options: EnterOptions): Promise<Permit>
  snapshot(): BucketState[]
}

interface Waiter {
  priority: Priority
  admit(): void
}

interface Bucket {
  name: string
  /** From the answers; undefined while no window is open: then one request at a time finds out. */
  window: { limit: number; remaining: number; resetEpochS: number; endsAt: number } | undefined
  /** Answers of this resource carry no limits: only the number at a time is bounded. */
  isUnlimited: boolean
  /** Monotonic ms until which nothing may be sent. */
  closedUntil: number
  inFlight: number
  waiters: Waiter[]
  timer: NodeJS.Timeout | undefined
}

const maxInFlight = 6
/** Past the reset: the gateway counts in whole seconds, and its clock is known from its answers only. */
const resetMarginMs = 50
const unknownResetMs = 5_000
const longestResetMs = 3_600_000

/**
 * Admits requests to a resource only while its rate window is open ("Errors", 429; "Limits", rate tiers). Limits are
 * learned from X-RateLimit-Limit, -Remaining and -Reset of every answer; what is in flight counts as used.
 */
export function createRateLimiter(): RateLimiter {
  const buckets = new Map<string, Bucket>()

  function bucketOf(name: string): Bucket {
    let bucket = buckets.get(name)
    if (!bucket) {
      bucket = { name, window: undefined, isUnlimited: false, closedUntil: 0, inFlight: 0, waiters: [], timer: undefined }
      buckets.set(name, bucket)
    }
    return bucket
  }

  /** 0: now. Otherwise ms until it can change by itself; Infinity: only an answer can change it. */
  function waitOf(bucket: Bucket): number {
    const now = performance.now()
    if (bucket.closedUntil > now) return bucket.closedUntil - now
    if (bucket.window && bucket.window.endsAt <= now) bucket.window = undefined
    if (bucket.inFlight >= maxInFlight) return Infinity
    if (bucket.window) {
      if (bucket.window.remaining - bucket.inFlight > 0) return 0
      return bucket.window.endsAt - now
    }
    return bucket.isUnlimited || bucket.inFlight === 0 ? 0 : Infinity
  }

  /** When it is closed until a reset: how long; 0 when it only waits for its turn. */
  function closedFor(bucket: Bucket): number {
    const now = performance.now()
    if (bucket.closedUntil > now) return bucket.closedUntil - now
    const window = bucket.window
    return window && window.remaining <= 0 && window.endsAt > now ? window.endsAt - now : 0
  }

  function pump(bucket: Bucket): void {
    clearTimeout(bucket.timer)
    bucket.timer = undefined
    while (bucket.waiters.length > 0) {
      const wait = waitOf(bucket)
      if (wait > 0) {
        if (Number.isFinite(wait)) bucket.timer = setTimeout(() => pump(bucket), Math.ceil(wait))
        return
      }
      const person = bucket.waiters.findIndex((waiter) => waiter.priority === 'person')
      const [next] = bucket.waiters.splice(Math.max(0, person), 1)
      next?.admit()
    }
  }

  function learn(bucket: Bucket, answer: { status: number; headers: Map<string, string>; endedAtMs: number }): RateLimit | null {
    const limit = headerNumber(answer.headers, 'x-ratelimit-limit')
    const remaining = headerNumber(answer.headers, 'x-ratelimit-remaining')
    const resetEpochS = headerNumber(answer.headers, 'x-ratelimit-reset')
    const serverNowMs = Date.parse(answer.headers.get('date') ?? '')
    const now = performance.now()
    const untilReset =
      resetEpochS === undefined
        ? undefined
        : Math.min(longestResetMs, resetEpochS * 1000 - (Number.isFinite(serverNowMs) ? serverNowMs : answer.endedAtMs))
    if (answer.status === 429) {
      bucket.closedUntil = Math.max(bucket.closedUntil, now + Math.max(untilReset ?? unknownResetMs, 0) + resetMarginMs)
      bucket.window = undefined
    }
    if (limit === undefined || remaining === undefined || resetEpochS === undefined || untilReset === undefined) {
      if (answer.status !== 429 && limit === undefined && remaining === undefined) bucket.isUnlimited = true
      return null
    }
    bucket.isUnlimited = false
    if (untilReset > 0 && answer.status !== 429) {
      const endsAt = now + untilReset + resetMarginMs
      const known = bucket.window
      if (known && known.resetEpochS === resetEpochS) known.remaining = Math.min(known.remaining, remaining)
      // An earlier reset is an answer that came late, unless it is the stricter limit of another tier.
      else if (!known || resetEpochS > known.resetEpochS || remaining < known.remaining) {
        bucket.window = { limit, remaining, resetEpochS, endsAt }
      }
    }
    return { limit, remaining, resetAt: isoOf(resetEpochS) }
  }

  return {
    async enter(name, options) {
      const bucket = bucketOf(name)
      await admitted(bucket, options)
      let isLeft = false
      return {
        leave(answer) {
          if (isLeft) return null
          isLeft = true
          bucket.inFlight--
          let rateLimit: RateLimit | null = null
          if (answer) rateLimit = learn(bucket, answer)
          // Nobody knows whether the gateway counted it: it did, to be safe.
          else if (bucket.window) bucket.window.remaining--
          pump(bucket)
          return rateLimit
        },
        retryAtMs() {
          const wait = closedFor(bucket)
          return wait > 0 ? Date.now() + Math.ceil(wait) : undefined
        }
      }
    },
    snapshot() {
      const now = performance.now()
      return [...buckets.values()].flatMap((bucket) => {
        const window = bucket.window
        if (!window || window.endsAt <= now) return []
        return [
          {
            bucket: bucket.name,
            limit: window.limit,
            remaining: Math.max(0, window.remaining - bucket.inFlight),
            resetAt: isoOf(window.resetEpochS),
            waiting: bucket.waiters.length,
            inFlight: bucket.inFlight
          }
        ]
      })
    }
  }

  function admitted(bucket: Bucket, options: EnterOptions): Promise<void> {
    const closed = closedFor(bucket)
    if (closed > options.waitMs) return Promise.reject(rateLimited(closed))
    return new Promise<void>((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer)
        options.signal?.removeEventListener('abort', onAbort)
        bucket.waiters = bucket.waiters.filter((other) => other !== waiter)
        settle()
      }
      const waiter: Waiter = {
        priority: options.priority,
        admit: () => {
          bucket.inFlight++
          finish(resolve)
        }
      }
      const onAbort = (): void => finish(() => reject(markSent(new AppError('CANCELLED', 'Cancelled before it was sent to the gateway.'), 'no')))
      const timer = setTimeout(() => {
        finish(() => {
          const stillClosed = closedFor(bucket)
          reject(stillClosed > 0 ? rateLimited(stillClosed) : tooBusy())
        })
      }, Math.max(1, options.waitMs))
      if (options.signal?.aborted) {
        onAbort()
        return
      }
      options.signal?.addEventListener('abort', onAbort, { once: true })
      bucket.waiters.push(waiter)
      pump(bucket)
    })
  }
}

/** The resource that a path counts to: its first segment. Rawdata, counters and trips carry tiers of their own. */
export function bucketOfPath(path: string): string {
  return path.split('/').find((part) => part !== '') ?? 'version'
}

function rateLimited(waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1000)
  return markSent(
    new AppError('RATE_LIMITED', `The gateway allows no more requests of this kind for ${seconds} s. Try again after that.`, {
      retryable: true,
      retryAtMs: Date.now() + Math.ceil(waitMs)
    }),
    'no'
  )
}

function tooBusy(): AppError {
  const message = 'Earlier requests to the gateway are still waiting for their answers. Try again in a moment.'
  return markSent(new AppError('TIMEOUT', message, { retryable: true }), 'no')
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
