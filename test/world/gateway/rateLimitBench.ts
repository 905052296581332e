import { afterEach, beforeEach, vi } from 'vitest'
import {
  createRateLimiter,
  type Permit,
  type PermitAnswer,
  type RateLimiter
} from '../../../main/gateway/client/transport/rateLimit.ts'

export const startedMs = Date.parse('2026-11-20T10:00:00Z')
export const startedS = startedMs / 1000

/** That of the test that runs. */
export let limiter: RateLimiter

/** For the tests of one file: a limiter that knows nothing yet, and a clock that stands still until a test moves it. */
export function useRateLimiter(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: startedMs })
    startLimiter()
  })
  afterEach(() => void vi.useRealTimers())
}

/** A new limiter for the rest of the test. */
export function startLimiter(options?: Parameters<typeof createRateLimiter>[0]): void {
  limiter = createRateLimiter(options)
}

export interface Says {
  limit?: number | string
  remaining?: number | string
  /** Epoch seconds. */
  reset?: number | string
  date?: string
  status?: number
}

/** The gateway's clock is the computer's, unless the answer says another one. */
export function answer({
  limit,
  remaining,
  reset,
  date = new Date().toUTCString(),
  status = 200
}: Says = {}): PermitAnswer {
  const given: [string, string][] = [['date', date]]
  if (limit !== undefined) given.push(['x-ratelimit-limit', String(limit)])
  if (remaining !== undefined) given.push(['x-ratelimit-remaining', String(remaining)])
  if (reset !== undefined) given.push(['x-ratelimit-reset', String(reset)])
  return { status, headers: new Map(given), endedAtMs: Date.now() }
}

export function enter(
  bucket = 'vehicles',
  waitMs = 7_200_000,
  more: { priority?: 'person' | 'background'; signal?: AbortSignal } = {}
) {
  const state: { permit?: Permit; error?: unknown } = {}
  limiter.enter(bucket, { priority: more.priority ?? 'person', waitMs, signal: more.signal }).then(
    (permit) => (state.permit = permit),
    (error: unknown) => (state.error = error)
  )
  return state
}
export const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

export async function entered(bucket?: string): Promise<Permit> {
  const state = enter(bucket)
  await settle()
  if (!state.permit) throw new Error('It was not let in.')
  return state.permit
}

/** How many of so many that come at once go out now. */
export async function letIn(count: number, bucket?: string): Promise<number> {
  const all = Array.from({ length: count }, () => enter(bucket))
  await settle()
  return all.filter(({ permit }) => permit).length
}
