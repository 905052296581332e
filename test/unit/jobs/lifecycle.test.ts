import Database from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { createJobHandlers, type JobHandlerParts } from '../../../main/jobs/handlers.ts'
import { createGatewayFinish } from '../../../main/jobs/finish/gatewayFinish.ts'
import { readJob } from '../../../main/jobs/record/journal.ts'
import { acceptanceOf, notesOf } from '../../../preload/jobs/acceptance.ts'
import { verifyChain } from '../../../main/store/jobs/seal.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { stepOfWords } from '../../support/english.ts'
import { standardStep } from '../../support/quickProfile.ts'
import { event, openVirtualJob, virtualImei, type VirtualJob } from '../../support/virtualJob.ts'

let job: VirtualJob
afterEach(() => job.close())

const question = stepOfWords({ id: 'mounted', kind: 'question', title: 'Mounted', instruction: 'Is the device screwed down?' })

describe('A step that a window skips', () => {
  const skip = (technician: string) => {
    const handlers = createJobHandlers({ jobs: job.jobs, technician: () => technician } as JobHandlerParts)
    return handlers['jobs.waive']({ id: job.id, stepId: 'mounted', reason: 'The customer mounts it' }, new AbortController().signal)
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
    job = openVirtualJob([{ ...standardStep('ignition'), guide: { wires: [{ line: 'IGN', pin: '3', wire: plainMessage('black and blue') }] } }, standardStep('sign-off')])
    expect(job.jobs.show(job.id).guides).toEqual({ ignition: { wires: [{ line: 'IGN', pin: '3', wire: plainMessage('black and blue') }] } })
  })
})

