import { afterEach, describe, expect, it } from 'vitest'
import { readJob } from '../../../main/jobs/journal.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { standardStep } from '../../support/quickProfile.ts'
import { openVirtualJob, virtualImei, type VirtualJob } from '../../support/virtualJob.ts'

let job: VirtualJob
afterEach(() => job.close())

const question = { id: 'mounted', kind: 'question', title: 'Mounted', instruction: 'Is the device screwed down?' } as const

describe('The identity of a device', () => {
  const impostor = '356938035643809'

  async function identify(make: (bench: VirtualJob) => void, label = virtualImei) {
    job = openVirtualJob([standardStep('identity'), standardStep('position'), standardStep('sign-off')])
    job.answers = { imei: { value: label }, signOff: { value: 'T' } }
    make(job)
    await job.connect()
    return job.run('identity')
  }

  it('passes when label, host name, modem, gateway and SIM agree, and then lets the checks begin that watch', async () => {
    expect(await identify(() => undefined)).toMatchObject({ state: 'pass', witness: ['device', 'gateway', 'person'] })
    await job.pass(500)
    expect(job.step('position').state).toBe('pass')
  })

  it.each<[string, (bench: VirtualJob) => void, string]>([
    ['the label', () => undefined, impostor],
    ['the host name', (bench) => bench.spoil('system.info', (raw) => ({ ...raw, hostname: `ft4-${impostor}` })), virtualImei],
    ['the modem', (bench) => bench.spoil('modem.information', (raw) => ({ ...raw, IMEI: impostor })), virtualImei]
  ])('fails, begins nothing and blocks the sign-off when %s says otherwise', async (who, make, label) => {
    expect(await identify(make, label)).toMatchObject({ state: 'fail', summary: expect.stringMatching(new RegExp(`^${who} says`)) as string })
    await job.pass(500)
    expect(job.step('position').state).toBe('waiting')
    expect(await job.run('sign-off')).toMatchObject({ state: 'fail' })
    expect(job.jobs.show(job.id).state).toBe('failed')
  })

  it('asks again for a label whose check digit does not fit', async () => {
    job = openVirtualJob([standardStep('identity')])
    await job.connect()
    job.begin('identity')
    await job.pass(100)
    job.jobs.answer(job.id, 'identity', { value: '490154203237519' })
    await job.pass(100)
    expect(job.live('identity')).toMatchObject({ hint: expect.stringContaining('no valid IMEI') as string, prompt: { kind: 'imei' } })
  })

  it.each<[string, (bench: VirtualJob) => void, string]>([
    ['another SIM that is known', (bench) => (bench.gateway.device = { simIds: ['8900110000000000025'], raw: null }), 'the SIM differs but is known'],
    ['another SIM', (bench) => Object.assign(bench.gateway, { device: { simIds: ['8900110000000000025'], raw: null }, sims: [] }), 'another SIM'],
    ['no such device', (bench) => (bench.gateway.device = null), 'does not show this device']
  ])('warns when the gateway has %s', async (_what, make, summary) => {
    expect(await identify(make)).toMatchObject({ state: 'warn', summary: expect.stringContaining(summary) as string })
  })

  it('is finished later when the gateway is out of reach, and holds nothing up', async () => {
    expect(await identify((bench) => (bench.gateway.isAway = new AppError('UNREACHABLE', 'No internet.')))).toMatchObject({ state: 'deferred', witness: ['device', 'person'] })
    await job.pass(500)
    expect(job.step('position').state).toBe('pass')
    expect((await job.run('sign-off')).state).toBe('pass')
    expect(job.jobs.show(job.id).state).toBe('installedAwaitingGateway')

    job.gateway.isAway = null
    const finishing = [job.jobs.finishDeferred(new AbortController().signal), job.jobs.finishDeferred(new AbortController().signal)]
    await job.pass(1_000)
    await Promise.all(finishing)
    expect(job.step('identity')).toMatchObject({ state: 'pass', attempts: 2, summary: 'label = host name = modem = gateway, same SIM' })
    expect(job.jobs.show(job.id).state).toBe('done')
  })
})

