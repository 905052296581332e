import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createLookout, type Lookout } from '../../../../main/gateway/accounts/lookout.ts'

const startMs = Date.parse('2026-11-22T12:00:00Z')
const secondMs = 1_000
beforeEach(
  () =>
    void vi.useFakeTimers({
      now: startMs,
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance']
    })
)
afterEach(() => void vi.useRealTimers())

/** A gateway that is away or there, on a virtual clock; a look at one that is away hangs or fails at once. */
function openWorld({ network = 'wlan0 10.0.0.5', hangs = false, hasWork = true } = {}) {
  const world = {
    isThere: false,
    isAnswering: undefined as boolean | undefined,
    network,
    signedOut: false,
    looks: [] as number[],
    renewed: [] as number[],
    backs: [] as number[],
    changes: 0,
    asked: 0,
    isFileBroken: false,
    faults: [] as unknown[]
  }
  const inS = () => (Date.now() - startMs) / secondMs
  const lookout: Lookout = createLookout({
    gateway: {
      status() {
        world.asked += 1
        return Promise.resolve({
          state: world.signedOut
            ? 'signedOut'
            : world.isAnswering === undefined
              ? 'unknown'
              : world.isAnswering
                ? 'reachable'
                : 'unreachable'
        })
      },
      isAnswering: () => world.isAnswering,
      async look() {
        world.looks.push(inS())
        if (!world.isThere && hangs) await new Promise((resolve) => setTimeout(resolve, 6_000))
        world.isAnswering = world.isThere
        lookout.noticeGateway()
        return world.isThere
      },
      renew: (sleptMs) => void world.renewed.push(sleptMs)
    },
    network: () => world.network,
    hasWork() {
      if (world.isFileBroken) throw new Error('The data file cannot be read.')
      return hasWork
    },
    back: () => void world.backs.push(inS()),
    networkChanged: () => void (world.changes += 1),
    reportFault: (error) => {
      if (!world.isFileBroken) throw error
      world.faults.push(error)
    }
  })
  onTestFinished(() => lookout.stop())
  return { world, lookout, inS, pass: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * secondMs) }
}

test.each([false, true])(
  'a gateway that is reachable again is found within 5 s, at whatever moment it comes (a look that finds nobody hangs: %s)',
  async (hangs) => {
    for (let atMs = 20_000; atMs < 28_000; atMs += 370) {
      vi.setSystemTime(startMs)
      const { world, lookout, pass } = openWorld({ hangs })
      world.isAnswering = false
      lookout.noticeGateway()
      await pass(atMs / 1000)
      const awayS = (Date.now() - startMs) / 1000
      world.isThere = true
      await pass(12)
      expect(world.backs).toHaveLength(1)
      expect((world.backs[0] ?? Infinity) - awayS).toBeLessThanOrEqual(5)
      lookout.stop()
    }
  }
)

test('while it is away it is looked for at most once a second at first and every 4 s then, for hours', async () => {
  const { world, lookout, pass } = openWorld()
  world.isAnswering = false
  lookout.noticeGateway()
  await pass(3_600)
  const pauses = world.looks.slice(1).map((at, index) => at - (world.looks[index] ?? 0))
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1)
  expect(new Set(pauses.slice(3))).toEqual(new Set([4]))
})

test.each([
  ['it answers, were it with failures', { isAnswering: true }, {}],
  ['nobody is signed in', { isAnswering: false, signedOut: true }, {}],
  ['there is no network at all', { isAnswering: false, network: '' }, { network: '' }],
  ['it was never asked and nothing waits', { isAnswering: undefined }, { hasWork: false }]
])('nobody looks for it while %s', async (_, now, options) => {
  const { world, pass } = openWorld(options)
  Object.assign(world, now)
  await pass(120)
  expect(world.looks).toEqual([])
  // The keychain is behind it.
  if (world.signedOut) expect(world.asked).toBeLessThanOrEqual(13)
})

test('a network that comes is looked through at once, and what was known of the old one is dropped', async () => {
  const { world, pass, inS } = openWorld({ network: '' })
  world.isAnswering = false
  await pass(30)
  world.isThere = true
  world.network = 'usb0 10.64.0.2'
  const cameAtS = inS()
  await pass(2)
  expect(world.changes).toBe(1)
  expect(world.renewed).toEqual([0])
  expect((world.backs[0] ?? Infinity) - cameAtS).toBeLessThanOrEqual(1)
})

test('when the network changes, one look tells whether the gateway is still there', async () => {
  const { world, lookout, pass } = openWorld()
  world.isAnswering = true
  lookout.noticeGateway()
  await pass(10)
  expect(world.looks).toEqual([])
  world.network = 'eth0 10.1.0.2'
  await pass(2)
  expect(world.looks).toHaveLength(1)
  expect(world.isAnswering).toBe(false)
})

test('after sleep, connections are renewed, the time in sleep is told, and it is looked for at once', async () => {
  const { world, lookout, pass } = openWorld()
  world.isAnswering = false
  lookout.noticeGateway()
  await pass(30)
  world.looks.length = 0
  world.isThere = true
  // The clock went on by an hour, the time that goes by did not: the computer slept.
  vi.setSystemTime(Date.now() + 3_600_000)
  await pass(1)
  expect(world.renewed.map((ms) => Math.round(ms / 1000))).toEqual([3600])
  expect(world.backs).toHaveLength(1)
})

test('a clock that was set back renews connections, and no wait grows by it', async () => {
  const { world, lookout, pass } = openWorld()
  world.isAnswering = false
  lookout.noticeGateway()
  await pass(30)
  vi.setSystemTime(Date.now() - 5 * 3_600_000)
  await pass(1)
  expect(world.renewed).toEqual([0])
  const before = world.looks.length
  await pass(20)
  expect(world.looks.length - before).toBeGreaterThanOrEqual(5)
})

test('a gateway that comes and goes starts the work once in a while, not each time', async () => {
  const { world, lookout, pass } = openWorld()
  for (let i = 0; i < 30; i++) {
    world.isAnswering = false
    lookout.noticeGateway()
    world.isThere = true
    await pass(4)
  }
  expect(world.backs.length).toBeGreaterThan(2)
  expect(world.backs.length).toBeLessThanOrEqual(9)
})

test('a gateway that was away for longer is back at once, however short its stay before was', async () => {
  const { world, lookout, pass } = openWorld()
  for (let i = 0; i < 5; i++) {
    world.isAnswering = false
    world.isThere = false
    lookout.noticeGateway()
    await pass(9)
    world.isThere = true
    await pass(5)
    expect(world.backs).toHaveLength(i + 1)
  }
})

test('a data file that cannot be read for a while is reported once, and the gateway is looked for after it', async () => {
  const { world, pass } = openWorld()
  world.isFileBroken = true
  await pass(10)
  expect([world.faults.length, world.looks.length]).toEqual([1, 0])
  world.isFileBroken = false
  await pass(10)
  expect(world.looks.length).toBeGreaterThan(0)
})
