import { describe, expect, it, vi } from 'vitest'
import { bucketOfPath } from '../../../../main/gateway/client/transport/rateLimit.ts'
import {
  answer,
  enter,
  entered,
  letIn,
  limiter,
  settle,
  startedMs,
  startedS,
  useRateLimiter
} from '../../../world/gateway/rateLimitBench.ts'

useRateLimiter()

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
    expect(early.error).toMatchObject({
      code: 'RATE_LIMITED',
      retryable: true,
      retryAtMs: startedMs + 10_050,
      fate: 'notSent'
    })
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

  it.each(['screen', 'background'] as const)(
    'leaves the last ten calls to persons and running jobs when it is a %s, is told until when, and takes them when they would be lost',
    async (priority) => {
      const leftCalls = (remaining: number) => answer({ limit: 60, remaining, reset: startedS + 30 })
      const first = await limiter.enter('vehicles', { priority: 'person', waitMs: 60_000 })
      first.leave(leftCalls(11))
      const eleventh = await limiter.enter('vehicles', { priority, waitMs: 60_000 })
      eleventh.leave(leftCalls(10))
      const refusal = await limiter.enter('vehicles', { priority, waitMs: 5_000 }).catch((error: unknown) => error)
      expect(refusal).toMatchObject({
        code: 'RATE_LIMITED',
        sentence: { id: 'gateway.keptForJobs' },
        retryAtMs: expect.any(Number) as number
      })
      const patient = limiter.enter('vehicles', { priority, waitMs: 60_000 })
      const order: string[] = []
      void patient.then(() => order.push(priority))
      const job = await limiter.enter('vehicles', { priority: 'person', waitMs: 1_000 })
      order.push('job')
      job.leave(leftCalls(9))
      await vi.advanceTimersByTimeAsync(28_000)
      expect(order).toEqual(['job'])
      await vi.advanceTimersByTimeAsync(51)
      expect(order).toEqual(['job', priority])
      ;(await patient).leave(leftCalls(0))
      const late = limiter.enter('vehicles', { priority, waitMs: 60_000 }).then(() => order.push('after the reset'))
      await vi.advanceTimersByTimeAsync(1_900)
      expect(order).toHaveLength(2)
      await vi.advanceTimersByTimeAsync(100)
      await late
    }
  )

  it('goes behind a person, and otherwise in the order of coming', async () => {
    await closed(10)
    const order: string[] = []
    for (const [name, priority] of [
      ['a', 'background'],
      ['b', 'person'],
      ['c', 'background'],
      ['d', 'person']
    ] as const) {
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
    expect(limiter.snapshot()).toMatchObject([
      { buckets: ['vehicles'], remaining: 2, resetAt: '2026-11-20T10:00:10.000Z' }
    ])
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
    expect(limiter.snapshot()).toMatchObject([
      { buckets: ['groups', 'vehicles'], remaining: 3, resetAt: '2026-11-20T10:01:00.000Z' }
    ])
  })

  it('are told by the first part of a path that is not empty', () => {
    expect(['//vehicles', 'rawdata/x', ''].map(bucketOfPath)).toEqual(['vehicles', 'rawdata', 'version'])
  })
})
