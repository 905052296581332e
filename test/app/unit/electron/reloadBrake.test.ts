import { expect, it } from 'vitest'
import { createReloadBrake } from '../../../../main/app/electron/reloadBrake.ts'

it('lets a window come back three times in a minute, and again when the minute is over', () => {
  let nowMs = 0
  const brake = createReloadBrake(() => nowMs)
  expect([brake.mayReload(), brake.mayReload(), brake.mayReload(), brake.mayReload()]).toEqual([
    true,
    true,
    true,
    false
  ])
  nowMs = 59_999
  expect(brake.mayReload()).toBe(false)
  nowMs = 60_000
  expect(brake.mayReload()).toBe(true)
})
