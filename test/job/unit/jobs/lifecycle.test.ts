import Database from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { createJobHandlers, type JobHandlerParts } from '../../../../main/job/jobs/handlers.ts'
import { readJob } from '../../../../main/job/jobs/record/journal.ts'
import { acceptanceOf, notesOf } from '../../../../preload/job/acceptance.ts'
import { verifyChain } from '../../../../main/data/store/jobs/seal.ts'
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

describe('A step that a window skips', () => {
  const skip = (technician: string) => {
    const handlers = createJobHandlers({ jobs: job.jobs, technician: () => technician } as JobHandlerParts)
    return handlers['jobs.waive'](
      { id: job.id, stepId: 'mounted', reason: 'The customer mounts it' },
      new AbortController().signal
    )
  }

  it('has the name of whoever skips it, and is not skipped where nobody is named', async () => {
    job = openVirtualJob([question, standardStep('sign-off')])
    await expect(skip('')).rejects.toMatchObject({ code: 'INVALID_REQUEST', sentence: { id: 'jobs.waiverNeedsName' } })
    expect(job.step('mounted')).toMatchObject({ state: 'waiting' })
    await skip('Ana Torres')
    expect(job.step('mounted')).toMatchObject({ state: 'waived', waiver: { by: 'Ana Torres' } })
  })
})

describe('A checklist that says where a step is connected', () => {
  it('says so in each of its jobs', () => {
    job = openVirtualJob([
      {
        ...standardStep('ignition'),
        guide: { wires: [{ line: 'IGN', pin: '3', wire: plainMessage('black and blue') }] }
      },
      standardStep('sign-off')
    ])
    expect(job.jobs.show(job.id).guides).toEqual({
      ignition: { wires: [{ line: 'IGN', pin: '3', wire: plainMessage('black and blue') }] }
    })
  })
})

describe('The sign-off', () => {
  it('says how many steps were skipped, and calls nothing done that was not', async () => {
    job = openVirtualJob([standardStep('position'), standardStep('network'), standardStep('sign-off')])
    await job.connect()
    await job.run('network')
    await job.jobs.waive(job.id, 'position', 'No sky here', 'T')
    job.begin('sign-off')
    await job.pass(100)
    expect(job.live('sign-off')?.say).toBe('1 step was skipped, all others are done. Sign off.')
  })
})

it('A checklist is offered with the number of steps that its job has without an order', () => {
  job = openVirtualJob([standardStep('position')])
  expect(job.jobs.templates().find(({ id }) => id === 'standard-installation')?.steps).toBe(14)
})

describe('A waiver', () => {
  it('needs a reason, shows it, lets the job be signed off, and is not to be had for the sign-off', async () => {
    job = openVirtualJob([question, standardStep('sign-off')])
    job.answers = { signOff: { value: 'T' } }
    await job.connect()
    await expect(job.jobs.waive(job.id, 'mounted', '  ', 'T')).rejects.toThrow('jobs.waiverNeedsReason')
    await expect(job.jobs.waive(job.id, 'sign-off', 'in a hurry', 'T')).rejects.toThrow('jobs.signOffNotWaived')
    expect(await job.run('sign-off')).toMatchObject({ state: 'fail', summary: 'Not done: Mounted' })
    expect(job.jobs.show(job.id).state).toBe('failed')

    await job.jobs.waive(job.id, 'mounted', 'The customer mounts it', 'T')
    expect(job.step('mounted')).toMatchObject({
      state: 'waived',
      summary: 'Skipped: The customer mounts it',
      waiver: { reason: 'The customer mounts it', by: 'T' },
      witness: ['person']
    })
    expect((await job.run('sign-off')).state).toBe('pass')
    expect(job.jobs.show(job.id).state).toBe('done')
    await expect(job.jobs.waive(job.id, 'mounted', 'once more', 'T')).rejects.toThrow('closed')
  })
})

