import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { bucketOfPath, createRateLimiter, type Permit, type PermitAnswer, type RateLimiter } from '../../../main/gateway/transport/rateLimit.ts'

const startedMs = Date.parse('2026-11-20T10:00:00Z')
const startedS = startedMs / 1000

let limiter: RateLimiter
beforeEach(() => {
  vi.useFakeTimers({ now: startedMs })
  limiter = createRateLimiter()
})
afterEach(() => void vi.useRealTimers())

interface Says {
  limit?: number | string
  remaining?: number | string
  /** Epoch seconds. */
  reset?: number | string
  date?: string
  status?: number
}

/** The gateway's clock is the computer's, unless the answer says another one. */
function answer({ limit, remaining, reset, date = new Date().toUTCString(), status = 200 }: Says = {}): PermitAnswer {
  const given: [string, string][] = [['date', date]]
  if (limit !== undefined) given.push(['x-ratelimit-limit', String(limit)])
  if (remaining !== undefined) given.push(['x-ratelimit-remaining', String(remaining)])
  if (reset !== undefined) given.push(['x-ratelimit-reset', String(reset)])
  return { status, headers: new Map(given), endedAtMs: Date.now() }
}

function enter(bucket = 'vehicles', waitMs = 7_200_000, more: { priority?: 'person' | 'background'; signal?: AbortSignal } = {}) {
  const state: { permit?: Permit; error?: unknown } = {}
  limiter.enter(bucket, { priority: more.priority ?? 'person', waitMs, signal: more.signal }).then(
    (permit) => (state.permit = permit),
    (error: unknown) => (state.error = error)
  )
  return state
}
const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

async function entered(bucket?: string): Promise<Permit> {
  const state = enter(bucket)
  await settle()
  if (!state.permit) throw new Error('It was not let in.')
  return state.permit
}

/** How many of so many that come at once go out now. */
async function letIn(count: number, bucket?: string): Promise<number> {
  const all = Array.from({ length: count }, () => enter(bucket))
  await settle()
  return all.filter(({ permit }) => permit).length
}

describe('How many go out at once', () => {
  it('is two while nothing is known', async () => {
    expect(await letIn(5)).toBe(2)
  })

  it('is six at most, however much is left, and the next with the place that is given back', async () => {
    const first = await entered()
    first.leave(answer({ limit: 100, remaining: 99, reset: startedS + 60 }))
    const permits = [await entered(), await entered(), await entered(), await entered(), await entered(), await entered()]
    const seventh = enter()
    await settle()
    expect(seventh.permit).toBeUndefined()
    permits[0]?.leave(answer({ limit: 100, remaining: 98, reset: startedS + 60 }))
    await settle()
    expect(seventh.permit).toBeDefined()
  })

  it('is what is left, with what is on its way taken off', async () => {
    const first = await entered()
    first.leave(answer({ limit: 10, remaining: 3, reset: startedS + 60 }))
    expect(first.retryAtMs()).toBeUndefined()
    expect(await letIn(5)).toBe(3)
    expect(limiter.snapshot()).toEqual([{ buckets: ['vehicles'], limit: 10, remaining: 0, resetAt: '2026-11-20T10:01:00.000Z', waiting: 2, inFlight: 3 }])
  })

  it('is no more than the smallest limit after a reset, before the next answer; never less than one', async () => {
    for (const [limit, most] of [[1, 1], [0, 1], [2, 2], [50, 2]] as const) {
      limiter = createRateLimiter()
      const first = await entered()
      first.leave(answer({ limit, remaining: 0, reset: Math.floor(Date.now() / 1000) + 2 }))
      await settle(2050)
      expect([limit, await letIn(4)]).toEqual([limit, most])
    }
  })

  it('is six where answers carry no limits, until one does', async () => {
    const first = await entered()
    first.leave(answer())
    expect(await letIn(8)).toBe(6)
    limiter = createRateLimiter()
    const other = await entered()
    other.leave(answer())
    const limited = await entered()
    limited.leave(answer({ limit: 5, remaining: 1, reset: startedS + 5 }))
    expect(await letIn(3)).toBe(1)
  })

  it.each<[string, Says]>([
    ['a refusal', { status: 400 }],
    ['a limit alone', { limit: 5 }],
    ['a rest alone', { remaining: 5 }],
    ['a limit with its reset', { limit: 5, reset: startedS + 60 }]
  ])('%s without the others does not prove that there are none', async (_what, says) => {
    const first = await entered()
    expect(first.leave(answer(says))).toBeNull()
    expect(await letIn(4)).toBe(2)
  })
})

