import { describe, expect, it } from 'vitest'
import {
  answer,
  enter,
  entered,
  letIn,
  limiter,
  settle,
  startedMs,
  startedS,
  startLimiter,
  useRateLimiter,
  type Says
} from '../../../world/gateway/rateLimitBench.ts'

useRateLimiter()

describe('How many go out at once', () => {
  it('is two while nothing is known', async () => {
    expect(await letIn(5)).toBe(2)
  })

  it('is six at most, however much is left, and the next with the place that is given back', async () => {
    const first = await entered()
    first.leave(answer({ limit: 100, remaining: 99, reset: startedS + 60 }))
    const permits = [
      await entered(),
      await entered(),
      await entered(),
      await entered(),
      await entered(),
      await entered()
    ]
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
    expect(limiter.snapshot()).toEqual([
      { buckets: ['vehicles'], limit: 10, remaining: 0, resetAt: '2026-11-20T10:01:00.000Z', waiting: 2, inFlight: 3 }
    ])
  })

  it('is no more than the smallest limit after a reset, before the next answer; never less than one', async () => {
    for (const [limit, most] of [
      [1, 1],
      [0, 1],
      [2, 2],
      [50, 2]
    ] as const) {
      startLimiter()
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
    startLimiter()
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
    expect(first.leave(answer({ limit: 1, remaining: 0, reset: startedS + 10 }))).toEqual({
      limit: 1,
      remaining: 0,
      resetAt: '2026-11-20T10:00:10.000Z'
    })
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
    expect(first.leave(answer({ status: 429, limit: 5, remaining: 0, reset: startedS + 9 }))).toMatchObject({
      limit: 5
    })
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
    expect(first.leave(answer({ status: 401, limit: 1, remaining: 0, reset: startedS + 60 }))).toMatchObject({
      remaining: 0
    })
    expect(limiter.snapshot()).toEqual([])
    expect(first.retryAtMs()).toBeUndefined()
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

  it.each(['', '-1', '1e3', '1234567890123456', '1.', '1.1234567890', 'x1', '1x', '0x10'])(
    '%j is none',
    async (text) => {
      const first = await entered()
      expect(first.leave(answer({ limit: text, remaining: 1, reset: startedS + 10 }))).toBeNull()
    }
  )

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
    startLimiter({ mostPerMinute: () => 5 })
    for (const [n, bucket] of ['vehicles', 'rawdata', 'vehicles', 'user', 'counters'].entries())
      await send(bucket, 90 - n)
    const waiting = enter('vehicles')
    const refused = enter('rawdata', 5_000)
    await settle(59_000)
    expect([waiting.permit, refused.error]).toEqual([
      undefined,
      expect.objectContaining({ code: 'RATE_LIMITED', sentence: expect.objectContaining({ id: 'gateway.ownLimit' }) })
    ])
    await settle(1_100)
    expect(waiting.permit).toBeDefined()
  })

  it('never raises the limit of the gateway', async () => {
    startLimiter({ mostPerMinute: () => 1_000 })
    const permit = await entered('vehicles')
    permit.leave(answer({ limit: 3, remaining: 2, reset: startedS + 60 }))
    expect(await letIn(5, 'vehicles')).toBe(2)
  })
})
