import { afterEach, expect, it } from 'vitest'
import { startTraining, type Training } from '../../../main/job/training/training.ts'

let training: Training | undefined
afterEach(() => training?.stop())

async function open() {
  training = await startTraining({ devices: 1, changed: () => undefined })
  const { imei } = training.devices[0]!
  const vehicle = () => training!.describe().vehicles[0]!
  return { imei, vehicle, act: (act: Parameters<Training['act']>[1]) => training!.act(imei, act) }
}

it('a trainee breaks the ignition wire, and puts it right again', async () => {
  const { vehicle, act } = await open()
  expect(vehicle().faults.filter(({ on }) => on)).toEqual([])
  act({ act: 'fault', name: 'ignitionWireMissing', on: true })
  expect(vehicle().faults.filter(({ on }) => on)).toEqual([{ name: 'ignitionWireMissing', on: true }])
  act({ act: 'fault', name: 'ignitionWireMissing', on: false })
  expect(vehicle().faults.filter(({ on }) => on)).toEqual([])
})

it('a trainee drives at the speed that they chose, and stands again at 0', async () => {
  const { vehicle, act } = await open()
  act({ act: 'speed', kmh: 20 })
  expect(vehicle().chosenKmh).toBe(20)
  await expect.poll(() => vehicle().speedKmh, { timeout: 45_000 }).toBe(20)
  act({ act: 'speed', kmh: 0 })
  expect(vehicle().chosenKmh).toBe(0)
  await expect.poll(() => vehicle().speedKmh, { timeout: 45_000 }).toBe(0)
}, 180_000)