describe('A reset', () => {
  it('opens 50 ms after the gateway says, not before', async () => {
    const first = await entered()
    expect(first.leave(answer({ limit: 1, remaining: 0, reset: startedS + 10 }))).toEqual({ limit: 1, remaining: 0, resetAt: '2026-11-20T10:00:10.000Z' })
    expect(first.retryAtMs()).toBe(startedMs + 10_050)
    const next = enter()
    await settle(10_049)
    expect(next.permit).toBeUndefined()
    await settle(1)
    expect(next.permit).toBeDefined()
    expect(first.retryAtMs()).toBeUndefined()
  })

  it('is waited for an hour at most', async () => {
    const first = await entered()
    first.leave(answer({ limit: 1, remaining: 0, reset: startedS + 100_000 }))
    expect(first.retryAtMs()).toBe(startedMs + 3_600_050)
  })

  it('is reckoned from when the answer ended where it has no date', async () => {
    const first = await entered()
    await settle(4000)
    const ended = answer({ limit: 1, remaining: 0, reset: startedS + 10, date: 'nonsense' })
    first.leave({ ...ended, endedAtMs: startedMs + 3000 })
    expect(first.retryAtMs()).toBe(startedMs + 4000 + 7050)
  })

  it('that is past says nothing', async () => {
    const first = await entered()
    expect(first.leave(answer({ limit: 1, remaining: 0, reset: startedS }))).toMatchObject({ limit: 1 })
    expect(limiter.snapshot()).toEqual([])
    expect(await letIn(4)).toBe(2)
  })

  it('of the tightest of several windows holds for all', async () => {
    const first = await entered()
    first.leave(answer({ limit: 100, remaining: 50, reset: startedS + 60 }))
    const second = await entered()
    second.leave(answer({ limit: 5, remaining: 0, reset: startedS + 3 }))
    const third = enter()
    await settle(3049)
    expect(third.permit).toBeUndefined()
    await settle(1)
    expect(third.permit).toBeDefined()
    expect(limiter.snapshot()).toMatchObject([{ limit: 100, remaining: 49 }])
  })

  it('that is later takes the place of the earlier one, an earlier one not; a later answer does not raise what is left', async () => {
    const [a, b] = [await entered(), await entered()]
    a.leave(answer({ limit: 10, remaining: 4, reset: startedS + 10 }))
    b.leave(answer({ limit: 10, remaining: 5, reset: startedS + 10 }))
    expect(limiter.snapshot()).toMatchObject([{ remaining: 4, resetAt: '2026-11-20T10:00:10.000Z' }])
    const later = await entered()
    later.leave(answer({ limit: 10, remaining: 9, reset: startedS + 20 }))
    expect(limiter.snapshot()).toMatchObject([{ remaining: 9, resetAt: '2026-11-20T10:00:20.000Z' }])
  })
})

