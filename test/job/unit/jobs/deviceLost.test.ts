import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import type { JobLines } from '../../../../preload/contract/job/jobs.ts'
import { standardStep } from '../../../world/device/quickProfile.ts'
import { openVirtualJob, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob | undefined
afterEach(() => job?.close())

const gone = new AppError('UNREACHABLE', plainMessage('Gone.'))

/** A job as the window works on it: it waits for a device that fell silent. */
async function open(...ids: string[]): Promise<VirtualJob> {
  job = openVirtualJob(ids.map((id) => standardStep(id)))
  const { jobs, id } = job
  const started = jobs.start(id, new AbortController().signal, { goesOn: true })
  await job.pass(500)
  await started
  return job
}

function lostForMs({ told }: VirtualJob): number | null | undefined {
  return (told.findLast(({ name }) => name === 'jobs.lines')?.payload as JobLines | undefined)?.lostForMs
}

describe('A device that falls silent while a job runs', () => {
  it.each([['refuses', gone], ['does not say a word', 'hang'] as const])(
    'is told within 2 s when it %s, and its steps continue by themselves when it is back',
    async (_how, how) => {
      const bench = await open('ignition')
      expect(bench.live('ignition')).toMatchObject({ leftMs: expect.any(Number) as number })
      expect(lostForMs(bench)).toBeNull()
      bench.breakDevice('all', how)
      await bench.pass(1_500)
      expect(lostForMs(bench)).toBeNull()
      await bench.pass(1_000)
      expect(lostForMs(bench)).toBeGreaterThanOrEqual(2_000)
      const { elapsedMs } = bench.live('ignition') ?? {}
      expect(bench.live('ignition')).toMatchObject({ isWaiting: true, leftMs: null })
      // Far longer than the step has and than a device may be silent.
      await bench.pass(120_000)
      expect(bench.step('ignition')).toMatchObject({ state: 'running', attempts: 1 })
      expect(bench.live('ignition')).toMatchObject({ isWaiting: true, elapsedMs })
      bench.breakDevice('all', null)
      await bench.pass(8_000)
      expect(lostForMs(bench)).toBeNull()
      expect(bench.live('ignition')?.isWaiting).toBeUndefined()
      for (const key of ['on', 'off', 'on', 'off', 'crank'] as const) {
        bench.vehicle.turnKey(key)
        await bench.pass(1_500)
      }
      await bench.pass(10_000)
      expect(bench.step('ignition')).toMatchObject({ state: 'pass', attempts: 1 })
    }
  )

  it('is read again by a step that could only say that it did not answer', async () => {
    const bench = await open('ignition', 'network')
    bench.breakDevice('all', 'hang')
    await bench.pass(3_000)
    bench.begin('network')
    await bench.pass(60_000)
    expect(bench.step('network')).toMatchObject({ state: 'running', attempts: expect.any(Number) as number })
    bench.breakDevice('all', null)
    await bench.pass(20_000)
    expect(bench.step('network')).toMatchObject({ state: 'pass' })
  })

  it('that always answers after 3 s is slow, and not lost', async () => {
    const bench = await open('ignition')
    bench.answersAfterMs = 3_000
    await bench.pass(60_000)
    bench.told.length = 0
    await bench.pass(60_000)
    expect(
      bench.told.filter(({ name, payload }) => name === 'jobs.lines' && (payload as JobLines).lostForMs !== null)
    ).toEqual([])
  })
})