describe('Work that was left for the gateway', () => {
  async function signOffWithoutGateway() {
    job = openVirtualJob([standardStep('position'), standardStep('delivered'), standardStep('same-place'), standardStep('vehicle'), standardStep('sign-off')])
    job.answers = { signOff: { value: 'T' } }
    job.gateway.isAway = new AppError('UNREACHABLE', 'No internet.')
    await job.connect()
    await job.run('vehicle')
    await job.pass(15_000)
    expect((await job.run('sign-off')).state).toBe('pass')
    expect(job.jobs.show(job.id).state).toBe('installedAwaitingGateway')
    job.gateway.isAway = null
  }

  async function finish() {
    const finishing = job.jobs.finishDeferred(new AbortController().signal)
    await job.pass(2_000)
    await finishing
  }

  it('is done from the evidence of the day when the gateway is back, also after a restart', async () => {
    await signOffWithoutGateway()
    job.restart()
    await finish()
    expect(job.jobs.show(job.id)).toMatchObject({ state: 'done', vehicle: { id: 7 } })
  })

  it('fails the job when the gateway says otherwise', async () => {
    await signOffWithoutGateway()
    job.gateway.entities = job.gateway.entities.map((vehicle) => ({ ...vehicle, imei: '356938035643809' }))
    await finish()
    expect(job.jobs.show(job.id).state).toBe('failed')
    expect(job.step('vehicle').state).toBe('fail')
  })

  it('does not hold the place of the day against an event of another time', async () => {
    await signOffWithoutGateway()
    const events = job.gateway.events
    job.gateway.events = () => events().map((seen) => ({ ...seen, eventAtMs: seen.eventAtMs + 86_400_000, latitude: 10 }))
    await finish()
    expect(job.step('same-place').state).toBe('deferred')
    expect(job.jobs.show(job.id).state).toBe('installedAwaitingGateway')
  })

  it('is done as soon as the gateway is back while the job is still being worked on', async () => {
    job = openVirtualJob([standardStep('position'), standardStep('delivered'), standardStep('vehicle'), standardStep('sign-off')])
    job.gateway.isAway = new AppError('UNREACHABLE', 'No internet.')
    await job.connect()
    await job.run('vehicle')
    await job.pass(15_000)
    expect(job.jobs.hasDeferred()).toBe(true)
    job.gateway.isAway = null
    await finish()
    expect([job.step('vehicle').state, job.step('delivered').state]).toEqual(['pass', 'pass'])
    expect(job.jobs.hasDeferred()).toBe(false)
    expect(job.jobs.show(job.id).state).toBe('running')
  })

  it('leaves no half step behind when the log fails in the middle', async () => {
    await signOffWithoutGateway()
    job.logFails = true
    const finishing = job.jobs.finishDeferred(new AbortController().signal).catch((error: unknown) => error)
    await job.pass(2_000)
    expect(await finishing).toMatchObject({ code: 'DATA_UNUSABLE' })
    job.logFails = false
    expect(job.step('vehicle').state).toBe('deferred')
    await finish()
    expect(job.jobs.show(job.id).state).toBe('done')
  })
})

describe('A waiver', () => {
  it('needs a reason, shows it, lets the job be signed off, and is not to be had for the sign-off', async () => {
    job = openVirtualJob([question, standardStep('sign-off')])
    job.answers = { signOff: { value: 'T' } }
    await job.connect()
    await expect(job.jobs.waive(job.id, 'mounted', '  ', 'T')).rejects.toThrow('only with a reason')
    await expect(job.jobs.waive(job.id, 'sign-off', 'in a hurry', 'T')).rejects.toThrow('cannot be waived')
    expect(await job.run('sign-off')).toMatchObject({ state: 'fail', summary: 'Not done: Mounted' })
    expect(job.jobs.show(job.id).state).toBe('failed')

    await job.jobs.waive(job.id, 'mounted', 'The customer mounts it', 'T')
    expect(job.step('mounted')).toMatchObject({ state: 'waived', summary: 'Waived: The customer mounts it', waiver: { reason: 'The customer mounts it', by: 'T' }, witness: ['person'] })
    expect((await job.run('sign-off')).state).toBe('pass')
    expect(job.jobs.show(job.id).state).toBe('done')
    await expect(job.jobs.waive(job.id, 'mounted', 'once more', 'T')).rejects.toThrow('closed')
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
    await expect(job.jobs.runStep(job.id, 'mounted')).rejects.toThrow('not connected')
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
    expect(() => job.jobs.answer(job.id, 'mounted', { answer: true })).toThrow('does not ask')
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

  it.each(['position', 'network', 'external-power', 'ignition', 'inputs', 'output-1', 'alignment'])('lets %s end as unreadable when the device falls silent', async (stepId) => {
    job = openVirtualJob([standardStep('identity'), standardStep(stepId)])
    await job.connect()
    await job.jobs.waive(job.id, 'identity', 'only for this test', 'T')
    job.breakDevice('all', new AppError('UNREACHABLE', 'Nothing answers.'))
    await job.pass(1_000)
    const step = await job.run(stepId)
    expect(['unreadable', 'fail']).toContain(step.state)
    expect(step.remedy).not.toBe('')
    expect(step.state === 'unreadable' || /the device answers/.test(step.summary)).toBe(true)
  })
})

describe('A measured value', () => {
  it.each([
    ['12,6', 'pass'],
    ['9', 'fail'],
    [12.6, 'pass']
  ])('%s: %s', async (value, state) => {
    job = openVirtualJob([{ id: 'supply', kind: 'measurement', title: 'Supply', instruction: 'Measure the supply.', unit: 'V', min: 11, max: 15 }])
    job.answers = { value: { value } }
    await job.connect()
    expect((await job.run('supply')).state).toBe(state)
  })

  it('is never made of nothing', async () => {
    job = openVirtualJob([{ id: 'supply', kind: 'measurement', title: 'Supply', instruction: 'Measure the supply.', unit: 'V' }])
    await job.connect()
    job.begin('supply')
    await job.pass(100)
    job.jobs.answer(job.id, 'supply', { value: '' })
    await job.pass(100)
    expect(job.live('supply')).toMatchObject({ hint: 'Type a number.', prompt: { kind: 'value' } })
  })
})