describe('A refusal for too many requests', () => {
  it('closes everything of its kind until the reset', async () => {
    await settle(2000)
    const first = await entered()
    expect(first.leave(answer({ status: 429, limit: 5, remaining: 0, reset: startedS + 9 }))).toMatchObject({ limit: 5 })
    expect(limiter.snapshot()).toEqual([])
    expect(first.retryAtMs()).toBe(startedMs + 9050)
    const next = enter('groups')
    await settle(7049)
    expect(next.permit).toBeUndefined()
    await settle(1)
    expect(next.permit).toBeDefined()
  })

  it('closes for 5 s where it names no reset, and a shorter one later does not shorten it', async () => {
    const [first, second] = [await entered(), await entered()]
    first.leave(answer({ status: 429 }))
    expect(first.retryAtMs()).toBe(startedMs + 5050)
    second.leave(answer({ status: 429, reset: startedS + 2 }))
    expect(first.retryAtMs()).toBe(startedMs + 5050)
  })

  it('with a reset that is past closes for the margin alone, and forgets what was thought to be left', async () => {
    const [first, second] = [await entered(), await entered()]
    first.leave(answer({ limit: 5, remaining: 4, reset: startedS + 60 }))
    second.leave(answer({ status: 429, limit: 5, remaining: 0, reset: startedS - 5 }))
    expect(first.retryAtMs()).toBe(startedMs + 50)
    expect(limiter.snapshot()).toEqual([])
  })

  it('of an unknown token says nothing about anybody’s limits', async () => {
    const first = await entered()
    expect(first.leave(answer({ status: 401, limit: 1, remaining: 0, reset: startedS + 60 }))).toMatchObject({ remaining: 0 })
    expect(limiter.snapshot()).toEqual([])
    expect(first.retryAtMs()).toBeUndefined()
  })
})

describe('Who waits', () => {
  async function closed(resetInS: number): Promise<void> {
    const first = await entered()
    first.leave(answer({ limit: 1, remaining: 0, reset: startedS + resetInS }))
  }

  it('is refused at once where the reset is later than that, to the millisecond', async () => {
    await closed(10)
    const early = enter('vehicles', 10_049)
    const enough = enter('vehicles', 10_050)
    await settle()
    expect(early.error).toMatchObject({ code: 'RATE_LIMITED', retryable: true, retryAtMs: startedMs + 10_050, fate: 'notSent' })
    expect(enough.error).toBeUndefined()
    await settle(10_050)
    expect(enough.permit ?? enough.error).toBeDefined()
  })

  it('is told that it is busy where only answers are missing, after the time that was given', async () => {
    await letIn(2)
    const third = enter('vehicles', 1000)
    await settle(999)
    expect(third.error).toBeUndefined()
    await settle(1)
    expect(third.error).toMatchObject({ code: 'TIMEOUT', retryable: true, fate: 'notSent' })
  })

  it('is told of the limit where it closed meanwhile', async () => {
    const first = await entered()
    await entered()
    const third = enter('vehicles', 1000)
    await settle(500)
    first.leave(answer({ status: 429, reset: startedS + 60 }))
    await settle(500)
    // The gateway’s date has whole seconds: it said so half a second ago.
    expect(third.error).toMatchObject({ code: 'RATE_LIMITED', retryAtMs: startedMs + 60_550 })
  })

  it.each(['screen', 'background'] as const)('leaves the last ten calls to persons and running jobs when it is a %s, and is told until when', async (priority) => {
    const leftCalls = (remaining: number) => answer({ limit: 60, remaining, reset: startedS + 30 })
    const first = await limiter.enter('vehicles', { priority: 'person', waitMs: 60_000 })
    first.leave(leftCalls(11))
    const eleventh = await limiter.enter('vehicles', { priority, waitMs: 60_000 })
    eleventh.leave(leftCalls(10))
    const refusal = await limiter.enter('vehicles', { priority, waitMs: 5_000 }).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'RATE_LIMITED', sentence: { id: 'gateway.keptForJobs' }, retryAtMs: expect.any(Number) as number })
    const patient = limiter.enter('vehicles', { priority, waitMs: 60_000 })
    const order: string[] = []
    void patient.then(() => order.push(priority))
    const job = await limiter.enter('vehicles', { priority: 'person', waitMs: 1_000 })
    order.push('job')
    job.leave(leftCalls(9))
    await vi.advanceTimersByTimeAsync(29_000)
    expect(order).toEqual(['job'])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(order).toEqual(['job', priority])
  })

  it('goes behind a person, and otherwise in the order of coming', async () => {
    await closed(10)
    const order: string[] = []
    for (const [name, priority] of [['a', 'background'], ['b', 'person'], ['c', 'background'], ['d', 'person']] as const) {
      void limiter.enter('vehicles', { priority, waitMs: 60_000 }).then((permit) => {
        order.push(name)
        permit.leave(answer({ limit: 50, remaining: 40, reset: startedS + 60 }))
      })
    }
    await settle(10_050)
    expect(order).toEqual(['b', 'd', 'a', 'c'])
  })

  it('and is cancelled before it came was never in the line', async () => {
    const stop = new AbortController()
    stop.abort()
    const state = enter('vehicles', 1000, { signal: stop.signal })
    await settle()
    expect(state.error).toMatchObject({ code: 'CANCELLED', fate: 'notSent' })
    expect(await letIn(3)).toBe(2)
  })

  it('and was let in is not touched by a later cancellation', async () => {
    const stop = new AbortController()
    const removed = vi.spyOn(stop.signal, 'removeEventListener')
    const state = enter('vehicles', 1000, { signal: stop.signal })
    await settle()
    expect(removed).toHaveBeenCalled()
    stop.abort()
    await settle(2000)
    expect(state).toMatchObject({ permit: expect.anything() as unknown })
    expect(state.error).toBeUndefined()
  })
})

