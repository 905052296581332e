import { afterEach, describe, expect, it } from 'vitest'
import type { TemplateStep } from '../../../preload/contract/job/steps/index.ts'
import type { FaultName } from '../../../simulator/faults.ts'
import { stepOfWords } from '../../world/window/english.ts'
import { openJobBench, until, type JobBench } from '../../world/device/jobBench.ts'
import { quickShipped } from '../../world/device/quickProfile.ts'

let bench: JobBench
afterEach(() => bench.close())

const words = { title: 'As ordered', instruction: 'Wait.' }
const steps: TemplateStep[] = [
  stepOfWords<'clock'>({ id: 'clock', kind: 'clock', ...words }),
  stepOfWords<'analog'>({
    id: 'analog',
    kind: 'analog',
    channels: [{ channel: 'AN1', minMv: 9_000, maxMv: 28_000 }],
    ...words
  }),
  stepOfWords<'wifi'>({ id: 'wifi', kind: 'wifi', isOn: true, ...words }),
  stepOfWords<'hotspot'>({ id: 'hotspot', kind: 'hotspot', isOn: false, ...words }),
  stepOfWords<'software'>({ id: 'software', kind: 'software', apps: [{ name: 'tracker' }], ...words })
]
const apn = stepOfWords<'apn'>({ id: 'apn', kind: 'apn', apn: 'internet.example', clearsSignIn: true, ...words })
const engineBus = stepOfWords<'engineBus'>({
  id: 'engine-bus',
  kind: 'engineBus',
  parameters: ['ecu_rpm', 'ECU_LOAD', 'ECU_COOLANT'],
  ...words
})

async function open(faults: FaultName[] = [], chosen: TemplateStep[] = steps): Promise<string> {
  bench = await openJobBench({ shipped: quickShipped(chosen), simulation: { faults } })
  const id = bench.create()
  await bench.jobs.start(id, AbortSignal.timeout(60_000))
  return id
}

describe("The device's own settings over HTTP", () => {
  it('are checked by themselves, each as it was ordered', async () => {
    const id = await open()
    await bench.jobs.runStep(id, 'software')
    await bench.jobs.idle(id)
    expect(bench.step(id, 'software')).toMatchObject({ state: 'pass', witness: ['device'] })
    expect(bench.step(id, 'clock')).toMatchObject({
      state: 'pass',
      summary: expect.stringContaining('Device and gateway agree') as string,
      witness: ['device', 'gateway']
    })
    expect(bench.step(id, 'analog')).toMatchObject({ state: 'pass', witness: ['device'] })
    expect(bench.step(id, 'wifi')).toMatchObject({ state: 'pass' })
    expect(bench.step(id, 'hotspot')).toMatchObject({
      state: 'fail',
      remedy: expect.stringContaining('the connection ends') as string
    })
    expect(bench.faults).toEqual([])
    expect(bench.sim.violations()).toEqual([])
  })

  it('never pass on a clock that is wrong, and stand by the GPS epoch', async () => {
    const id = await open(['clockWrong', 'gpsEpochClock'])
    await bench.jobs.idle(id)
    expect(bench.step(id, 'clock')).toMatchObject({
      state: 'fail',
      summary: expect.stringContaining('clock is wrong: 15 min') as string
    })
  })

  it('never pass where booleans and numbers come as text', async () => {
    const id = await open(['wrongTypes'], [...steps, apn])
    await bench.jobs.runStep(id, 'software').catch(() => undefined)
    await bench.jobs.idle(id)
    expect(bench.step(id, 'apn')).toMatchObject({ state: 'unreadable' })
    for (const { id: step } of steps) expect(bench.step(id, step), step).toMatchObject({ state: 'unreadable' })
  })
})

describe('A wrong APN of a real device over HTTP', () => {
  it('is the cause while nobody sets it; set and read back, the device is online', async () => {
    const id = await open(['wrongApn'], [apn])
    await until('the APN is offered', () => bench.jobs.live(id).steps.some(({ prompt }) => prompt?.kind === 'yesNo'))
    bench.answerWith({ yesNo: { answer: true } })
    await bench.jobs.idle(id)
    expect(bench.step(id, 'apn')).toMatchObject({
      state: 'pass',
      summary: 'APN internet.example set and confirmed: registered, with an address'
    })
    const [device] = bench.sim.devices
    expect(device?.requests.filter(({ operation }) => operation === 'modem.editApn')).toHaveLength(1)
    expect(
      bench.store.jobs
        .journal(id)
        .filter(({ type }) => type === 'deviceWrite')
        .map(({ data }) => (data as { phase: string }).phase)
    ).toEqual(['intent', 'answered', 'readBack'])
    expect(bench.sim.violations()).toEqual([])
  })

  it('that was not ordered otherwise is named as the cause', async () => {
    const id = await open(['wrongApn'], [stepOfWords<'apn'>({ id: 'apn', kind: 'apn', ...words })])
    await bench.jobs.idle(id)
    expect(bench.step(id, 'apn')).toMatchObject({
      state: 'fail',
      summary: 'Registered with the APN wrong.example, but without an address',
      remedy: expect.stringContaining('wrong.example is wrong') as string
    })
  })
})

describe('An engine bus at a real gateway over HTTP', () => {
  it.each([
    ['alive', 'pass'],
    ['silent', 'fail']
  ])('that is %s: %s', async (how, state) => {
    bench = await openJobBench({ shipped: quickShipped([engineBus]) })
    const [device] = bench.sim.devices
    device?.vehicle.bus.connect(['ECU_LOAD', 'ECU_COOLANT'])
    device?.vehicle.bus.silence(how === 'silent')
    device?.vehicle.turnKey('crank')
    const id = bench.create()
    await bench.jobs.start(id, AbortSignal.timeout(60_000))
    await bench.jobs.idle(id)
    expect(bench.step(id, 'engine-bus')).toMatchObject({ state })
    expect(bench.faults).toEqual([])
    expect(bench.sim.violations()).toEqual([])
  })
})
