import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  bucketOfPath,
  createRateLimiter,
  type PermitAnswer,
  type RateLimiter
} from '../../../../main/gateway/client/transport/rateLimit.ts'
import { askAs } from '../../../../main/base/time/turns.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

function answer(limit: number, remaining: number, resetInS: number, status = 200): PermitAnswer {
  const headers = new Map([
    ['x-ratelimit-limit', String(limit)],
    ['x-ratelimit-remaining', String(remaining)],
    ['x-ratelimit-reset', String(Math.floor(Date.now() / 1000) + resetInS)],
    ['date', new Date().toUTCString()]
  ])
  return { status, headers, endedAtMs: Date.now() }
}

/** True when `work` has settled by now, without letting time pass. */
async function isSettled(work: Promise<unknown>): Promise<boolean> {
  let settled = false
  const mark = (): void => {
    settled = true
  }
  work.then(mark, mark)
  await vi.advanceTimersByTimeAsync(0)
  return settled
}

const patient = { priority: 'person', waitMs: 60_000 } as const

test('a request waits until the reset when nothing is left, and goes out right after it', async () => {
  const limiter = createRateLimiter()
  const first = await limiter.enter('vehicles', patient)
  first.leave(answer(1, 0, 10))
  const second = limiter.enter('vehicles', patient)
  await vi.advanceTimersByTimeAsync(9_900)
  expect(await isSettled(second)).toBe(false)
  await vi.advanceTimersByTimeAsync(300)
  expect(await isSettled(second)).toBe(true)
})

test('a request that cannot wait so long is refused at once, with the time at which it may be tried again', async () => {
  const limiter = createRateLimiter()
  const first = await limiter.enter('vehicles', patient)
  first.leave(answer(1, 0, 30))
  const refusal = await limiter
    .enter('vehicles', { priority: 'person', waitMs: 5_000 })
    .catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'RATE_LIMITED', retryable: true })
  expect((refusal as { retryAtMs: number }).retryAtMs).toBeGreaterThanOrEqual(Date.parse('2026-11-20T10:00:30Z'))
  expect(refusal).toMatchObject({ fate: 'notSent' })
})

test('what is in flight counts as used, so that a burst does not exceed what is left', async () => {
  const limiter = createRateLimiter()
  const first = await limiter.enter('vehicles', patient)
  first.leave(answer(10, 2, 10))
  const burst = [1, 2, 3].map(() => limiter.enter('vehicles', patient))
  expect(await Promise.all(burst.map(isSettled))).toEqual([true, true, false])
})

test('answers that come in another order than they were given do not raise what is left', async () => {
  const limiter = createRateLimiter()
  const [a, b] = [await limiter.enter('vehicles', patient), await limiter.enter('vehicles', patient)]
  b.leave(answer(10, 3, 10))
  a.leave(answer(10, 4, 10))
  expect(limiter.snapshot()).toMatchObject([{ limit: 10, remaining: 3 }])
})

test('a person goes before work in the background', async () => {
  const limiter = createRateLimiter()
  const first = await limiter.enter('vehicles', patient)
  first.leave(answer(5, 0, 10))
  const order: string[] = []
  const background = limiter
    .enter('vehicles', { priority: 'background', waitMs: 60_000 })
    .then(() => order.push('background'))
  const person = limiter.enter('vehicles', patient).then(() => order.push('person'))
  await vi.advanceTimersByTimeAsync(10_200)
  await Promise.all([background, person])
  expect(order).toEqual(['person', 'background'])
})

test('another resource of the same tier is held back as well', async () => {
  const limiter = createRateLimiter()
  const first = await limiter.enter('vehicles', patient)
  first.leave(answer(1, 0, 10))
  expect(await isSettled(limiter.enter('groups', patient))).toBe(false)
})

test('a closed window of rawdata does not hold back vehicles', async () => {
  const limiter = createRateLimiter()
  const first = await limiter.enter('rawdata', patient)
  first.leave(answer(1, 0, 10))
  expect(await isSettled(limiter.enter('vehicles', patient))).toBe(true)
})