describe('A place', () => {
  it('is given back once', async () => {
    const first = await entered()
    first.leave(answer({ limit: 10, remaining: 5, reset: startedS + 60 }))
    expect(first.leave(answer({ limit: 10, remaining: 1, reset: startedS + 60 }))).toBeNull()
    expect(limiter.snapshot()).toMatchObject([{ remaining: 5, inFlight: 0 }])
  })

  it('without an answer counts as used in every window', async () => {
    const first = await entered()
    first.leave(answer({ limit: 10, remaining: 5, reset: startedS + 60 }))
    const second = await entered()
    second.leave(answer({ limit: 100, remaining: 50, reset: startedS + 600 }))
    const third = await entered()
    expect(third.leave()).toBeNull()
    expect(limiter.snapshot().map(({ limit, remaining }) => [limit, remaining])).toEqual([
      [10, 4],
      [100, 49]
    ])
  })
})

describe('Resources', () => {
  it.each([
    ['rawdata', 'counters', true],
    ['counters', 'trips', true],
    ['trips', 'rawdata', true],
    ['vehicles', 'groups', true],
    ['vehicles', 'rawdata', false],
    ['vehicles', 'login', false],
    ['trips', 'login', false]
  ])('%s and %s share their limits: %s', async (one, other, areOne) => {
    const first = await entered(one)
    first.leave(answer({ limit: 1, remaining: 0, reset: startedS + 60 }))
    expect(await letIn(1, other)).toBe(areOne ? 0 : 1)
  })

  it('with limits of its own leaves with those who wait for it, and the others stay', async () => {
    const vehicles = await entered('vehicles')
    vehicles.leave(answer({ limit: 5, remaining: 1, reset: startedS + 60 }))
    await settle(1000)
    const groups = await entered('groups')
    const [waitingGroup, waitingVehicle] = [enter('groups'), enter('vehicles')]
    await settle()
    expect([waitingGroup.permit, waitingVehicle.permit]).toEqual([undefined, undefined])
    groups.leave(answer({ limit: 5, remaining: 4, reset: startedS + 10 }))
    await settle()
    expect(waitingGroup.permit).toBeDefined()
    expect(limiter.snapshot().map(({ buckets }) => buckets)).toEqual([['vehicles'], ['groups']])
  })

  it('that is alone takes an earlier reset as its own new window', async () => {
    const first = await entered()
    first.leave(answer({ limit: 5, remaining: 3, reset: startedS + 60 }))
    await settle(1000)
    const second = await entered()
    second.leave(answer({ limit: 5, remaining: 2, reset: startedS + 10 }))
    expect(limiter.snapshot()).toMatchObject([{ buckets: ['vehicles'], remaining: 2, resetAt: '2026-11-20T10:00:10.000Z' }])
  })

  it('stays where its answer names the same reset, and waits for the latest of all that are used up', async () => {
    await settle(5000)
    const vehicles = await entered('vehicles')
    vehicles.leave(answer({ limit: 5, remaining: 3, reset: startedS + 60 }))
    await settle(1000)
    const groups = await entered('groups')
    groups.leave(answer({ limit: 5, remaining: 0, reset: startedS + 60 }))
    expect(limiter.snapshot()).toMatchObject([{ buckets: ['vehicles', 'groups'], remaining: 0 }])
    const next = enter()
    await settle(54_049)
    expect(next.permit).toBeUndefined()
    await settle(1)
    expect(next.permit).toBeDefined()
  })

  it('does not leave for an answer that was asked before the later reset was known', async () => {
    const [slow, quick] = [await entered('groups'), await entered('vehicles')]
    await settle(1000)
    quick.leave(answer({ limit: 5, remaining: 3, reset: startedS + 60 }))
    slow.leave(answer({ limit: 5, remaining: 4, reset: startedS + 10 }))
    expect(limiter.snapshot()).toMatchObject([{ buckets: ['groups', 'vehicles'], remaining: 3, resetAt: '2026-11-20T10:01:00.000Z' }])
  })

  it('are told by the first part of a path that is not empty', () => {
    expect(['//vehicles', 'rawdata/x', ''].map(bucketOfPath)).toEqual(['vehicles', 'rawdata', 'version'])
  })
})

