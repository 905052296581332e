import { afterEach, describe, expect, it } from 'vitest'
import type { LiveStep } from '../../../../preload/contract/job/jobs.ts'
import { english } from '../../../world/window/english.ts'
import { standardStep } from '../../../world/device/quickProfile.ts'
import { openVirtualJob, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob | undefined
afterEach(() => job?.close())

async function open(...ids: string[]): Promise<VirtualJob> {
  job = openVirtualJob(ids.map((id) => standardStep(id)))
  await job.connect()
  return job
}

function actOf({ jobs, id }: VirtualJob, stepId: string): string | null {
  const act = (jobs.live(id).steps.find((live) => live.stepId === stepId) as LiveStep).act
  return act ? english(act) : null
}

describe('A step that needs hands', () => {
  it('says which act, one after the other', async () => {
    const bench = await open('ignition')
    bench.begin('ignition')
    const acts: (string | null)[] = []
    for (const key of ['off', 'on', 'off', 'on', 'off'] as const) {
      bench.vehicle.turnKey(key)
      await bench.pass(1_000)
      acts.push(actOf(bench, 'ignition'))
    }
    expect(acts).toEqual([
      'Turn the key to ON.',
      'Turn the key to OFF.',
      'Turn the key to ON.',
      'Turn the key to OFF.',
      'Start the engine.'
    ])
  })

  it('says what is missing before an output may be tested', async () => {
    const bench = await open('output-1')
    bench.vehicle.turnKey('crank')
    await bench.pass(8_000)
    bench.begin('output-1')
    await bench.pass(2_000)
    expect(actOf(bench, 'output-1')).toMatch(/OUT1/)
  })

  it('has time only while the person is there, and continues where it was', async () => {
    const bench = await open('ignition', 'network')
    bench.begin('ignition')
    await bench.pass(5_000)
    bench.jobs.onStage(bench.id, 'network')
    const { leftMs, elapsedMs } = bench.live('ignition') ?? {}
    expect(leftMs).toBeNull()
    // The quick profile gives it 20 s.
    await bench.pass(300_000)
    expect(bench.step('ignition').state).toBe('running')
    expect(bench.live('ignition')).toMatchObject({ leftMs: null, elapsedMs })
    bench.jobs.onStage(bench.id, 'ignition')
    await bench.pass(1_000)
    expect(bench.live('ignition')?.leftMs).toBeGreaterThan(12_000)
    await bench.pass(20_000)
    expect(bench.step('ignition').state).toBe('fail')
  })

  it('takes what the person does also while another step is looked at', async () => {
    const bench = await open('ignition', 'network')
    bench.begin('ignition')
    bench.jobs.onStage(bench.id, 'network')
    await bench.pass(60_000)
    for (const key of ['on', 'off', 'on', 'off', 'crank'] as const) {
      bench.vehicle.turnKey(key)
      await bench.pass(1_500)
    }
    await bench.pass(10_000)
    expect(bench.step('ignition').state).toBe('pass')
  })
})