test('a resource whose answers prove limits of its own no longer waits for the others', async () => {
  const limiter = createRateLimiter()
  const vehicles = await limiter.enter('vehicles', patient)
  vehicles.leave(answer(5, 3, 60))
  await vi.advanceTimersByTimeAsync(1000)
  const groups = await limiter.enter('groups', patient)
  groups.leave(answer(5, 4, 10))
  const again = await limiter.enter('vehicles', patient)
  again.leave(answer(5, 0, 59))
  expect(await isSettled(limiter.enter('vehicles', patient))).toBe(false)
  expect(await isSettled(limiter.enter('groups', patient))).toBe(true)
})

test('a 429 without a reset closes the resource for a while', async () => {
  const limiter = createRateLimiter()
  const first = await limiter.enter('vehicles', patient)
  first.leave({ status: 429, headers: new Map(), endedAtMs: Date.now() })
  expect(first.retryAtMs()).toBeGreaterThan(Date.now())
  const second = limiter.enter('vehicles', patient)
  expect(await isSettled(second)).toBe(false)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(await isSettled(second)).toBe(true)
})

test('the reset is reckoned by the clock of the gateway, not by the one of this computer', async () => {
  const limiter = createRateLimiter()
  const first = await limiter.enter('vehicles', patient)
  const serverNowMs = Date.now() + 3_600_000
  first.leave({
    status: 200,
    headers: new Map([
      ['x-ratelimit-limit', '1'],
      ['x-ratelimit-remaining', '0'],
      ['x-ratelimit-reset', String(serverNowMs / 1000 + 10)],
      ['date', new Date(serverNowMs).toUTCString()]
    ]),
    endedAtMs: Date.now()
  })
  const second = limiter.enter('vehicles', patient)
  await vi.advanceTimersByTimeAsync(10_200)
  expect(await isSettled(second)).toBe(true)
})

test('a request that is cancelled in the queue leaves it and was not sent', async () => {
  const limiter = createRateLimiter()
  const first = await limiter.enter('vehicles', patient)
  first.leave(answer(1, 0, 10))
  const stop = new AbortController()
  const second = limiter.enter('vehicles', { ...patient, signal: stop.signal }).catch((error: unknown) => error)
  stop.abort()
  const refusal = await second
  expect(refusal).toMatchObject({ code: 'CANCELLED' })
  expect(refusal).toMatchObject({ fate: 'notSent' })
  expect(limiter.snapshot()).toMatchObject([{ waiting: 0 }])
})

test('a request without an answer counts as used', async () => {
  const limiter = createRateLimiter()
  const first = await limiter.enter('vehicles', patient)
  first.leave(answer(10, 5, 10))
  const lost = await limiter.enter('vehicles', patient)
  lost.leave()
  expect(limiter.snapshot()).toMatchObject([{ remaining: 4 }])
})

test('answers without limits only bound the number at a time', async () => {
  const limiter = createRateLimiter()
  const first = await limiter.enter('vehicles', patient)
  first.leave({ status: 200, headers: new Map(), endedAtMs: Date.now() })
  const burst = Array.from({ length: 8 }, () => limiter.enter('vehicles', patient))
  const settled = await Promise.all(burst.map(isSettled))
  expect(settled.filter(Boolean)).toHaveLength(6)
})

test('nonsense in the limit headers is no limit', async () => {
  const limiter = createRateLimiter()
  const first = await limiter.enter('vehicles', patient)
  const headers = new Map([
    ['x-ratelimit-limit', 'many'],
    ['x-ratelimit-remaining', '-1'],
    ['x-ratelimit-reset', 'NaN']
  ])
  expect(first.leave({ status: 200, headers, endedAtMs: Date.now() })).toBeNull()
  expect(await isSettled(limiter.enter('vehicles', patient))).toBe(true)
})

test('a path counts to its first segment', () => {
  expect(bucketOfPath('/vehicles/1/counters')).toBe('vehicles')
  expect(bucketOfPath('/rawdata')).toBe('rawdata')
  expect(bucketOfPath('/')).toBe('version')
})

