import { afterEach, describe, expect, it } from 'vitest'
import type { TemplateStep } from '../../preload/contract/steps/index.ts'
import type { FaultName } from '../../simulator/faults.ts'
import { stepOfWords } from '../support/english.ts'
import { openJobBench, type JobBench } from '../support/jobBench.ts'
import { quickShipped } from '../support/quickProfile.ts'

let bench: JobBench
afterEach(() => bench.close())

const words = { title: 'As ordered', instruction: 'Wait.' }
const steps: TemplateStep[] = [
  stepOfWords<'clock'>({ id: 'clock', kind: 'clock', ...words }),
  stepOfWords<'analog'>({ id: 'analog', kind: 'analog', channels: [{ channel: 'AN1', minMv: 9_000, maxMv: 28_000 }], ...words }),
  stepOfWords<'wifi'>({ id: 'wifi', kind: 'wifi', isOn: true, ...words }),
  stepOfWords<'hotspot'>({ id: 'hotspot', kind: 'hotspot', isOn: false, ...words })
]

async function open(faults: FaultName[] = []): Promise<string> {
  bench = await openJobBench({ shipped: quickShipped(steps), simulation: { faults } })
  const id = bench.create()
  await bench.jobs.start(id, AbortSignal.timeout(10_000))
  return id
}

describe("The device's own settings over HTTP", () => {
  it('are checked by themselves, each as it was ordered', { timeout: 30_000 }, async () => {
    const id = await open()
    await bench.jobs.idle(id)
    expect(bench.step(id, 'clock')).toMatchObject({ state: 'pass', summary: expect.stringContaining('Device and gateway agree') as string, witness: ['device', 'gateway'] })
    expect(bench.step(id, 'analog')).toMatchObject({ state: 'pass', witness: ['device'] })
    expect(bench.step(id, 'wifi')).toMatchObject({ state: 'pass' })
    expect(bench.step(id, 'hotspot')).toMatchObject({ state: 'fail', remedy: expect.stringContaining('the connection ends') as string })
    expect(bench.faults).toEqual([])
    expect(bench.sim.violations()).toEqual([])
  })

  it('never pass on a clock that is wrong, and stand by the GPS epoch', { timeout: 30_000 }, async () => {
    const id = await open(['clockWrong', 'gpsEpochClock'])
    await bench.jobs.idle(id)
    expect(bench.step(id, 'clock')).toMatchObject({ state: 'fail', summary: expect.stringContaining('clock is wrong: 15 min') as string })
  })

  it('never pass where booleans and numbers come as text', { timeout: 30_000 }, async () => {
    const id = await open(['wrongTypes'])
    await bench.jobs.idle(id)
    for (const { id: step } of steps) expect(bench.step(id, step), step).toMatchObject({ state: 'unreadable' })
  })
})