describe('What the next job may take over', () => {
  const remembered = () => createJobHandlers({ jobs: job.jobs } as JobHandlerParts)['jobs.remembered']({}, new AbortController().signal)

  it('is that there was no trailer or driver, where the latest job had none', async () => {
    job = openVirtualJob([standardStep('link'), standardStep('sign-off')])
    await job.connect()
    expect(await remembered()).not.toHaveProperty('withoutTrailer')
    job.answers = { choose: { choose: '' } }
    expect(await job.run('link')).toMatchObject({ state: 'notApplicable' })
    expect(await remembered()).toMatchObject({ withoutTrailer: job.jobs.show(job.id).template.id })
  })
})

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
    expect(job.live('identity')).toMatchObject({ hint: expect.stringContaining('not a valid IMEI') as string, prompt: { kind: 'imei' } })
  })

  it.each<[string, (bench: VirtualJob) => void, string]>([
    ['another SIM that is known', (bench) => (bench.gateway.device = { imei: virtualImei, simIds: ['8900110000000000025'], raw: null }), 'the SIM differs but is known'],
    ['another SIM', (bench) => Object.assign(bench.gateway, { device: { imei: virtualImei, simIds: ['8900110000000000025'], raw: null }, sims: [] }), 'another SIM'],
    ['no such device', (bench) => (bench.gateway.device = null), 'does not show this device']
  ])('warns when the gateway has %s', async (_what, make, summary) => {
    expect(await identify(make)).toMatchObject({ state: 'warn', summary: expect.stringContaining(summary) as string })
  })

  it('is finished later when the gateway is out of reach, and holds nothing up', async () => {
    expect(await identify((bench) => (bench.gateway.isAway = new AppError('UNREACHABLE', plainMessage('No internet.'))))).toMatchObject({ state: 'deferred', witness: ['device', 'person'] })
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

describe('Work that was left for the gateway', () => {
  async function signOffWithoutGateway() {
    job = openVirtualJob([standardStep('position'), standardStep('delivered'), standardStep('same-place'), standardStep('vehicle'), standardStep('sign-off')])
    job.answers = { signOff: { value: 'T' } }
    job.gateway.isAway = new AppError('UNREACHABLE', plainMessage('No internet.'))
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
    job.gateway.events = () => events().map((seen) => ({ ...seen, eventAtMs: seen.eventAtMs - 86_400_000, ageS: seen.ageS + 86_400, latitude: 10 }))
    await finish()
    expect(job.step('same-place').state).toBe('deferred')
    expect(job.jobs.show(job.id).state).toBe('installedAwaitingGateway')
  })

  it('is done as soon as the gateway is back while the job is still being worked on', async () => {
    job = openVirtualJob([standardStep('position'), standardStep('delivered'), standardStep('vehicle'), standardStep('sign-off')])
    job.gateway.isAway = new AppError('UNREACHABLE', plainMessage('No internet.'))
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

  it('is noticed at the first job that waits for it: the thousands behind it are not read', () => {
    job = openVirtualJob([question])
    const read: string[] = []
    const log = {
      *inState() {
        for (const id of ['first', 'second']) {
          read.push(id)
          yield { id }
        }
      },
      runningWith: () => expect.fail('read')
    }
    expect(createGatewayFinish({ log, logs: {} } as never).hasAny()).toBe(true)
    expect(read).toEqual(['first'])
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
    await expect(job.jobs.waive(job.id, 'mounted', '  ', 'T')).rejects.toThrow('jobs.waiverNeedsReason')
    await expect(job.jobs.waive(job.id, 'sign-off', 'in a hurry', 'T')).rejects.toThrow('jobs.signOffNotWaived')
    expect(await job.run('sign-off')).toMatchObject({ state: 'fail', summary: 'Not done: Mounted' })
    expect(job.jobs.show(job.id).state).toBe('failed')

    await job.jobs.waive(job.id, 'mounted', 'The customer mounts it', 'T')
    expect(job.step('mounted')).toMatchObject({ state: 'waived', summary: 'Skipped: The customer mounts it', waiver: { reason: 'The customer mounts it', by: 'T' }, witness: ['person'] })
    expect((await job.run('sign-off')).state).toBe('pass')
    expect(job.jobs.show(job.id).state).toBe('done')
    await expect(job.jobs.waive(job.id, 'mounted', 'once more', 'T')).rejects.toThrow('closed')
  })
})

describe('A warning', () => {
  const accept = (technician: string) => {
    const handlers = createJobHandlers({ jobs: job.jobs, technician: () => technician } as JobHandlerParts)
    return Promise.resolve().then(() => handlers['jobs.accept']({ id: job.id, stepId: 'identity' }, new AbortController().signal))
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
      return Promise.resolve().then(() => handlers['jobs.note']({ id: job.id, stepId: 'identity', note: 'The card was exchanged' }, new AbortController().signal))
    }
    await expect(note('')).rejects.toMatchObject({ sentence: { id: 'jobs.noteNeedsName' } })
    await note('Ana Torres')
    expect(notesOf(job.jobs.show(job.id).steps.find(({ id }) => id === 'identity')!)).toMatchObject([{ by: 'Ana Torres', note: 'The card was exchanged' }])
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

  it('is nothing that an earlier version cannot read: its entry is evidence of a person', async () => {
    await warn()
    await accept('Ana Torres')
    expect(job.jobs.journal(job.id).at(-1)).toMatchObject({ type: 'evidence', stepId: 'identity', data: { witness: 'person', what: { id: 'jobs.accepted', values: { by: 'Ana Torres' } }, raw: { by: 'Ana Torres' } } })
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
    job = openVirtualJob([question], 'Truck 1', { diskUsable: () => (job.logFails ? new Promise((resolve) => (hasRoom = resolve)) : undefined) })
    await job.connect()
    job.begin('mounted')
    await job.pass(100)
    job.jobs.answer(job.id, 'mounted', { answer: true })
    job.logFails = (type) => type === 'stepEnded'
    await job.pass(1_000)
    expect(job.step('mounted').state).toBe('running')
    expect(job.jobs.live(job.id).steps).toMatchObject([{ stepId: 'mounted', prompt: null, hint: { id: 'jobs.notKeptYet' } }])
    job.logFails = false
    hasRoom()
    await job.pass(100)
    expect(job.step('mounted').state).toBe('pass')
    expect(job.jobs.live(job.id).steps).toEqual([])
    expect(job.faults).toEqual([])
  })

  it('put a step back whose evidence could not be kept, with the reason, as soon as the disk takes that', async () => {
    let hasRoom: () => void = () => undefined
    job = openVirtualJob([question], 'Truck 1', { diskUsable: () => (job.logFails ? new Promise((resolve) => (hasRoom = resolve)) : undefined) })
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
    expect(job.step('mounted')).toMatchObject({ state: 'waiting', summary: expect.stringContaining('could not be saved') as string })
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

  it.each(['position', 'network', 'external-power', 'ignition', 'inputs', 'output-1', 'alignment'])('lets %s end as unreadable when the device falls silent', async (stepId) => {
    job = openVirtualJob([standardStep('identity'), standardStep(stepId)])
    await job.connect()
    await job.jobs.waive(job.id, 'identity', 'only for this test', 'T')
    job.breakDevice('all', new AppError('UNREACHABLE', plainMessage('Nothing answers.')))
    await job.pass(1_000)
    const step = await job.run(stepId)
    expect(['unreadable', 'fail']).toContain(step.state)
    expect(step.remedy).not.toBe('')
    expect(step.state === 'unreadable' || /an answer from the device/.test(step.summary)).toBe(true)
  })
})

describe('A measured value', () => {
  it.each([
    ['12,6', 'pass'],
    ['9', 'fail'],
    [12.6, 'pass']
  ])('%s: %s', async (value, state) => {
    job = openVirtualJob([stepOfWords({ id: 'supply', kind: 'measurement', title: 'Supply', instruction: 'Measure the supply.', unit: 'V', min: 11, max: 15 })])
    job.answers = { value: { value } }
    await job.connect()
    expect((await job.run('supply')).state).toBe(state)
  })

  it('is never made of nothing', async () => {
    job = openVirtualJob([stepOfWords({ id: 'supply', kind: 'measurement', title: 'Supply', instruction: 'Measure the supply.', unit: 'V' })])
    await job.connect()
    job.begin('supply')
    await job.pass(100)
    job.jobs.answer(job.id, 'supply', { value: '' })
    await job.pass(100)
    expect(job.live('supply')).toMatchObject({ hint: 'Enter a number.', prompt: { kind: 'value' } })
  })
})

describe('The chain of identity', () => {
  it.each([
    ['of another device', '356938035643809', 'fail', 'the gateway says 356938035643809'],
    ['that names no device', null, 'unreadable', 'does not say which device']
  ])('is broken by a record of the gateway %s, and the job cannot be signed', async (_what, imei, state, summary) => {
    job = openVirtualJob([standardStep('identity'), standardStep('sign-off')])
    job.answers = { imei: { value: virtualImei }, signOff: { value: 'T' } }
    job.gateway.device = { imei, simIds: [], raw: null }
    await job.connect()
    expect(await job.run('identity')).toMatchObject({ state, summary: expect.stringContaining(summary) as string })
    expect((await job.run('sign-off')).state).toBe('fail')
  })

  it('is never mended by a waiver, also not after the step was begun again and stopped', async () => {
    job = openVirtualJob([standardStep('identity'), standardStep('sign-off')])
    job.answers = { imei: { value: '356938035643809' } }
    await job.connect()
    await job.run('identity')
    await expect(job.jobs.waive(job.id, 'identity', 'it will be fine', 'T')).rejects.toThrow('jobs.otherDeviceNotWaived')
    job.answers = {}
    job.begin('identity')
    await job.pass(100)
    await job.jobs.stopStep(job.id, 'identity')
    expect(job.step('identity').state).toBe('waiting')
    await expect(job.jobs.waive(job.id, 'identity', 'it will be fine', 'T')).rejects.toThrow('jobs.otherDeviceNotWaived')
  })

  it('begins with the label that was scanned when the job was made, and asks again when that one is of another device', async () => {
    job = openVirtualJob([standardStep('identity')])
    const device = { imei: virtualImei, model: 'ft4', address: 'ft4.local:8080' }
    const make = (scannedImei: string) => job.jobs.create({ templateId: 'some-steps', device, vehicleText: '', customer: '', scannedImei })
    const run = async (id: string) => {
      const started = job.jobs.start(id, new AbortController().signal).then(() => job.jobs.runStep(id, 'identity'))
      await job.pass(3_000)
      await started
      const [step] = job.jobs.show(id).steps
      await job.jobs.pause(id)
      return step
    }
    expect(await run(make(virtualImei))).toMatchObject({ state: 'pass' })
    const wrong = make('356938035643809')
    expect(await run(wrong)).toMatchObject({ state: 'fail' })
    const again = job.jobs.start(wrong, new AbortController().signal).then(() => job.jobs.runStep(wrong, 'identity')).catch(() => undefined)
    await job.pass(1_000)
    expect(job.jobs.live(wrong).steps[0]?.prompt).toMatchObject({ kind: 'imei' })
    await job.jobs.pause(wrong)
    await again
  })
})

describe('A signed job that waits for the gateway', () => {
  async function sign(...steps: string[]) {
    job = openVirtualJob([...steps.map((id) => standardStep(id)), standardStep('sign-off')])
    job.answers = { signOff: { value: 'T' }, choose: { choose: 'Trailer 12' } }
    job.gateway.isAway = new AppError('UNREACHABLE', plainMessage('No internet.'))
    await job.connect()
    for (const id of steps) job.begin(id)
    await job.pass(8_000)
    await job.run('sign-off')
    expect(job.jobs.show(job.id).state).toBe('installedAwaitingGateway')
    job.gateway.isAway = null
  }
  async function finish(forMs = 2_000) {
    const finishing = job.jobs.finishDeferred(new AbortController().signal)
    await job.pass(forMs)
    await finishing
  }
  async function runAlone(stepId: string) {
    const run = job.jobs.runStep(job.id, stepId)
    await job.pass(1_000)
    await run
  }

  it.each<[string, (bench: VirtualJob) => void]>([
    ['names another device', (bench) => (bench.gateway.events = () => [event(bench.vehicle, { raw: { device_id: 356938035643809 } })])],
    ['names no device', (bench) => (bench.gateway.events = () => [event(bench.vehicle, { raw: {} })])],
    ['took an hour to arrive', (bench) => (bench.gateway.events = () => [event(bench.vehicle, { delayS: 3_600 })])],
    ['lies in the future', (bench) => (bench.gateway.events = () => [event(bench.vehicle, { eventAtMs: Date.now() + 3_600_000, ageS: -3_600, delayS: -3_600 })])]
  ])('does not take for delivered an event that %s', async (_what, make) => {
    await sign('delivered')
    make(job)
    await finish()
    expect(job.step('delivered').state).toBe('deferred')
  })

  it('warns of an event that was delivered slowly', async () => {
    await sign('delivered')
    job.gateway.events = () => [event(job.vehicle, { delayS: 200 })]
    await finish()
    expect(job.step('delivered').state).toBe('warn')
    expect(job.jobs.show(job.id).state).toBe('done')
  })

  it('fails when no event comes in the time of a live check, and can be run again without the device', async () => {
    await sign('delivered')
    const { events } = job.gateway
    job.gateway.events = () => []
    await job.pass(20_000)
    await finish()
    expect(job.step('delivered').state).toBe('fail')
    expect(job.jobs.show(job.id).state).toBe('failed')
    job.gateway.events = events
    await runAlone('delivered')
    expect(job.step('delivered').state).toBe('pass')
    expect(job.jobs.show(job.id).state).toBe('done')
  })

  it.each(['delivered', 'same-place', 'vehicle'])('fails when the gateway refuses to show %s, and may be waived', async (stepId) => {
    await sign(...(stepId === 'same-place' ? ['position', stepId] : [stepId]))
    job.gateway.isAway = new AppError('NOT_PERMITTED', plainMessage('Not permitted.'), { status: 403 })
    await finish()
    expect(job.step(stepId)).toMatchObject({ state: 'fail', summary: 'Not permitted.' })
    await job.jobs.waive(job.id, stepId, 'The office looked at it', 'T')
    expect(job.step(stepId)).toMatchObject({ state: 'waived', lastResult: { state: 'fail', summary: 'Not permitted.' } })
    expect(job.jobs.show(job.id).state).toBe('done')
  })

  it('may be waived while it waits, or cancelled, and takes nothing after that', async () => {
    await sign('vehicle', 'delivered')
    await job.jobs.waive(job.id, 'vehicle', 'The office looked at it', 'T')
    expect(job.jobs.show(job.id).state).toBe('installedAwaitingGateway')
    await job.jobs.cancel(job.id, 'taken out again')
    expect(job.jobs.show(job.id)).toMatchObject({ state: 'cancelled', cancelled: { reason: { values: { text: 'taken out again' } } } })
    await finish()
    expect(job.step('delivered').state).toBe('deferred')
    await expect(job.jobs.runStep(job.id, 'delivered')).rejects.toThrow('closed')
  })

  it('says to the person who looks again that the gateway is still away', async () => {
    await sign('vehicle')
    job.gateway.isAway = new AppError('UNREACHABLE', plainMessage('No internet.'))
    const run = job.jobs.beginStep({ id: job.id, stepId: 'vehicle' }, new AbortController().signal).catch((error: unknown) => error)
    await job.pass(1_000)
    expect(await run).toMatchObject({ code: 'UNREACHABLE' })
  })

  it('takes nothing more into its log, so that its seal stays', async () => {
    await sign('vehicle')
    const { seal } = job.jobs.show(job.id)
    const photo = { phase: 'readBack', operation: 'photocam.photo', input: {}, what: 'A photo', raw: null } as const
    expect(() => job.jobs.recordWrite(job.id, photo)).toThrow('signed')
    await finish()
    expect(job.jobs.show(job.id).state).toBe('done')
    expect(() => job.jobs.recordWrite(job.id, photo)).toThrow('closed')
    expect(job.jobs.show(job.id).seal).not.toBe(seal)
  })

  it('takes the link that is still meant, not one that was given up', async () => {
    await sign('link')
    job.operations = {
      ...job.operations,
      ofJob: () => [
        { id: 'a', kind: 'entities.link', state: 'cancelled', reason: 'Dropped.' },
        { id: 'b', kind: 'entities.link', state: 'pending', reason: 'Waiting.' }
      ]
    }
    await finish()
    expect(job.step('link').state).toBe('deferred')
    job.operations = { ...job.operations, ofJob: () => [{ id: 'a', kind: 'entities.link', state: 'cancelled', reason: 'Dropped.' }, { id: 'b', kind: 'entities.link', state: 'done', reason: 'Linked.' }] }
    await finish()
    expect(job.step('link')).toMatchObject({ state: 'pass', summary: 'Linked.' })
  })
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
      for (let n = 0; n < count; n++) job.jobs.recordWrite(job.id, { phase: 'readBack', operation: 'x', input: null, what: `entry ${n}`, raw: null })
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
    await expect(job.jobs.beginStep({ id: job.id, stepId: 'mounted' }, signal)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    await expect(job.jobs.beginStep({ id: job.id, stepId: 'no-such-step' }, signal)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(job.jobs.beginStep({ id: 'no-such-job', stepId: 'mounted' }, signal)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await job.connect()
    await expect(job.jobs.stopStep(job.id, 'no-such-step')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await job.jobs.cancel(job.id, 'wrong vehicle')
    await expect(job.jobs.beginStep({ id: job.id, stepId: 'mounted' }, signal)).rejects.toThrow('closed')
    expect(job.faults).toEqual([])
  })
})

describe('A job that goes on by itself', () => {
  it('begins the next step when all before it are settled, and waits after a failure', async () => {
    job = openVirtualJob([standardStep('identity'), standardStep('position'), question, standardStep('vehicle'), standardStep('sign-off')])
    job.answers = { imei: { value: virtualImei } }
    const started = job.jobs.start(job.id, new AbortController().signal, { goesOn: true })
    await job.pass(5_000)
    await started
    expect(job.step('position').state).toBe('pass')
    expect(job.live('mounted')?.prompt).toMatchObject({ kind: 'yesNo' })
    job.jobs.answer(job.id, 'mounted', { answer: false })
    await job.pass(5_000)
    expect(job.step('vehicle').state).toBe('waiting')
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
      data.prepare("update journal set data = '{\"attempt\":\"one\"}' where job_id = ? and type = 'stepStarted'").run(id)
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
