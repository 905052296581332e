import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PushResult } from '../../../main/team/push/push.ts'
import { createTeamBackground, type BackgroundParts } from '../../../main/team/background.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import type { TeamStatus, TeamWork } from '../../../preload/contract/team/team.ts'

const startMs = Date.parse('2026-11-20T09:00:00.000Z')
const away = new AppError('UNREACHABLE', plainMessage('No way there.'), { retryable: true })

beforeEach(() => {
  vi.useFakeTimers({ now: startMs })
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A laptop of a team whose server does what the test says; everything that is asked of it is noted with its second. */
function open(more: Partial<BackgroundParts> = {}) {
  const joined = { team: 'North', name: 'Laptop 1', mayWrite: true, at: '2026-03-01T10:00:00.000Z' }
  const status: TeamStatus = {
    joined,
    server: null,
    pushedAt: null,
    waiting: 0,
    leaving: 0,
    forks: 0,
    stopped: [],
    held: []
  }
  const bench = {
    status,
    isMember: true,
    isFileBroken: false,
    isUnderWay: false,
    fails: undefined as unknown,
    seen: [] as string[],
    told: [] as TeamWork[],
    faults: [] as unknown[],
    signal: undefined as AbortSignal | undefined,
    push: (_far: () => void): Promise<unknown> => Promise.resolve(),
    asked: () => bench.seen.splice(0),
    pass: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)
  }
  const note = (what: string) => void bench.seen.push(`${(Date.now() - startMs) / 1000} ${what}`)
  const background = createTeamBackground({
    team: {
      status() {
        if (bench.isFileBroken) throw new Error('The data file cannot be read.')
        return bench.status
      },
      isMember: () => bench.isMember,
      async push(signal, far) {
        note('push')
        bench.signal = signal
        if (bench.fails !== undefined) throw bench.fails
        await bench.push(far as unknown as () => void)
        return { jobs: 0, entries: 0, pictures: 0, stopped: 0 } satisfies PushResult
      }
    },
    changed: (work) => bench.told.push(work),
    reportFault: (fault) => bench.faults.push(fault),
    holding: {
      isUnderWay: () => bench.isUnderWay,
      goOn: (signal) => Promise.resolve(note(signal === bench.signal ? 'goOn' : 'goOn without the signal')),
      pull: (signal) => Promise.resolve(note(signal === bench.signal ? 'pull' : 'pull without the signal'))
    },
    copies: [(signal) => Promise.resolve(note(signal instanceof AbortSignal ? 'copy' : 'copy without a signal'))],
    ...more
  })
  return { bench, background }
}

it('a new entry is pushed soon, together with those of the same moment', async () => {
  const { bench, background } = open()
  bench.status.waiting = 1
  background.soon()
  await bench.pass(0.1)
  background.soon()
  await bench.pass(0.099)
  expect(bench.asked()).toEqual([])
  await bench.pass(0.001)
  expect(bench.asked()).toEqual(['0.2 push', '0.2 pull', '0.2 copy'])
  await bench.pass(10)
  expect(bench.asked()).toEqual([])
  background.soon()
  await bench.pass(1)
  // What arrived was fetched a moment ago.
  expect(bench.asked()).toEqual(['10.4 push'])
})

it('where nothing waits it is pushed only as long as the server is in doubt', async () => {
  const { bench, background } = open()
  background.soon()
  await bench.pass(1)
  expect(bench.asked()).toEqual(['0.2 push', '0.2 pull', '0.2 copy'])
  background.soon()
  await bench.pass(1)
  expect(bench.asked()).toEqual([])
  background.renew()
  await bench.pass(1)
  expect(bench.asked()).toEqual(['2.2 push', '2.2 pull', '2.2 copy'])
})

it('an idle laptop looks regularly whether the server still has what it acknowledged, not all laptops at once', async () => {
  const { bench, background } = open({ pullEveryMs: 100_000 })
  for (const share of [0, 1, 0.5]) {
    vi.mocked(Math.random).mockReturnValueOnce(share)
    if (share === 0) background.renew()
    await bench.pass(share === 0 ? 1 : share === 1 ? 80 : 120)
  }
  expect(bench.asked()).toEqual([
    '0.2 push',
    '0.2 pull',
    '0.2 copy',
    '80.2 push',
    '80.2 pull',
    '80.2 copy',
    '200.2 push',
    '200.2 pull',
    '200.2 copy'
  ])
  await bench.pass(99)
  expect(bench.asked()).toEqual([])
  await bench.pass(1)
  expect(bench.asked()).toEqual(['300.2 push', '300.2 pull', '300.2 copy'])
})

it('by itself an idle laptop pulls every five minutes', async () => {
  const { bench, background } = open()
  background.renew()
  await bench.pass(1)
  bench.asked()
  await bench.pass(299)
  expect(bench.asked()).toEqual([])
  await bench.pass(1)
  expect(bench.asked()).toEqual(['300.2 push', '300.2 pull', '300.2 copy'])
})

it('a laptop that only reads pushes and moves nothing, and keeps its copies', async () => {
  const { bench, background } = open()
  bench.status = {
    ...bench.status,
    waiting: 3,
    joined: { team: 'North', name: 'Laptop 1', mayWrite: false, at: '2026-03-01T10:00:00.000Z' }
  }
  background.soon()
  await bench.pass(1)
  expect(bench.asked()).toEqual(['0.2 copy'])
})

it('a hand-over that the server does not have yet goes on after the push', async () => {
  const { bench, background } = open()
  bench.isUnderWay = true
  background.soon()
  await bench.pass(1)
  expect(bench.asked()).toEqual(['0.2 push', '0.2 goOn', '0.2 pull', '0.2 copy'])
})

it('without hand-overs and copies it pushes alone', async () => {
  const { bench, background } = open({ holding: undefined, copies: undefined })
  background.soon()
  await bench.pass(1)
  expect(bench.asked()).toEqual(['0.2 push'])
  expect(bench.told.at(-1)?.problem).toBeNull()
})

it('news are fetched together, at once with what is pushed meanwhile', async () => {
  const { bench, background } = open()
  background.soon()
  await bench.pass(1)
  bench.asked()
  background.noticeArrivals()
  await bench.pass(1.5)
  background.noticeArrivals()
  await bench.pass(0.5)
  expect(bench.asked()).toEqual(['3 pull', '3 copy'])
  bench.status.waiting = 1
  background.noticeArrivals()
  background.soon()
  await bench.pass(5)
  expect(bench.asked()).toEqual(['3.2 push', '3.2 pull', '3.2 copy'])
  background.soon()
  background.noticeArrivals()
  await bench.pass(5)
  expect(bench.asked()).toEqual(['8.2 push', '8.2 pull', '8.2 copy'])
})

it('after a failure it is tried again later and later, whatever is written meanwhile', async () => {
  const { bench, background } = open()
  bench.fails = away
  background.soon()
  await bench.pass(1)
  expect(bench.asked()).toEqual(['0.2 push'])
  expect(background.work()).toEqual({
    ...bench.status,
    isPushing: false,
    problem: plainMessage('No way there.'),
    nextAt: '2026-11-20T09:00:05.200Z'
  })
  background.soon()
  background.noticeArrivals()
  await bench.pass(4)
  expect(bench.asked()).toEqual([])
  await bench.pass(1000)
  expect(bench.asked()).toEqual(['5.2 push', '20.2 push', '80.2 push', '380.2 push', '680.2 push', '980.2 push'])
  bench.fails = undefined
  await bench.pass(300)
  // It is asked again what was asked last before it failed.
  expect(bench.asked()).toEqual(['1280.2 push', '1280.2 pull', '1280.2 copy'])
  expect(background.work()).toMatchObject({ problem: null, nextAt: null })
  bench.fails = away
  bench.status.waiting = 1
  background.soon()
  await bench.pass(1)
  bench.asked()
  await bench.pass(5)
  expect(bench.asked()).toHaveLength(1)
})

it('after a failure the server may have lost what it acknowledged, and news may have been missed', async () => {
  const { bench, background } = open()
  background.soon()
  await bench.pass(1)
  bench.asked()
  Object.assign(bench, { fails: away })
  bench.status.waiting = 1
  background.soon()
  await bench.pass(1)
  Object.assign(bench, { fails: undefined })
  bench.status.waiting = 0
  bench.asked()
  await bench.pass(5)
  expect(bench.asked()).toEqual(['6.2 push', '6.2 pull', '6.2 copy'])
})

it('another network ends a pause at once, and the pauses begin anew', async () => {
  const { bench, background } = open()
  bench.fails = away
  background.soon()
  await bench.pass(6)
  expect(bench.asked()).toEqual(['0.2 push', '5.2 push'])
  background.renew()
  expect(background.work().nextAt).not.toBeUndefined()
  await bench.pass(1)
  expect(bench.asked()).toEqual(['6.2 push'])
  await bench.pass(5)
  expect(bench.asked()).toEqual(['11.2 push'])
})

it('a fault of Fitter is reported, and shown as a failure of the server', async () => {
  const { bench, background } = open({ pausesMs: [] })
  const fault = new Error('broken')
  bench.fails = fault
  background.soon()
  await bench.pass(1)
  expect(bench.faults).toEqual([fault])
  expect(background.work().problem).toEqual({ id: 'team.failed', values: { host: '', state: '-' } })
  bench.status = {
    ...bench.status,
    server: { host: 'team.example', port: 5432, database: 'postgres', user: '' } as never
  }
  bench.asked()
  await bench.pass(300)
  expect(bench.asked()).toEqual(['300.2 push'])
  expect(background.work().problem).toEqual({ id: 'team.failed', values: { host: 'team.example', state: '-' } })
})

it('a failure that a person reads is no fault of Fitter', async () => {
  const { bench, background } = open()
  bench.fails = away
  background.soon()
  await bench.pass(1)
  expect(bench.faults).toEqual([])
})

it('what is written during a push is pushed after it, once', async () => {
  const { bench, background } = open()
  bench.status.waiting = 1
  bench.push = () => new Promise((resolve) => setTimeout(resolve, 3_000))
  background.soon()
  await bench.pass(1)
  expect(background.work().isPushing).toBe(true)
  background.soon()
  background.soon()
  const now = background.pushNow()
  await bench.pass(10)
  await now
  expect(background.work().isPushing).toBe(false)
  expect(bench.asked()).toEqual(['0.2 push', '3.2 pull', '3.2 copy', '3.4 push'])
})

it('what is written during a short push is not forgotten', async () => {
  const { bench, background } = open()
  bench.status.waiting = 1
  bench.push = () => new Promise((resolve) => setTimeout(resolve, 100))
  background.soon()
  await bench.pass(0.25)
  background.soon()
  await bench.pass(10)
  expect(bench.asked()).toEqual(['0.2 push', '0.3 pull', '0.3 copy', '0.5 push'])
})

it('another network during a pull is asked once more', async () => {
  const { bench, background } = open({ copies: [() => new Promise((resolve) => setTimeout(resolve, 1_000))] })
  background.soon()
  await bench.pass(0.5)
  background.renew()
  await bench.pass(10)
  expect(bench.asked()).toEqual(['0.2 push', '0.2 pull', '1.4 push', '1.4 pull'])
})

it('a push that is asked for takes the place of the next one, pulls as well, and ends when it is over', async () => {
  const { bench, background } = open()
  background.soon()
  await bench.pass(1)
  background.soon()
  bench.asked()
  bench.status.waiting = 1
  let isOver = false
  bench.push = () => new Promise((resolve) => setTimeout(resolve, 1_000))
  const pushed = background.pushNow().then(() => (isOver = true))
  await bench.pass(0.9)
  expect(isOver).toBe(false)
  await bench.pass(0.1)
  await pushed
  await bench.pass(10)
  expect(bench.asked()).toEqual(['1 push', '2 pull', '2 copy'])
})

it('it does nothing outside of a team, and begins with a new one', async () => {
  const { bench, background } = open()
  background.soon()
  await bench.pass(1)
  bench.asked()
  const { joined } = bench.status
  Object.assign(bench, { isMember: false, status: { ...bench.status, joined: null } })
  await background.pushNow()
  expect(vi.getTimerCount()).toBe(0)
  background.soon()
  expect(vi.getTimerCount()).toBe(0)
  background.renew()
  await bench.pass(1000)
  expect(bench.asked()).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
  Object.assign(bench, { isMember: true, status: { ...bench.status, joined, waiting: 1 } })
  background.soon()
  await bench.pass(1)
  expect(bench.asked()).toEqual(['1001.2 push', '1001.2 pull', '1001.2 copy'])
})

it('a new entry is pushed soon also after a laptop left and joined without another word', async () => {
  const { bench, background } = open()
  background.soon()
  await bench.pass(1)
  Object.assign(bench, { isMember: false })
  await background.pushNow()
  bench.asked()
  Object.assign(bench, { isMember: true })
  bench.status.waiting = 1
  background.soon()
  await bench.pass(1)
  expect(bench.asked()).toEqual(['1.2 push'])
})

it('it tells how far a long push is, now and then, and once when it is over', async () => {
  const { bench, background } = open()
  bench.status.waiting = 1
  bench.push = async (far) => {
    for (let n = 0; n < 25; n++) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      far()
    }
  }
  background.soon()
  await bench.pass(1.1)
  expect(bench.told).toEqual([])
  await bench.pass(0.1)
  expect(bench.told.map(({ isPushing }) => isPushing)).toEqual([true])
  await bench.pass(1.8)
  expect(bench.told.map(({ isPushing }) => isPushing)).toEqual([true, true, false])
  expect(bench.told.at(-1)).toEqual({ ...bench.status, isPushing: false, problem: null, nextAt: null })
})

