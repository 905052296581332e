import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPassTimer, type PassTimer } from '../../../../main/app/core/passTimer.ts'

let timer: PassTimer
let passes = 0
let isBroken = false
let nextMs: number | undefined
let faults: unknown[] = []

function begin(run: () => Promise<void> = () => Promise.resolve()): void {
  passes = 0
  nextMs = undefined
  isBroken = false
  faults = []
  timer = createPassTimer({
    everyMs: 20_000,
    run() {
      passes += 1
      return run()
    },
    nextMoveInMs: () => {
      if (isBroken) throw new Error('The data file cannot be read.')
      return nextMs
    },
    reportFault: (fault) => faults.push(fault),
    monotonicMs: () => Date.now()
  })
}

beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
afterEach(() => {
  timer.stop()
  vi.useRealTimers()
})

test('a pass runs now and then, and sooner when something is free to move sooner', async () => {
  begin()
  expect(timer.times()).toEqual({ nextInMs: 20_000, everyMs: 20_000 })
  nextMs = 4_000
  await vi.advanceTimersByTimeAsync(20_000)
  expect([passes, timer.times().nextInMs]).toEqual([1, 4_000])
  nextMs = undefined
  await vi.advanceTimersByTimeAsync(4_000)
  expect([passes, timer.times().nextInMs]).toEqual([2, 20_000])
})

test('a pass that is wanted at once runs at once, and what is wanted meanwhile runs once more after it', async () => {
  const ends: (() => void)[] = []
  begin(() => new Promise((resolve) => void ends.push(resolve)))
  timer.soon()
  expect([passes, timer.times().nextInMs]).toEqual([1, 0])
  timer.soon()
  timer.soon()
  expect(passes).toBe(1)
  ends.shift()?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(passes).toBe(2)
  ends.shift()?.()
  await vi.advanceTimersByTimeAsync(0)
  expect([passes, timer.times().nextInMs]).toEqual([2, 20_000])
})

test('a stopped timer runs nothing any more', async () => {
  begin()
  timer.stop()
  timer.soon()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(passes).toBe(0)
})

test('a pass that fails is reported once, and the next one runs at its time', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  begin(() => Promise.reject(new Error('The data file cannot be read.')))
  timer.soon()
  await vi.advanceTimersByTimeAsync(0)
  expect(faults).toHaveLength(1)
  isBroken = true
  await vi.advanceTimersByTimeAsync(20_000)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(passes).toBe(3)
  // The host tells of a rejection after its microtasks.
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})
