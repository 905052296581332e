/**
 * A world with a computer in it. The world's time passes for devices and gateways; the computer's timers belong to one
 * process, which can be killed, and may stand still while the computer sleeps. Far faster than a library that imitates
 * every timer: a test runs thousands of hours in seconds.
 */
export interface VirtualClock {
  /** Since the beginning, in the world. */
  worldMs(): number
  /** Without the time that the computer slept. */
  awakeMs(): number
  /** As the process sees it. */
  monotonicMs(): number
  wall(): Date
  /** In the world, whatever happens to the computer. */
  after(ms: number, work: () => void): void
  /** Lets time pass, and all work that is due with it. */
  advance(ms: number): Promise<void>
  /** The computer sleeps: its timers wait. On many systems its monotonic clock does too. */
  sleep(ms: number, isMonotonicStopped: boolean): Promise<void>
  /** Nothing that the process waits for happens any more. */
  killProcess(): void
  /** Gives the real timers back. */
  restore(): void
}

interface Due {
  atMs: number
  order: number
  work: () => void
}

const beginsAt = Date.parse('2026-11-20T09:00:00Z')

export function installVirtualClock(afterEach: () => void): VirtualClock {
  const real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    now: performance.now.bind(performance),
    dateNow: Date.now,
    immediate: globalThis.setImmediate
  }
  let worldMs = 0
  /** How long the monotonic clock stood still. */
  let stoodStillMs = 0
  let sleptMs = 0
  let order = 0
  const ofWorld: Due[] = []
  let ofProcess: Due[] = []
  const monotonicMs = () => worldMs - stoodStillMs

  function put(list: Due[], atMs: number, work: () => void): Due {
    const due = { atMs, order: order++, work }
    let at = list.length
    while (at > 0 && list[at - 1]!.atMs > atMs) at--
    list.splice(at, 0, due)
    return due
  }

  globalThis.setTimeout = ((work: () => void, ms = 0) => {
    const due = put(ofProcess, monotonicMs() + Math.max(0, ms), work)
    return Object.assign(due, {
      ref: () => due,
      unref: () => due,
      hasRef: () => true,
      refresh: () => due,
      [Symbol.toPrimitive]: () => due.order,
      [Symbol.dispose]: () => undefined,
      close: () => due
    })
  }) as unknown as typeof setTimeout
  globalThis.clearTimeout = ((due: Due | undefined) => {
    const at = due ? ofProcess.indexOf(due) : -1
    if (at >= 0) ofProcess.splice(at, 1)
  }) as unknown as typeof clearTimeout
  performance.now = monotonicMs
  Date.now = () => beginsAt + worldMs

  /** Everything that needs no time. */
  async function settle(): Promise<void> {
    await new Promise((resolve) => real.immediate(resolve))
    afterEach()
  }

  async function run(untilMs: number, isAsleep: boolean): Promise<void> {
    await settle()
    for (;;) {
      const world = ofWorld[0]
      const own = isAsleep ? undefined : ofProcess[0]
      const ownAtMs = own ? Math.max(worldMs, own.atMs + stoodStillMs) : Infinity
      const worldAtMs = world ? Math.max(worldMs, world.atMs) : Infinity
      if (Math.min(ownAtMs, worldAtMs) > untilMs) break
      if (worldAtMs <= ownAtMs) {
        worldMs = worldAtMs
        ofWorld.shift()!.work()
      } else {
        worldMs = ownAtMs
        ofProcess.shift()!.work()
      }
      await settle()
    }
    worldMs = Math.max(worldMs, untilMs)
  }

  return {
    worldMs: () => worldMs,
    awakeMs: () => worldMs - sleptMs,
    monotonicMs,
    wall: () => new Date(beginsAt + worldMs),
    after: (ms, work) => void put(ofWorld, worldMs + ms, work),
    async advance(ms) {
      await run(worldMs + ms, false)
    },
    async sleep(ms, isMonotonicStopped) {
      const beganMs = worldMs
      await run(worldMs + ms, true)
      sleptMs += worldMs - beganMs
      if (isMonotonicStopped) stoodStillMs += worldMs - beganMs
    },
    killProcess: () => void (ofProcess = []),
    restore() {
      globalThis.setTimeout = real.setTimeout
      globalThis.clearTimeout = real.clearTimeout
      performance.now = real.now
      Date.now = real.dateNow
    }
  }
}
