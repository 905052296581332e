import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRateLimiter } from '../../../../main/gateway/client/transport/rateLimit.ts'
import { createServerTime } from '../../../../main/gateway/client/transport/serverTime.ts'
import { createSession } from '../../../../main/gateway/client/transport/session.ts'

const startMs = Date.parse('2026-11-22T12:00:00Z')
const hourMs = 3_600_000
beforeEach(() => void vi.useFakeTimers({ now: startMs, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** The clock of this computer is set; the time that goes by does not jump. */
function setClock(byMs: number): void {
  vi.setSystemTime(Date.now() + byMs)
}

const headers = (values: Record<string, string | number>) =>
  new Map(Object.entries(values).map(([name, value]) => [name, String(value)]))
const background = { priority: 'background' as const, waitMs: 10 * hourMs }

test.each([-5, 7, 24 * 30])(
  'after the clock was set by %i hours, the difference from the gateway is unknown until it answers again',
  (hours) => {
    const time = createServerTime()
    time.learnDate(new Date(startMs).toUTCString(), startMs, startMs)
    expect(time.clockDifferenceS()).toBe(0)
    setClock(hours * hourMs)
    expect(time.clockDifferenceS()).toBeNull()
    expect(time.nowMs()).toBeUndefined()
    time.learnDate(new Date(startMs).toUTCString(), Date.now(), Date.now())
    expect(time.clockDifferenceS()).toBeCloseTo(-hours * 3600, -1)
  }
)

test('another time zone changes nothing: all times are counted in UTC', () => {
  const before = process.env['TZ']
  const time = createServerTime()
  time.learnDate(new Date(startMs).toUTCString(), startMs, startMs)
  try {
    process.env['TZ'] = 'Pacific/Kiritimati'
    expect(new Date(startMs).getHours()).toBe(2)
    expect(time.clockDifferenceS()).toBe(0)
  } finally {
    process.env['TZ'] = before
    if (before === undefined) delete process.env['TZ']
  }
})

test.each([-26, 26])(
  'without a time from the gateway, a clock that is %i hours wrong neither locks a resource for hours nor hammers it',
  async (hours) => {
    const limiter = createRateLimiter()
    const permit = await limiter.enter('vehicles', background)
    permit.leave({
      status: 429,
      headers: headers({
        'x-ratelimit-limit': 5,
        'x-ratelimit-remaining': 0,
        'x-ratelimit-reset': startMs / 1000 - hours * 3600 + 30
      }),
      endedAtMs: Date.now()
    })
    let isIn = false
    void limiter.enter('vehicles', background).then(() => (isIn = true))
    await vi.advanceTimersByTimeAsync(4_000)
    expect(isIn).toBe(false)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(isIn).toBe(true)
  }
)

test('an answer without a time counts by the gateway’s clock as it was learned before', async () => {
  const limiter = createRateLimiter({ serverNowMs: () => Date.now() + 2 * hourMs })
  const permit = await limiter.enter('vehicles', background)
  permit.leave({
    status: 429,
    headers: headers({
      'x-ratelimit-limit': 5,
      'x-ratelimit-remaining': 0,
      'x-ratelimit-reset': (startMs + 2 * hourMs) / 1000 + 30
    }),
    endedAtMs: Date.now()
  })
  expect(permit.retryAtMs()).toBe(startMs + 30_050)
})

test.each([-9, 9])(
  'a clock that is set by %i hours while a window is closed neither lengthens nor shortens the wait',
  async (hours) => {
    const limiter = createRateLimiter()
    const permit = await limiter.enter('vehicles', background)
    permit.leave({
      status: 429,
      headers: headers({ date: new Date(startMs).toUTCString(), 'x-ratelimit-reset': startMs / 1000 + 40 }),
      endedAtMs: Date.now()
    })
    setClock(hours * hourMs)
    let isIn = false
    void limiter.enter('vehicles', background).then(() => (isIn = true))
    await vi.advanceTimersByTimeAsync(39_000)
    expect(isIn).toBe(false)
    await vi.advanceTimersByTimeAsync(1_100)
    expect(isIn).toBe(true)
  }
)

test('time in sleep counts: a window that ended meanwhile is over, and who waits for it goes on', async () => {
  const limiter = createRateLimiter()
  const permit = await limiter.enter('vehicles', background)
  permit.leave({
    status: 429,
    headers: headers({ date: new Date(startMs).toUTCString(), 'x-ratelimit-reset': startMs / 1000 + 3_000 }),
    endedAtMs: Date.now()
  })
  let isIn = false
  void limiter.enter('vehicles', background).then(() => (isIn = true))
  limiter.slept(2 * hourMs)
  await vi.advanceTimersByTimeAsync(0)
  expect(isIn).toBe(true)
})

test('a token that ran out in sleep is renewed before it is used; a clock that was set ends none', async () => {
  let logins = 0
  const session = createSession({
    base: 'https://gateway.example/api',
    credentials: () => Promise.resolve({ user: 'one', password: 'secret' }),
    login: () => Promise.resolve(`token-${++logins}`)
  })
  expect(await session.token()).toBe('token-1')
  setClock(30 * hourMs)
  expect(await session.token()).toBe('token-1')
  setClock(-60 * hourMs)
  expect(await session.token()).toBe('token-1')
  session.slept(2 * hourMs)
  expect(await session.token()).toBe('token-2')
})
