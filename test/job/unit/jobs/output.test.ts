import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { quickProfile, standardStep } from '../../../world/device/quickProfile.ts'
import { leaveOnAtGateway } from '../../../world/device/outputs.ts'
import { openVirtualJob, virtualImei, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob
beforeEach(async () => {
  job = openVirtualJob([standardStep('output-1'), standardStep('sign-off')])
  job.answers = { arm: { armed: true }, effect: { effect: true } }
  await job.connect()
})
afterEach(() => job.close())

const sawOn = () => job.commands.filter((command) => command === 'OUT1 on').length

describe('The test of an output', () => {
  it('switches on once and off once, and passes on the read-back and the word of the person', async () => {
    const step = await job.run('output-1')
    expect(step).toMatchObject({ state: 'pass', witness: ['device', 'person'] })
    expect(job.commands).toEqual(['OUT1 on', 'OUT1 off'])
    expect(job.vehicle.state().outputs.OUT1).toBe(false)
  })

  it.each<[string, (vehicle: VirtualJob) => void]>([
    ['the vehicle moves', ({ vehicle }) => (vehicle.turnKey('crank'), vehicle.drive(true))],
    ['the engine runs', ({ vehicle }) => vehicle.turnKey('crank')],
    ['motion is reported', (bench) => bench.spoil('io.all', (raw) => ({ ...raw, MOT: true }))],
    ['motion cannot be read', (bench) => bench.spoil('io.all', (raw) => ({ ...raw, MOT: 'false' }))],
    ['the engine cannot be read', (bench) => bench.spoil('io.all', ({ TIG: _TIG, ...raw }) => raw)],
    ['the output cannot be read back', (bench) => bench.spoil('io.all', ({ OUT1: _OUT1, ...raw }) => raw)],
    ['its short-circuit sign cannot be read', (bench) => bench.spoil('io.all', (raw) => ({ ...raw, SO1: null }))],
    ['it is already on', ({ vehicle }) => vehicle.setOutput('OUT1', true)],
    [
      'the speed cannot be read',
      (bench) => bench.spoil('gps.position', (raw) => ({ ...raw, coords: { ...(raw.coords as object), speed: '0' } }))
    ],
    [
      'the speed is unknown',
      (bench) => bench.spoil('gps.position', (raw) => ({ ...raw, coords: { ...(raw.coords as object), speed: -1 } }))
    ],
    [
      'there is no fix',
      (bench) => bench.spoil('gps.position', (raw) => ({ ...raw, extras: { ...(raw.extras as object), fix: 0 } }))
    ],
    [
      'the time stamp of the fix stands still',
      (bench) => bench.spoil('gps.position', (raw) => ({ ...raw, timestamp: 1_700_000_000 }))
    ],
    ['the fix has no time stamp', (bench) => bench.spoil('gps.position', ({ timestamp: _timestamp, ...raw }) => raw)],
    ['the position does not come', (bench) => bench.breakDevice('gps.position', 'hang')],
    ['the lines do not come any more', (bench) => bench.breakDevice('io.all', 'hang')],
    ['the device does not answer', (bench) => bench.breakDevice('all', 'hang')],
    [
      'the device refuses us',
      (bench) => bench.breakDevice('io.all', new AppError('NOT_AUTHENTICATED', plainMessage('Wrong password.')))
    ]
  ])('is never begun while %s', async (_why, make) => {
    make(job)
    await job.pass(3_000)
    const step = await job.run('output-1')
    expect(['fail', 'unreadable']).toContain(step.state)
    expect(sawOn()).toBe(0)
  })

  it('is never begun before the device is known to be the right one', async () => {
    await job.close()
    job = openVirtualJob([standardStep('identity'), standardStep('output-1')])
    job.answers = { arm: { armed: true }, effect: { effect: true } }
    await job.connect()
    expect(await job.run('output-1')).toMatchObject({
      state: 'fail',
      remedy: expect.stringContaining('Run the Identity step first') as string
    })
    expect(job.commands).toEqual([])
  })

  it('is stopped by an engine that starts during the countdown, and wants to be armed anew', async () => {
    job.answers = {}
    job.begin('output-1')
    await job.pass(1_000)
    job.jobs.answer(job.id, 'output-1', { armed: true })
    await job.pass(300)
    job.spoil('io.all', (raw) => ({ ...raw, TIG: true }))
    await job.pass(2_000)
    expect(job.commands).toEqual([])
    expect(job.live('output-1')).toMatchObject({
      say: 'Turn the engine off first. Then hold to switch OUT1 on.',
      prompt: null,
      hint: 'The countdown stopped. Missing: the engine off.'
    })
    job.spoil('io.all', (raw) => raw)
    await job.pass(2_000)
    expect(job.commands).toEqual([])
    expect(job.live('output-1')?.prompt?.kind).toBe('arm')
  })

  it('asks for nothing when the fix loses its time stamp: an earlier one does not keep it fresh', async () => {
    job.answers = {}
    job.begin('output-1')
    await job.pass(3_000)
    expect(job.live('output-1')?.prompt?.kind).toBe('arm')
    job.spoil('gps.position', ({ timestamp: _timestamp, ...raw }) => raw)
    await job.pass(1_000)
    expect(job.live('output-1')).toMatchObject({
      say: 'Wait for a fresh position, with a clear view of the sky. Then hold to switch OUT1 on.',
      prompt: null
    })
  })

  it('is not switched by us when somebody else switches it on during the countdown', async () => {
    job.answers = {}
    job.begin('output-1')
    await job.pass(1_000)
    job.jobs.answer(job.id, 'output-1', { armed: true })
    await job.pass(200)
    job.vehicle.setOutput('OUT1', true)
    await job.pass(2_000)
    expect(job.commands).toEqual([])
    expect(job.live('output-1')?.say).toBe(
      'The output is already on. Switch it off first. Then hold to switch OUT1 on.'
    )
  })

  it.each<[string, (bench: VirtualJob) => void]>([
    ['the vehicle moves', (bench) => bench.spoil('io.all', (raw) => ({ ...raw, MOT: true }))],
    ['motion can no longer be read', (bench) => bench.spoil('io.all', ({ MOT: _MOT, ...raw }) => raw)],
    ['the speed can no longer be read', (bench) => bench.spoil('gps.position', (raw) => ({ ...raw, coords: null }))]
  ])('goes off within a second when %s while it is on', async (_why, make) => {
    job.answers = { arm: { armed: true } }
    job.begin('output-1')
    await job.pass(2_500)
    expect(job.vehicle.state().outputs.OUT1).toBe(true)
    make(job)
    await job.pass(1_000)
    expect(job.vehicle.state().outputs.OUT1).toBe(false)
    await job.pass(1_000)
    expect(job.step('output-1').state).toBe('fail')
    expect(job.commands).toEqual(['OUT1 on', 'OUT1 off'])
  })

  it('goes off although the position hangs while the vehicle moves', async () => {
    job.answers = { arm: { armed: true } }
    job.begin('output-1')
    await job.pass(2_500)
    job.breakDevice('gps.position', 'hang')
    await job.pass(600)
    job.spoil('io.all', (raw) => ({ ...raw, MOT: true }))
    await job.pass(1_000)
    expect(job.vehicle.state().outputs.OUT1).toBe(false)
  })

  it('says while it is on that it is on for this test, and counts down to when it goes off', async () => {
    job.answers = { arm: { armed: true } }
    job.begin('output-1')
    await job.pass(2_500)
    const leftOf = () =>
      Number(/^OUT1 is on\. It goes off when you answer, or in 0:(\d\d)\.$/.exec(job.live('output-1')?.hint ?? '')?.[1])
    const leftS = leftOf()
    expect(job.live('output-1')?.conditions?.find(({ id }) => id === 'outputOff')).toMatchObject({
      holds: true,
      what: { id: 'output.onForTest' },
      todo: null
    })
    await job.pass(1_000)
    expect(leftOf()).toBe(leftS - 1)
  })

  it('says since when it is on and on which whole second it goes off, and how old each reading is', async () => {
    job.answers = { arm: { armed: true } }
    job.begin('output-1')
    await job.pass(2_500)
    const first = job.live('output-1')
    const offAtMs = Date.parse(first?.output?.offAt ?? '')
    expect(offAtMs % 1_000).toBe(0)
    const onS = (offAtMs - Date.parse(first?.output?.onSince ?? '')) / 1_000
    const { effectWithinS } = quickProfile.output
    expect(onS).toBeGreaterThan(effectWithinS - 1)
    expect(onS).toBeLessThanOrEqual(effectWithinS)
    expect(first?.conditions?.map(({ ageMs }) => typeof ageMs)).toEqual(first?.conditions?.map(() => 'number'))
    await job.pass(1_000)
    const { output, leftMs } = job.live('output-1') ?? {}
    expect(output).toEqual(first?.output)
    expect((first?.leftMs ?? 0) - (leftMs ?? 0)).toBe(1_000)
  })

  it('goes off when nobody answers', async () => {
    job.answers = { arm: { armed: true } }
    expect(await job.run('output-1')).toMatchObject({ state: 'fail', summary: 'Nobody confirmed the effect of OUT1' })
    expect(job.vehicle.state().outputs.OUT1).toBe(false)
  })

  it('fails when the person saw no effect', async () => {
    job.answers = { arm: { armed: true }, effect: { effect: false } }
    expect(await job.run('output-1')).toMatchObject({
      state: 'fail',
      remedy: 'Check the relay contacts and which wire they interrupt.'
    })
    expect(job.vehicle.state().outputs.OUT1).toBe(false)
  })

  it('fails on a short, and goes off', async () => {
    job.vehicle.setWiringFault('shortOnOut1', true)
    expect(await job.run('output-1')).toMatchObject({ state: 'fail', summary: 'OUT1 is shorted' })
    expect(job.vehicle.state().outputs.OUT1).toBe(false)
  })

  it.each(['stopStep', 'pause', 'stop', 'waive'] as const)('goes off when the work is ended by %s', async (how) => {
    job.answers = { arm: { armed: true } }
    job.begin('output-1')
    await job.pass(2_500)
    expect(job.vehicle.state().outputs.OUT1).toBe(true)
    const ended = {
      stopStep: () => job.jobs.stopStep(job.id, 'output-1'),
      pause: () => job.jobs.pause(job.id),
      stop: () => job.jobs.stop(),
      waive: () => job.jobs.waive(job.id, 'output-1', 'no relay fitted', 'T')
    }[how]()
    await job.pass(1_000)
    await ended
    expect(job.vehicle.state().outputs.OUT1).toBe(false)
    expect(job.step('output-1').state).toBe(how === 'waive' ? 'waived' : 'waiting')
    expect(job.faults).toEqual([])
  })

  it('goes off although the log can no longer be written', async () => {
    job.answers = { arm: { armed: true } }
    job.begin('output-1')
    await job.pass(2_500)
    job.logFails = true
    await job.pass(8_000)
    expect(job.vehicle.state().outputs.OUT1).toBe(false)
    expect(job.faults).toMatchObject([{ code: 'DATA_UNUSABLE' }])
    expect(job.step('output-1').state).not.toBe('pass')
  })

  it('says so when the output cannot be proved off, also when it was stopped, and then nobody signs off', async () => {
    job.answers = { arm: { armed: true }, signOff: { value: 'T' } }
    job.begin('output-1')
    await job.pass(2_500)
    job.breakDevice('io.setOutput', new AppError('UNREACHABLE', plainMessage('Gone.')))
    const stopped = job.jobs.stopStep(job.id, 'output-1')
    await job.pass(30_000)
    await stopped
    expect(job.step('output-1')).toMatchObject({ state: 'fail', summary: 'We could not confirm that OUT1 is off' })
    expect(job.commands.length).toBeGreaterThan(3)
    await job.jobs.waive(job.id, 'output-1', 'relay fuse is out', 'T')
    expect(await job.run('sign-off')).toMatchObject({ state: 'fail', summary: 'Not done: OUT1 not confirmed off' })

    job.breakDevice('io.setOutput', null)
    expect(await job.run('output-1')).toMatchObject({ state: 'fail', summary: 'Nobody confirmed the effect of OUT1' })
    expect(job.vehicle.state().outputs.OUT1).toBe(false)
  })

  it('keeps a job from being signed off while an output of its device may be on that no step switched', async () => {
    await job.run('output-1')
    job.answers.signOff = { value: 'T' }
    await leaveOnAtGateway(job.outputs, virtualImei)
    expect(await job.run('sign-off')).toMatchObject({ state: 'fail', summary: 'Not done: e 1 not confirmed off' })
    await job.outputs.confirmOff(job.outputs.ledger()[0]!.id, 'seen')
    expect(await job.run('sign-off')).toMatchObject({ state: 'pass' })
  })

  it('switches off first what a crash left on, before anything else is done', async () => {
    job.answers = { arm: { armed: true } }
    job.begin('output-1')
    await job.pass(2_500)
    const entries = job.store.jobs.journal(job.id)
    expect(entries.some((entry) => entry.type === 'deviceWrite')).toBe(true)
    // A second engine on the same data is what a restart after kill -9 sees: the first one never tells that it ended.
    job.logFails = true
    await job.pass(30_000)
    job.logFails = false
    job.vehicle.setOutput('OUT1', true)
    job.commands.length = 0
    job.restart()
    await job.connect()
    expect(job.commands).toEqual(['OUT1 off'])
    expect(job.vehicle.state().outputs.OUT1).toBe(false)
    expect(job.step('output-1')).toMatchObject({
      state: 'waiting',
      summary: 'Interrupted: Fitter stopped while this was running'
    })
  })

  it('watches a while after an "on" whose answer was lost, and switches off what comes on late', async () => {
    job.breakDevice('io.setOutput', 'hang')
    job.begin('output-1')
    await job.pass(5_500)
    expect(sawOn()).toBe(1)
    job.breakDevice('io.setOutput', null)
    job.vehicle.setOutput('OUT1', true)
    await job.pass(8_000)
    expect(job.vehicle.state().outputs.OUT1).toBe(false)
    expect(sawOn()).toBe(1)
    expect(job.step('output-1')).toMatchObject({
      state: 'unreadable',
      summary: expect.stringContaining('The connection was lost while OUT1 was switched on') as string
    })
  })

  it('goes off when the position no longer comes although the device says that nothing moves', async () => {
    await job.close()
    const { effectWithinS } = quickProfile.output
    onTestFinished(() => void (quickProfile.output.effectWithinS = effectWithinS))
    quickProfile.output.effectWithinS = 60
    job = openVirtualJob([standardStep('output-1')])
    await job.connect()
    job.answers = { arm: { armed: true } }
    job.begin('output-1')
    await job.pass(2_500)
    expect(job.vehicle.state().outputs.OUT1).toBe(true)
    job.spoil('gps.position', (raw) => ({ ...raw, timestamp: Math.floor(Date.parse('2026-11-20T09:00:02Z') / 1000) }))
    await job.pass(12_000)
    expect(job.vehicle.state().outputs.OUT1).toBe(false)
    expect(job.step('output-1')).toMatchObject({
      state: 'fail',
      summary: 'OUT1 was switched off: the position is no longer fresh'
    })
  })

  it('switches off an "on" that takes effect only after 20 seconds', async () => {
    job.breakDevice('io.setOutput', 'hang')
    job.begin('output-1')
    await job.pass(5_500)
    job.breakDevice('io.setOutput', null)
    await job.pass(15_000)
    expect(job.step('output-1').state).toBe('unreadable')
    expect(job.outputs.ledger()).toMatchObject([{ output: 'OUT1', state: 'watched' }])
    job.vehicle.setOutput('OUT1', true)
    await job.pass(700)
    expect(job.step('output-1')).toMatchObject({
      state: 'fail',
      summary: expect.stringContaining('OUT1 switched on late, at ') as string,
      remedy: expect.stringContaining('OUT1 may still be on.') as string
    })
    await job.pass(2_000)
    expect(job.vehicle.state().outputs.OUT1).toBe(false)
    await job.pass(120_000)
    expect(job.outputs.ledger()).toEqual([])
    expect(
      job
        .step('output-1')
        .evidence.slice(-2)
        .map(({ what }) => what)
    ).toEqual([expect.stringContaining('switched on late'), expect.stringContaining('OUT1: off confirmed at ')])
    expect(job.step('output-1').remedy).toBe('Run the step again when the relay can be tested.')
  })

  it('is tried again after any time, as soon as the link is back', async () => {
    job.answers = { arm: { armed: true } }
    job.begin('output-1')
    await job.pass(2_500)
    job.breakDevice('all', new AppError('UNREACHABLE', plainMessage('Gone.')))
    await job.pass(60_000)
    expect(job.step('output-1')).toMatchObject({ state: 'fail', summary: 'We could not confirm that OUT1 is off' })
    expect(job.outputs.ledger()).toMatchObject([{ output: 'OUT1', state: 'mayBeOn', by: '', jobId: job.id }])
    job.breakDevice('all', null)
    await job.pass(4_000)
    expect(job.vehicle.state().outputs.OUT1).toBe(false)
    expect(job.outputs.ledger()).toEqual([])
    const told = expect.stringMatching(/^OUT1: off confirmed at .*, when the device was back$/) as string
    expect(job.step('output-1')).toMatchObject({
      state: 'fail',
      summary: told,
      remedy: 'Run the step again when the relay can be tested.'
    })
    expect(job.step('output-1').evidence.at(-1)?.what).toEqual(told)
  })

  it('keeps a job from being cancelled until it is proved off or seen off at the relay', async () => {
    job.answers = { arm: { armed: true } }
    job.begin('output-1')
    await job.pass(2_500)
    job.breakDevice('all', new AppError('UNREACHABLE', plainMessage('Gone.')))
    const cancelled = job.jobs.cancel(job.id, 'no time').catch((error: unknown) => error)
    await job.pass(20_000)
    expect(await cancelled).toMatchObject({
      code: 'CONFLICT',
      sentence: { id: 'jobs.outputMayBeOn', values: { outputs: ['OUT1'] } }
    })
    expect(job.jobs.show(job.id).state).toBe('running')
    const [entry] = job.outputs.ledger()
    job.outputs.confirmOff(entry!.id, 'fuse taken out')
    expect(job.outputs.ledger()).toEqual([])
    await job.jobs.cancel(job.id, 'no time')
    expect(job.jobs.show(job.id).state).toBe('cancelled')
  })

  it('takes an answer only to what it asks', async () => {
    job.answers = {}
    job.begin('output-1')
    await job.pass(1_000)
    expect(() => job.jobs.answer(job.id, 'output-1', { effect: true })).toThrow('jobs.asksSomethingElse')
    job.jobs.answer(job.id, 'output-1', { armed: true })
    expect(() => job.jobs.answer(job.id, 'output-1', { armed: true })).toThrow('jobs.nothingAsked')
  })
})