describe('A warning', () => {
  const accept = (technician: string) => {
    const handlers = createJobHandlers({ jobs: job.jobs, technician: () => technician } as JobHandlerParts)
    return Promise.resolve().then(() =>
      handlers['jobs.accept']({ id: job.id, stepId: 'identity' }, new AbortController().signal)
    )
  }
  const acceptance = () => acceptanceOf(job.jobs.show(job.id).steps.find(({ id }) => id === 'identity')!)

  async function warn() {
    job = openVirtualJob([standardStep('identity'), standardStep('sign-off')])
    Object.assign(job.gateway, { device: { imei: virtualImei, simIds: ['8900110000000000025'], raw: null }, sims: [] })
    job.answers = { imei: { value: virtualImei }, signOff: { value: 'T' } }
    await job.connect()
    expect(await job.run('identity')).toMatchObject({ state: 'warn' })
  }

  it('is accepted once, by name, stays a warning, and keeps the seal of the log', async () => {
    await warn()
    await expect(accept('')).rejects.toMatchObject({ sentence: { id: 'jobs.acceptNeedsName' } })
    expect(acceptance()).toBeNull()
    await accept('Ana Torres')
    expect(acceptance()).toMatchObject({ by: 'Ana Torres' })
    expect(job.step('identity')).toMatchObject({ state: 'warn' })
    expect(job.jobs.show(job.id).counts).toMatchObject({ warn: 1 })
    expect(verifyChain(job.id, job.jobs.journal(job.id))).toEqual({ ok: true })
    await expect(accept('Ana Torres')).rejects.toMatchObject({ sentence: { id: 'jobs.nothingToAccept' } })
  })

  it('takes a note by name into the log and under its seal, until the job is signed', async () => {
    await warn()
    const note = (technician: string) => {
      const handlers = createJobHandlers({ jobs: job.jobs, technician: () => technician } as JobHandlerParts)
      return Promise.resolve().then(() =>
        handlers['jobs.note'](
          { id: job.id, stepId: 'identity', note: 'The card was exchanged' },
          new AbortController().signal
        )
      )
    }
    await expect(note('')).rejects.toMatchObject({ sentence: { id: 'jobs.noteNeedsName' } })
    await note('Ana Torres')
    expect(notesOf(job.jobs.show(job.id).steps.find(({ id }) => id === 'identity')!)).toMatchObject([
      { by: 'Ana Torres', note: 'The card was exchanged' }
    ])
    expect(verifyChain(job.id, job.jobs.journal(job.id))).toEqual({ ok: true })
    await job.run('sign-off')
    await expect(note('Ana Torres')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })

  it('has to be accepted again when the step ran again, and cannot be accepted after the signature', async () => {
    await warn()
    await accept('Ana Torres')
    expect(await job.run('identity')).toMatchObject({ state: 'warn' })
    expect(acceptance()).toBeNull()
    expect((await job.run('sign-off')).state).toBe('pass')
    await expect(accept('Ana Torres')).rejects.toMatchObject({ sentence: { id: 'jobs.closed' } })
  })

  it('is evidence of a person', async () => {
    await warn()
    await accept('Ana Torres')
    expect(job.jobs.journal(job.id).at(-1)).toMatchObject({
      type: 'evidence',
      stepId: 'identity',
      data: {
        witness: 'person',
        what: { id: 'jobs.accepted', values: { by: 'Ana Torres' } },
        raw: { by: 'Ana Torres' }
      }
    })
  })
})

describe('A job and its log', () => {
  it('say the same at every entry, also of a step that was stopped, answered and run again', async () => {
    job = openVirtualJob([question, standardStep('position'), standardStep('sign-off')])
    await job.connect()
    job.begin('mounted')
    await job.pass(100)
    await job.jobs.stopStep(job.id, 'mounted')
    job.answers = { yesNo: { answer: false } }
    await job.run('mounted')
    job.answers = { yesNo: { answer: true }, signOff: { value: 'T' } }
    await job.run('mounted')
    await job.run('sign-off')
    const shown = job.jobs.show(job.id)
    const { operations: _operations, ...rest } = shown
    expect(readJob(job.id, job.jobs.journal(job.id))).toMatchObject(rest)
    expect(shown.steps.map((step) => step.state)).toEqual(['pass', 'pass', 'pass'])
  })

  it('never show what could not be written, and the step is not passed', async () => {
    job = openVirtualJob([question, standardStep('sign-off')])
    await job.connect()
    job.begin('mounted')
    await job.pass(100)
    job.logFails = true
    expect(() => job.jobs.answer(job.id, 'mounted', { answer: true })).toThrow('The disk is full')
    job.logFails = false
    expect(job.step('mounted').state).toBe('running')
    const before = job.jobs.journal(job.id).length
    job.jobs.answer(job.id, 'mounted', { answer: true })
    job.logFails = true
    await job.pass(1_000)
    expect(job.faults).toMatchObject([{ code: 'DATA_UNUSABLE' }])
    expect(job.step('mounted')).toMatchObject({ state: 'running', summary: '' })
    expect(job.jobs.journal(job.id).length).toBe(before + 1)
    job.logFails = false
    job.answers = { yesNo: { answer: true } }
    expect((await job.run('mounted')).state).toBe('pass')
  })

  it('tell that a result cannot be kept, never show it as passed, and keep it by themselves when the disk takes it again', async () => {
    let hasRoom: () => void = () => undefined
    job = openVirtualJob([question], 'Truck 1', {
      diskUsable: () => (job.logFails ? new Promise((resolve) => (hasRoom = resolve)) : undefined)
    })
    await job.connect()
    job.begin('mounted')
    await job.pass(100)
    job.jobs.answer(job.id, 'mounted', { answer: true })
    job.logFails = (type) => type === 'stepEnded'
    await job.pass(1_000)
    expect(job.step('mounted').state).toBe('running')
    expect(job.jobs.live(job.id).steps).toMatchObject([
      { stepId: 'mounted', prompt: null, hint: { id: 'jobs.notKeptYet' } }
    ])
    job.logFails = false
    hasRoom()
    await job.pass(100)
    expect(job.step('mounted').state).toBe('pass')
    expect(job.jobs.live(job.id).steps).toEqual([])
    expect(job.faults).toEqual([])
  })

  it('put a step back whose evidence could not be kept, with the reason, as soon as the disk takes that', async () => {
    let hasRoom: () => void = () => undefined
    job = openVirtualJob([question], 'Truck 1', {
      diskUsable: () => (job.logFails ? new Promise((resolve) => (hasRoom = resolve)) : undefined)
    })
    await job.connect()
    job.begin('mounted')
    await job.pass(100)
    job.jobs.answer(job.id, 'mounted', { answer: true })
    job.logFails = true
    await job.pass(1_000)
    expect(job.step('mounted').state).toBe('running')
    job.logFails = false
    hasRoom()
    await job.pass(100)
    expect(job.step('mounted')).toMatchObject({
      state: 'waiting',
      summary: expect.stringContaining('could not be saved') as string
    })
  })

  it('close what was signed when Fitter stopped before the job was closed', async () => {
    job = openVirtualJob([standardStep('sign-off')])
    job.answers = { signOff: { value: 'T' } }
    await job.connect()
    job.logFails = (type) => type === 'stateChanged'
    await expect(job.run('sign-off')).rejects.toThrow('The disk is full')
    expect(job.step('sign-off').state).toBe('pass')
    expect(job.jobs.show(job.id).state).toBe('running')
    job.logFails = false
    job.restart()
    expect(job.jobs.show(job.id).state).toBe('done')
  })
})

describe('A measured value', () => {
  it.each([
    ['12,6', 'pass'],
    ['9', 'fail'],
    [12.6, 'pass']
  ])('%s: %s', async (value, state) => {
    job = openVirtualJob([
      stepOfWords({
        id: 'supply',
        kind: 'measurement',
        title: 'Supply',
        instruction: 'Measure the supply.',
        unit: 'V',
        min: 11,
        max: 15
      })
    ])
    job.answers = { value: { value } }
    await job.connect()
    expect((await job.run('supply')).state).toBe(state)
  })

  it('without limits is received: the job can be signed off, and counts no pass for it', async () => {
    job = openVirtualJob([
      stepOfWords({
        id: 'supply',
        kind: 'measurement',
        title: 'Supply',
        instruction: 'Measure the supply.',
        unit: 'V'
      }),
      stepOfWords({ id: 'sign-off', kind: 'signOff', title: 'Sign-off', instruction: 'Sign.' })
    ])
    job.answers = { value: { value: 12.6 }, signOff: { value: 'T' } }
    await job.connect()
    expect(await job.run('supply')).toMatchObject({ state: 'received', summary: '12.6 V', witness: ['person'] })
    expect(await job.run('sign-off')).toMatchObject({ state: 'pass' })
    expect(job.jobs.list({ limit: 1 }).jobs[0]).toMatchObject({
      state: 'done',
      counts: { pass: 1, received: 1 },
      beads: ['received', 'pass']
    })
  })

  it('is never made of nothing', async () => {
    job = openVirtualJob([
      stepOfWords({ id: 'supply', kind: 'measurement', title: 'Supply', instruction: 'Measure the supply.', unit: 'V' })
    ])
    await job.connect()
    job.begin('supply')
    await job.pass(100)
    job.jobs.answer(job.id, 'supply', { value: '' })
    await job.pass(100)
    expect(job.live('supply')).toMatchObject({ hint: 'Enter a number.', prompt: { kind: 'value' } })
  })
})

describe('A damaged log', () => {
  it('of one running job keeps no other job away, and stands as damaged beside the others', async () => {
    job = openVirtualJob([question])
    await job.connect()
    const device = { imei: virtualImei, model: 'ft4', address: 'ft4.local:8080' }
    const other = job.jobs.create({ templateId: 'some-steps', device, vehicleText: '', customer: '' })
    job.begin('mounted')
    await job.pass(100)
    const { id } = job
    job.restart((file) => {
      const data = new Database(file)
      data.exec('drop trigger journal_is_never_changed')
      data
        .prepare('update journal set data = \'{"attempt":"one"}\' where job_id = ? and type = \'stepStarted\'')
        .run(id)
      data.close()
    })
    const listed = job.jobs.list({ limit: 100 }).jobs
    expect(listed.find((one) => one.id === id)).toMatchObject({ damage: { id: 'damage.jobBroken' } })
    expect(listed.find((one) => one.id === other)).toMatchObject({ damage: null })
    expect(job.jobs.show(id)).toMatchObject({ damage: { why: { id: 'damage.jobBroken' } } })
    expect(job.jobs.show(other).state).toBe('draft')
    expect(job.jobs.hasDeferred()).toBe(false)
  })
})
