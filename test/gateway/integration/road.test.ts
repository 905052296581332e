// @module-tag long
import { afterEach, describe, expect, it } from 'vitest'
import { stepOfWords } from '../../world/window/english.ts'
import { openJobBench, until, type JobBench } from '../../world/device/jobBench.ts'
import { quickProfile, quickShipped } from '../../world/device/quickProfile.ts'

// Against the real simulator, over HTTP: what only its answers can show. The rest is on the virtual clock
// (testTrip.test.ts, exchange.test.ts).
let bench: JobBench
afterEach(() => bench.close())

async function open(kind: 'testTrip' | 'removed' | 'swapped', more: object = {}, history = false): Promise<string> {
  const shipped = quickShipped([stepOfWords({ id: 'road', kind, title: 'Road', instruction: 'Go.', ...more })])
  shipped.profiles.set('quick', {
    ...quickProfile,
    delivered: { ...quickProfile.delivered, askEveryS: 2 },
    testTrip: { ...quickProfile.testTrip, standstillS: 2, fewestEvents: 3 }
  })
  bench = await openJobBench({ simulation: { reportEveryMs: 1_000, history }, shipped })
  const [vehicle] =
    bench.sim.gateway?.state.vehicles.filter(({ device }) => String(device) === bench.sim.devices[0]?.imei) ?? []
  const id = bench.create(vehicle?.name)
  bench.answerWith({ ready: { answer: true }, choose: { choose: vehicle?.name ?? '' } })
  await bench.jobs.start(id, new AbortController().signal)
  return id
}
const vehicle = () =>
  bench.sim.gateway?.state.vehicles.find(({ deviceHistory }) =>
    deviceHistory.some(({ imei }) => String(imei) === bench.sim.devices[0]?.imei)
  )

describe('On the road, with the simulated gateway', () => {
  it('a short drive agrees at both witnesses: events, trip and counter', { timeout: 180_000 }, async () => {
    const id = await open('testTrip', { minKm: 0.35, minMinutes: 0.15 })
    const [device] = bench.sim.devices
    device?.vehicle.driveAt(110)
    const ended = bench.jobs.runStep(id, 'road')
    await until(
      'it is far enough',
      () => bench.lives.some(({ prompt, meters }) => prompt?.kind === 'ready' && meters.length > 0),
      40_000
    )
    device?.vehicle.driveAt(0)
    await ended
    const step = bench.step(id, 'road')
    expect([step.state, step.summary, step.rows?.map(({ verdict }) => verdict)]).toEqual([
      'pass',
      expect.stringContaining('agree'),
      Array(7).fill('agrees')
    ])
  })

  it('a device that was taken out of its vehicle is gone from its history too', async () => {
    const id = await open('removed', {}, true)
    const there = vehicle()
    if (!there) throw new Error('The simulator has no vehicle of this device')
    bench.answerWith({ choose: { choose: there.name } })
    const ended = bench.jobs.runStep(id, 'road')
    await until('it is seen there', () => bench.step(id, 'road').evidence.length > 0)
    there.device = null
    for (const stay of there.deviceHistory) stay.endMs ??= Date.now()
    await ended
    expect(bench.step(id, 'road')).toMatchObject({ state: 'pass', witness: ['gateway'] })
  })

  it('an exchange shows the device before, and its counters where the gateway kept them', async () => {
    const id = await open('swapped', {}, true)
    const there = vehicle()
    if (!there) throw new Error('The simulator has no vehicle of this device')
    // The exchange was a day ago.
    const [before, now] = there.deviceHistory.slice(-2)
    if (before && now) now.startMs = before.endMs = Date.now() - 86_400_000
    bench.answerWith({ choose: { choose: there.name } })
    await bench.jobs.runStep(id, 'road')
    const step = bench.step(id, 'road')
    expect([step.state, step.rows?.slice(0, 2).map(({ verdict }) => verdict)]).toEqual([
      expect.stringMatching(/^(pass|warn|fail)$/),
      ['agrees', 'agrees']
    ])
  })
})