it('its end stops what runs, and nothing begins after it', async () => {
  const { bench, background } = open()
  bench.status.waiting = 1
  bench.push = () =>
    new Promise((_, reject) =>
      bench.signal?.addEventListener('abort', () => setTimeout(() => reject(new Error('ended')), 1_000))
    )
  background.soon()
  await bench.pass(1)
  let isStopped = false
  const stopped = background.stop().then(() => (isStopped = true))
  expect(bench.signal?.aborted).toBe(true)
  await bench.pass(0.5)
  expect(isStopped).toBe(false)
  await bench.pass(0.5)
  await stopped
  expect(vi.getTimerCount()).toBe(0)
  background.soon()
  expect(vi.getTimerCount()).toBe(0)
  expect(bench.told.map(({ problem, nextAt }) => [problem, nextAt])).toEqual([[null, null]])
  expect(bench.faults).toEqual([])
  bench.asked()
  background.soon()
  background.renew()
  await background.pushNow()
  await bench.pass(1000)
  expect(bench.asked()).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

it('its end takes a planned push away', async () => {
  const { background } = open()
  background.soon()
  await background.stop()
  expect(vi.getTimerCount()).toBe(0)
})

it('a team whose news are due all the time is asked with a pause in between', async () => {
  const { bench, background } = open({ pullEveryMs: 0, gatherMs: 500 })
  background.soon()
  await bench.pass(1.6)
  expect(bench.asked().filter((line) => line.endsWith('push'))).toEqual(['0.5 push', '1 push', '1.5 push'])
})

it('a data file that cannot be read is a reported fault and a failure of the round, after which it is tried again', async () => {
  const { bench, background } = open()
  bench.isFileBroken = true
  await background.pushNow()
  expect(bench.faults.length).toBeGreaterThan(0)
  expect(bench.asked()).toEqual([])
  bench.isFileBroken = false
  await bench.pass(5)
  expect(bench.asked()).toContain('5 push')
  expect(bench.told.at(-1)?.problem).toBeNull()
  await background.stop()
})