/** Lets each of these jobs ask `calls` times at once; resolves with what was let in, by window. */
function askAll(
  limiter: RateLimiter,
  calls: ReadonlyMap<string, number>,
  perMinute: number
): { name: string; minute: number }[] {
  const beganMs = Date.now()
  const letIn: { name: string; minute: number }[] = []
  const counts = new Map<number, number>()
  for (const [name, times] of calls) {
    for (let n = 0; n < times; n++) {
      const entered = askAs({ name, line: { mostMs: 3_900_000, waits: () => undefined } }, () =>
        limiter.enter('rawdata', { priority: 'person', waitMs: 3_900_000 })
      )
      void entered.then((permit) => {
        const minute = Math.floor((Date.now() - beganMs) / 60_000)
        const count = (counts.get(minute) ?? 0) + 1
        counts.set(minute, count)
        letIn.push({ name, minute })
        permit.leave(answer(perMinute, perMinute - count, 60 - Math.floor(((Date.now() - beganMs) % 60_000) / 1000)))
      })
    }
  }
  return letIn
}

const jobs = (n: number) => Array.from({ length: n }, (_, index) => `job ${String(index)}`)

test('twenty jobs share what a user may ask in a minute: each has its share, however much the others ask', async () => {
  const limiter = createRateLimiter()
  // Until these two are answered the others are in line.
  const first = [await limiter.enter('rawdata', patient), await limiter.enter('rawdata', patient)]
  const letIn = askAll(limiter, new Map(jobs(20).map((name, index) => [name, index === 0 ? 200 : 6])), 60)
  for (const permit of first) permit.leave(answer(60, 60, 60))
  await vi.advanceTimersByTimeAsync(59_000)
  const shares = jobs(20).map((name) => letIn.filter((one) => one.name === name).length)
  expect(shares).toEqual(Array.from({ length: 20 }, () => 3))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(letIn).toHaveLength(120)
  expect(
    jobs(20)
      .slice(1)
      .map((name) => letIn.filter((one) => one.name === name).length)
  ).toEqual(Array.from({ length: 19 }, () => 6))
})

test('more jobs than calls in a minute come in turn: none starves', async () => {
  const limiter = createRateLimiter()
  const letIn = askAll(limiter, new Map(jobs(20).map((name) => [name, 5])), 12)
  await vi.advanceTimersByTimeAsync(6 * 60_000)
  const waits = jobs(20).map((name) => letIn.filter((one) => one.name === name).map(({ minute }) => minute))
  for (const minutes of waits)
    expect(Math.max(...minutes.map((minute, index) => minute - (minutes[index - 1] ?? 0)))).toBeLessThanOrEqual(2)
  expect(letIn.length).toBeGreaterThanOrEqual(72)
})

test('a person at a screen goes before the jobs that are in line', async () => {
  const limiter = createRateLimiter()
  const first = await limiter.enter('rawdata', patient)
  first.leave(answer(1, 0, 10))
  const letIn = askAll(limiter, new Map([['job', 3]]), 60)
  const person = limiter.enter('rawdata', patient).then(() => letIn.length)
  await vi.advanceTimersByTimeAsync(11_000)
  // The first call of the job came before and has had no turn yet.
  expect(await person).toBeLessThanOrEqual(1)
})

test('whoever stays in line is told until when nothing can be sent, and when that is over', async () => {
  const limiter = createRateLimiter()
  const told: (number | null)[] = []
  const first = await limiter.enter('rawdata', patient)
  first.leave(answer(1, 0, 10))
  const second = askAs({ name: 'job', line: { mostMs: 60_000, waits: (untilMs) => told.push(untilMs) } }, () =>
    limiter.enter('rawdata', patient)
  )
  expect(told).toEqual([Date.parse('2026-11-20T10:00:10.050Z')])
  await vi.advanceTimersByTimeAsync(11_000)
  await second
  expect(told.at(-1)).toBeNull()
})