describe('A number in a header', () => {
  it.each([
    [' 10 ', 10],
    ['10.5', 10.5],
    ['123456789012345', 123_456_789_012_345],
    ['0.123456789', 0.123456789]
  ])('%j is %d', async (text, limit) => {
    const first = await entered()
    expect(first.leave(answer({ limit: text, remaining: 1, reset: startedS + 10 }))).toMatchObject({ limit })
  })

  it.each(['', '-1', '1e3', '1234567890123456', '1.', '1.1234567890', 'x1', '1x', '0x10'])('%j is none', async (text) => {
    const first = await entered()
    expect(first.leave(answer({ limit: text, remaining: 1, reset: startedS + 10 }))).toBeNull()
  })

  it('that is no time of this world has no text', async () => {
    const first = await entered()
    expect(first.leave(answer({ limit: 1, remaining: 1, reset: '999999999999999' }))).toMatchObject({ resetAt: '' })
  })
})

describe('A limit of our own', () => {
  async function send(bucket: string, remaining: number): Promise<void> {
    const permit = await entered(bucket)
    permit.leave(answer({ limit: 100, remaining, reset: startedS + 3_600 }))
  }

  it('holds for all resources together, opens again a minute after each call, and its refusal names it', async () => {
    limiter = createRateLimiter({ mostPerMinute: () => 5 })
    for (const [n, bucket] of ['vehicles', 'rawdata', 'vehicles', 'user', 'counters'].entries()) await send(bucket, 90 - n)
    const waiting = enter('vehicles')
    const refused = enter('rawdata', 5_000)
    await settle(59_000)
    expect([waiting.permit, refused.error]).toEqual([undefined, expect.objectContaining({ code: 'RATE_LIMITED', sentence: expect.objectContaining({ id: 'gateway.ownLimit' }) })])
    await settle(1_100)
    expect(waiting.permit).toBeDefined()
  })

  it('never raises the limit of the gateway', async () => {
    limiter = createRateLimiter({ mostPerMinute: () => 1_000 })
    const permit = await entered('vehicles')
    permit.leave(answer({ limit: 3, remaining: 2, reset: startedS + 60 }))
    expect(await letIn(5, 'vehicles')).toBe(2)
  })
})
