import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPassTimer, type PassTimer } from '../../../../main/app/core/passTimer.ts'

let timer: PassTimer
let passes = 0
let nextMs: number | undefined

function begin(run: () => Promise<void> = () => Promise.resolve()): void {
  passes = 0
  nextMs = undefined
  timer = createPassTimer({
    everyMs: 20_000,
    run() {
      passes += 1
      return run()
    },
    nextMoveInMs: () => nextMs,
    monotonicMs: () => Date.now()
  })
}

beforeEach(() => vi.useFakeTimers())
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
