import { afterEach, describe, expect, it } from 'vitest'
import { standardStep } from '../../../world/device/quickProfile.ts'
import { event, openVirtualJob, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob
afterEach(() => job.close())

async function run(stepId: string, make: (bench: VirtualJob) => void) {
  job = openVirtualJob([standardStep('identity'), standardStep(stepId)])
  await job.connect()
  await job.jobs.waive(job.id, 'identity', 'only for this test', 'T')
  make(job)
  return (await job.run(stepId)).state
}

/** Both sides of every limit of the standard values: one step further, and the result is another one. */
describe('The limits of the profile', () => {
  it.each([
    ['satellites', { satsActive: 6 }, 'pass'],
    ['satellites', { satsActive: 5 }, 'warn'],
    ['satellites', { satsActive: 4 }, 'warn'],
    ['satellites', { satsActive: 3 }, 'fail'],
    ['geometry', { hdop: 1.5 }, 'pass'],
    ['geometry', { hdop: 1.6 }, 'warn'],
    ['geometry', { hdop: 3 }, 'warn'],
    ['geometry', { hdop: 3.1 }, 'fail']
  ])('hold for the position: %s %o is %s', async (_what, extras, state) => {
    expect(
      await run('position', (bench) =>
        bench.spoil('gps.position', (raw) => ({ ...raw, extras: { ...(raw.extras as object), ...extras } }))
      )
    ).toBe(state)
  })

  it.each([
    ['-90', 'pass'],
    ['-91', 'warn'],
    ['-100', 'warn'],
    ['-101', 'fail']
  ])('hold for the network: %s dBm is %s', async (RSSI, state) => {
    expect(await run('network', (bench) => bench.spoil('modem.information', (raw) => ({ ...raw, RSSI })))).toBe(state)
  })

  it.each([
    [{ ageS: 60, delayS: 30 }, 'pass'],
    [{ ageS: 61, delayS: 30 }, 'warn'],
    [{ ageS: 60, delayS: 31 }, 'warn'],
    [{ ageS: 300, delayS: 30 }, 'warn'],
    [{ ageS: 301, delayS: 30 }, 'fail']
  ])('hold for what is delivered: %o is %s', async (more, state) => {
    expect(
      await run(
        'delivered',
        (bench) =>
          (bench.gateway.events = () => [event(bench.vehicle, { ...more, eventAtMs: Date.now() - more.ageS * 1000 })])
      )
    ).toBe(state)
  })

  it.each([
    [59, 'pass'],
    [61, 'unreadable']
  ])('hold for the two clocks: %d s apart is %s', async (apartS, state) => {
    expect(
      await run('delivered', (bench) => {
        const only = event(bench.vehicle, { ageS: 3, eventAtMs: Date.now() - (3 + apartS) * 1000 })
        bench.gateway.events = () => [only]
      })
    ).toBe(state)
  })

  it.each([
    [49, 'pass'],
    [51, 'warn'],
    [199, 'warn'],
    [201, 'fail']
  ])('hold for the same place: %d m apart is %s', async (distanceM, state) => {
    expect(
      await run('same-place', (bench) => {
        bench.spoil('gps.position', (raw) => ({
          ...raw,
          coords: { ...(raw.coords as object), latitude: 40, longitude: -3 }
        }))
        bench.gateway.events = () => [event(bench.vehicle, { latitude: 40 + distanceM / 111_195, longitude: -3 })]
      })
    ).toBe(state)
  })

  it.each([
    [1, 'pass'],
    [1.1, 'unreadable']
  ])('hold for a parked vehicle: %d km/h is %s', async (speed, state) => {
    expect(
      await run('same-place', (bench) =>
        bench.spoil('gps.position', (raw) => ({ ...raw, coords: { ...(raw.coords as object), speed } }))
      )
    ).toBe(state)
  })
})
