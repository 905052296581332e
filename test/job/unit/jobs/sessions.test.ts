import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { stepOfWords } from '../../../world/window/english.ts'
import { standardStep } from '../../../world/device/quickProfile.ts'
import { openVirtualJob, virtualImei, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob
afterEach(() => job.close())

const question = stepOfWords({
  id: 'mounted',
  kind: 'question',
  title: 'Mounted',
  instruction: 'Is the device screwed down?'
})

describe('A session', () => {
  it('is opened once, however often it is started at the same time', async () => {
    job = openVirtualJob([question])
    const signal = new AbortController().signal
    const starts = [job.jobs.start(job.id, signal), job.jobs.start(job.id, signal)]
    await job.pass(1_000)
    await Promise.all(starts)
    expect(job.connects).toBe(1)
    job.begin('mounted')
    await job.pass(100)
    await job.jobs.pause(job.id)
    expect(job.jobs.live(job.id)).toMatchObject({ active: false, steps: [] })
    expect(job.step('mounted').state).toBe('waiting')
    await expect(job.jobs.runStep(job.id, 'mounted')).rejects.toThrow('jobs.notConnected')
  })

  it('that is paused while it starts stays closed', async () => {
    job = openVirtualJob([question])
    const started = job.jobs.start(job.id, new AbortController().signal).catch((error: unknown) => error)
    const paused = job.jobs.pause(job.id)
    await job.pass(1_000)
    await paused
    expect(await started).toMatchObject({ code: 'CANCELLED' })
    expect(job.jobs.live(job.id).active).toBe(false)
  })

  it('asks nothing any more when its step was stopped', async () => {
    job = openVirtualJob([question])
    await job.connect()
    job.begin('mounted')
    await job.pass(100)
    await job.jobs.stopStep(job.id, 'mounted')
    expect(job.live('mounted')?.prompt).toBeNull()
    expect(() => job.jobs.answer(job.id, 'mounted', { answer: true })).toThrow('jobs.nothingAsked')
    expect(job.faults).toEqual([])
  })

  it('keeps running steps of a job when a sign-off comes too early, and fails the job only at rest', async () => {
    job = openVirtualJob([question, standardStep('sign-off')])
    job.answers = { signOff: { value: 'T' } }
    await job.connect()
    job.begin('mounted')
    await job.pass(100)
    expect((await job.run('sign-off')).state).toBe('fail')
    expect(job.jobs.show(job.id).state).toBe('running')
    expect(job.step('mounted').state).toBe('running')
  })

  it.each(['position', 'network', 'external-power', 'ignition', 'inputs', 'output-1', 'alignment'])(
    'lets %s end as unreadable when the device falls silent',
    async (stepId) => {
      job = openVirtualJob([standardStep('identity'), standardStep(stepId)])
      await job.connect()
      await job.jobs.waive(job.id, 'identity', 'only for this test', 'T')
      job.breakDevice('all', new AppError('UNREACHABLE', plainMessage('Nothing answers.')))
      await job.pass(1_000)
      const step = await job.run(stepId)
      expect(['unreadable', 'fail']).toContain(step.state)
      expect(step.remedy).not.toBe('')
      expect(step.state === 'unreadable' || /an answer from the device/.test(step.summary)).toBe(true)
    }
  )
})

describe('The front ends', () => {
  it('hear of an entry alone, whatever the log holds already, and no gateway work is read for it', async () => {
    job = openVirtualJob([question])
    await job.connect()
    let asked = 0
    const { ofJob } = job.operations
    job.operations = { ...job.operations, ofJob: (id) => ((asked += 1), ofJob(id)) }
    job.begin('mounted')
    await job.pass(100)
    const sizes = () => job.told.map(({ payload }) => JSON.stringify(payload).length)
    const answers = async (count: number) => {
      job.told.length = 0
      for (let n = 0; n < count; n++)
        job.jobs.recordWrite(job.id, { phase: 'readBack', operation: 'x', input: null, what: `entry ${n}`, raw: null })
      await job.jobs.stopStep(job.id, 'mounted')
      return Math.max(...sizes())
    }
    const few = await answers(2)
    job.begin('mounted')
    await job.pass(100)
    expect(await answers(300)).toBeLessThan(few + 50)
    expect(asked).toBe(0)
  })

  it('hear what was seen, how the step stands, and how the job stands', async () => {
    job = openVirtualJob([question])
    job.answers = { yesNo: { answer: true } }
    await job.connect()
    await job.run('mounted')
    const names = job.told.map(({ name }) => name)
    expect(names).not.toContain('jobs.changed')
    const heard = (name: string) => job.told.filter((one) => one.name === name).map(({ payload }) => payload)
    expect(heard('jobs.entry')).toMatchObject([{ jobId: job.id, stepId: 'mounted', evidence: { witness: 'person' } }])
    expect(heard('jobs.step').at(-1)).toMatchObject({ jobId: job.id, step: { id: 'mounted', state: 'pass' } })
    expect(heard('jobs.step').at(-1)).not.toHaveProperty('step.evidence')
    expect(heard('jobs.state').at(-1)).toMatchObject({ id: job.id, isActive: true, counts: { pass: 1, waiting: 0 } })
  })

  it('are told at once why a step cannot begin', async () => {
    job = openVirtualJob([question])
    const { signal } = new AbortController()
    await expect(job.jobs.beginStep({ id: job.id, stepId: 'mounted' }, signal)).rejects.toMatchObject({
      code: 'INVALID_REQUEST'
    })
    await expect(job.jobs.beginStep({ id: job.id, stepId: 'no-such-step' }, signal)).rejects.toMatchObject({
      code: 'NOT_FOUND'
    })
    await expect(job.jobs.beginStep({ id: 'no-such-job', stepId: 'mounted' }, signal)).rejects.toMatchObject({
      code: 'NOT_FOUND'
    })
    await job.connect()
    await expect(job.jobs.stopStep(job.id, 'no-such-step')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await job.jobs.cancel(job.id, 'wrong vehicle')
    await expect(job.jobs.beginStep({ id: job.id, stepId: 'mounted' }, signal)).rejects.toThrow('closed')
    expect(job.faults).toEqual([])
  })
})

describe('A job that goes on by itself', () => {
  it('goes on after a failure, and signs off only when that was run again', async () => {
    job = openVirtualJob([
      standardStep('identity'),
      standardStep('position'),
      question,
      standardStep('vehicle'),
      standardStep('sign-off')
    ])
    job.answers = { imei: { value: virtualImei } }
    const started = job.jobs.start(job.id, new AbortController().signal, { goesOn: true })
    await job.pass(5_000)
    await started
    expect(job.step('position').state).toBe('pass')
    expect(job.live('mounted')?.prompt).toMatchObject({ kind: 'yesNo' })
    job.jobs.answer(job.id, 'mounted', { answer: false })
    await job.pass(5_000)
    expect(['mounted', 'vehicle', 'sign-off'].map((step) => job.step(step).state)).toEqual(['fail', 'pass', 'waiting'])
    job.answers = { ...job.answers, yesNo: { answer: true }, signOff: { value: 'T' } }
    await job.jobs.beginStep({ id: job.id, stepId: 'mounted' }, new AbortController().signal)
    await job.pass(5_000)
    expect(job.jobs.show(job.id).state).toBe('done')
    expect(job.faults).toEqual([])
  })
})

describe('A job that goes on by itself, after a warning', () => {
  it('begins the next step, and never one again that was stopped', async () => {
    job = openVirtualJob([standardStep('position'), question, standardStep('sign-off')])
    job.spoil('gps.position', (raw) => ({ ...raw, extras: { ...(raw.extras as object), satsActive: 5 } }))
    const started = job.jobs.start(job.id, new AbortController().signal, { goesOn: true })
    await job.pass(10_000)
    await started
    expect([job.step('position').state, job.step('mounted').state]).toEqual(['warn', 'running'])
    await job.jobs.stopStep(job.id, 'mounted')
    job.spoil('gps.position', (raw) => raw)
    await job.run('position')
    await job.pass(1_000)
    expect(job.step('mounted')).toMatchObject({ state: 'waiting', attempts: 1 })
  })
})

describe('A second job on a device', () => {
  it('is known of while the first one takes more work', () => {
    job = openVirtualJob([question])
    expect(job.jobs.openOfDevice(virtualImei)).toMatchObject({ id: job.id, state: 'draft' })
    expect(job.jobs.openOfDevice('356938035643809')).toBeUndefined()
  })
})
