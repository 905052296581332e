import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { effectScope, type EffectScope } from 'vue'
import { useRepeated } from '../../../renderer/device/readings/useRepeated.ts'

let scope: EffectScope
let visibility: DocumentVisibilityState

function show(state: DocumentVisibilityState): void {
  visibility = state
  document.dispatchEvent(new Event('visibilitychange'))
}
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
}

beforeEach(() => {
  vi.useFakeTimers()
  visibility = 'visible'
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility })
  scope = effectScope()
})
afterEach(() => {
  scope.stop()
  vi.useRealTimers()
  Reflect.deleteProperty(document, 'visibilityState')
})

it('rests while the window is hidden, and runs at once when it is shown again', async () => {
  const work = vi.fn(async () => undefined)
  scope.run(() => useRepeated(work, { everyMs: 1_000 }))
  await pass(2_000)
  expect(work).toHaveBeenCalledTimes(3)
  show('hidden')
  await pass(10_000)
  expect(work).toHaveBeenCalledTimes(3)
  show('visible')
  await pass(0)
  expect(work).toHaveBeenCalledTimes(4)
  scope.stop()
  await pass(10_000)
  expect(work).toHaveBeenCalledTimes(4)
})

it('an output stays watched while the window is hidden', async () => {
  const work = vi.fn(async () => undefined)
  scope.run(() => useRepeated(work, { everyMs: 500, isAlways: true }))
  show('hidden')
  await pass(1_000)
  expect(work).toHaveBeenCalledTimes(3)
  show('visible')
  await pass(0)
  expect(work).toHaveBeenCalledTimes(3)
})

it('waits longer after a failure, and forgets it with the next success', async () => {
  const work = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('no answer'))
  const { error } = scope.run(() => useRepeated(work, { everyMs: 250, afterFaultMs: 3_000 })) ?? {}
  await pass(2_999)
  expect([work.mock.calls.length, error?.value?.message]).toEqual([1, 'no answer'])
  await pass(1)
  expect([work.mock.calls.length, error?.value]).toEqual([2, null])
  await pass(250)
  expect(work).toHaveBeenCalledTimes(3)
})
