import { afterEach, describe, expect, it } from 'vitest'
import { AppError, type ErrorCode } from '../../../preload/contract/errors.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import type { TemplateStep } from '../../../preload/contract/jobs/steps/index.ts'
import { standardStep } from '../../support/quickProfile.ts'
import { event, gatewayLines, openVirtualJob, virtualImei, type VirtualJob } from '../../support/virtualJob.ts'

let job: VirtualJob
afterEach(() => job.close())

/** Connected to its device, with nothing running yet: what watches waits for the identity. */
async function open(stepId: string, more: Partial<TemplateStep> = {}): Promise<VirtualJob> {
  job = openVirtualJob([standardStep('identity'), standardStep(stepId, more), standardStep('sign-off')])
  await job.connect()
  await job.jobs.waive(job.id, 'identity', 'only for this test', 'T')
  await job.pass(600)
  return job
}

async function ended(stepId: string, maxMs = 120_000) {
  for (let waitedMs = 0; waitedMs < maxMs && job.step(stepId).state === 'running'; waitedMs += 500) await job.pass(500)
  return job.step(stepId)
}

/** Runs a step while things happen to the vehicle, a second apart. */
async function runWhile(stepId: string, ...acts: (() => unknown)[]) {
  job.begin(stepId)
  for (const act of acts) {
    await job.pass(1_000)
    act()
  }
  return ended(stepId)
}

const nothing = () => undefined

describe('External power', () => {
  it('passes when it is held', async () => {
    await open('external-power')
    expect(await job.run('external-power')).toMatchObject({ state: 'pass', summary: 'Power stayed on for 2 s', witness: ['device'] })
  })

  it('warns of one short drop', async () => {
    await open('external-power')
    job.begin('external-power')
    await job.pass(1_000)
    job.vehicle.cutPower(true)
    await job.pass(500)
    job.vehicle.cutPower(false)
    expect(await ended('external-power')).toMatchObject({ state: 'warn', remedy: 'Look for a loose contact in the feed, the fuse holder or the ground.' })
  })

  it('fails at once on a long drop, although the power comes back', async () => {
    await open('external-power')
    expect(await runWhile('external-power', () => job.vehicle.cutPower(true), nothing, () => job.vehicle.cutPower(false))).toMatchObject({
      state: 'fail',
      summary: 'External power was missing for more than 1 s'
    })
  })

  it('fails on a second short drop', async () => {
    await open('external-power')
    job.begin('external-power')
    for (const cut of [true, false, true, false]) {
      await job.pass(500)
      job.vehicle.cutPower(cut)
    }
    expect(await ended('external-power')).toMatchObject({ state: 'fail', summary: 'External power dropped 2 times' })
  })

  it('names a drop while cranking', async () => {
    await open('external-power')
    job.vehicle.setWiringFault('pwrDropsWhileCranking', true)
    const step = await runWhile('external-power', () => job.vehicle.turnKey('crank'))
    expect(['warn', 'fail']).toContain(step.state)
    expect(step.remedy).toContain('during cranking')
  })

  it('fails when there is none at all', async () => {
    await open('external-power')
    job.vehicle.cutPower(true)
    await job.pass(500)
    expect(await job.run('external-power')).toMatchObject({ state: 'fail', summary: 'The device has no external power' })
  })

  it('starts its time anew after a gap in our own reading, and does not blame the wiring for gaps', async () => {
    await open('external-power')
    job.begin('external-power')
    for (let gap = 0; gap < 4; gap++) {
      await job.pass(1_000)
      job.breakDevice('io.all', new AppError('UNREACHABLE', plainMessage('Gone.')))
      await job.pass(1_500)
      job.breakDevice('io.all', null)
    }
    expect(await ended('external-power')).toMatchObject({ state: 'unreadable', summary: expect.stringContaining('answered too rarely') as string })
  })
})

describe('Ignition', () => {
  const cycle = () => [() => job.vehicle.turnKey('on'), () => job.vehicle.turnKey('off')]
  const crank = () => job.vehicle.turnKey('crank')

  it('passes when the key was followed twice, the engine was seen and the gateway agrees', async () => {
    await open('ignition')
    expect(await runWhile('ignition', ...cycle(), ...cycle(), crank)).toMatchObject({ state: 'pass', witness: ['device', 'gateway'] })
  })

  it('warns when the engine is never seen in the supply', async () => {
    await open('ignition')
    job.spoil('io.all', (raw) => ({ ...raw, TIG: false }))
    expect(await runWhile('ignition', ...cycle(), ...cycle(), crank)).toMatchObject({ state: 'warn', summary: expect.stringContaining('did not show the engine') as string, consequences: { notAvailable: [{ id: 'ignition.engineHours' }, { id: 'ignition.idling' }] } })
  })

  it('does not count a key that was turned only once', async () => {
    await open('ignition')
    expect(await runWhile('ignition', ...cycle(), crank)).toMatchObject({ state: 'fail', summary: 'Ignition followed the key once only' })
  })

  it('names the missing ignition wire while the engine runs', async () => {
    await open('ignition')
    job.vehicle.setWiringFault('ignitionWireMissing', true)
    expect(await runWhile('ignition', crank)).toMatchObject({ state: 'fail', remedy: expect.stringContaining('The ignition wire is missing') as string })
  })

  it('fails with the wire in mind when nothing changes', async () => {
    await open('ignition')
    expect(await job.run('ignition')).toMatchObject({ state: 'fail', summary: 'Ignition never changed', remedy: expect.stringContaining('wire is not connected') as string })
  })

  it('warns when the gateway says otherwise', async () => {
    await open('ignition')
    job.gateway.lines = () => ({ ...gatewayLines(job.vehicle), values: new Map([['io_ign', false]]) })
    expect(await runWhile('ignition', ...cycle(), ...cycle(), crank)).toMatchObject({ state: 'warn', summary: expect.stringContaining('at the gateway is off, the device reports on') as string })
  })

  it('takes no value of the gateway from before the first change for a witness', async () => {
    await open('ignition')
    const beganMs = Date.now()
    job.gateway.lines = () => ({ ...gatewayLines(job.vehicle), values: new Map([['io_ign', false]]), ageS: (Date.now() - beganMs) / 1000 + 60 })
    expect(await runWhile('ignition', ...cycle(), ...cycle(), crank, () => job.vehicle.turnKey('off'))).toMatchObject({ state: 'warn' })
  })

  it('begins from nothing when it is run again', async () => {
    await open('ignition')
    await runWhile('ignition', ...cycle(), ...cycle(), crank)
    job.vehicle.turnKey('off')
    await job.pass(5_000)
    expect(await job.run('ignition')).toMatchObject({ state: 'fail', summary: 'Ignition never changed', attempts: 2 })
  })
})

describe('Position', () => {
  type Raw = { coords: object; extras: object }
  const gps = (coords: object, extras: object, more: object = {}) => job.spoil('gps.position', (raw) => ({ ...raw, coords: { ...(raw as unknown as Raw).coords, ...coords }, extras: { ...(raw as unknown as Raw).extras, ...extras }, ...more }))
  const shift = (seconds: number) => job.spoil('gps.position', (raw) => ({ ...raw, timestamp: Number(raw.timestamp) + seconds }))

  it('fails without a fix, also when the receiver leaves the place out', async () => {
    await open('position')
    gps({ latitude: null, longitude: null }, { fix: 0, satsActive: 2 })
    expect(await job.run('position')).toMatchObject({ state: 'fail', summary: 'No position in 5 s' })
  })

  it('fails at 0, 0', async () => {
    await open('position')
    gps({ latitude: 0, longitude: 0 }, {})
    expect((await job.run('position')).state).toBe('fail')
  })

  it('warns of few satellites and of poor geometry, and fails of fewer', async () => {
    await open('position')
    gps({}, { satsActive: 5 })
    expect(await job.run('position')).toMatchObject({ state: 'warn', summary: '5 satellites, HDOP 0.8: usable, not good' })
    gps({}, { hdop: 2.4 })
    expect((await job.run('position')).state).toBe('warn')
    gps({}, { satsActive: 3 })
    expect((await job.run('position')).state).toBe('fail')
  })

  it('does not take a geometry of 0 for a perfect one', async () => {
    await open('position')
    gps({}, { hdop: 0 })
    expect((await job.run('position')).state).not.toBe('pass')
  })

  it('does not warn of what was usable long ago', async () => {
    await open('position')
    gps({}, { satsActive: 5 })
    job.begin('position')
    await job.pass(1_500)
    job.spoil('gps.position', (raw) => ({ ...raw, timestamp: 1_700_000_000, extras: { fix: 0 } }))
    expect((await ended('position')).state).toBe('fail')
  })

  it('fails on a place whose its time does not change', async () => {
    await open('position')
    gps({}, {}, { timestamp: Date.now() / 1000 - 600 })
    expect(await job.run('position')).toMatchObject({ state: 'fail', summary: expect.stringContaining('its time does not change') as string })
  })

  it('understands a time stamp that counts from 1980', async () => {
    await open('position')
    shift(-315_964_800 + 18)
    expect(await job.run('position')).toMatchObject({ state: 'pass', summary: '11 satellites, HDOP 0.8' })
  })

  it('trusts a moving time stamp from the future, and says how far the clocks are apart', async () => {
    await open('position')
    shift(7_200)
    expect(await job.run('position')).toMatchObject({ state: 'pass', summary: expect.stringContaining('the device’s clock is 2 h ahead of this computer’s') as string })
  })

  it('is unreadable, not failed, when only the position does not come', async () => {
    await open('position')
    job.breakDevice('gps.position', new AppError('UNREADABLE', plainMessage('Something else answers.')))
    expect(await job.run('position')).toMatchObject({ state: 'unreadable', summary: expect.stringContaining('Something else answers.') as string })
  })
})

describe('Network', () => {
  const modem = (more: object) => job.spoil('modem.information', (raw) => ({ ...raw, ...more }))

  it.each([
    ['-71', 'pass', 'LTE Test network −71 dBm'],
    ['18', 'pass', 'LTE Test network −77 dBm'],
    ['-95', 'warn', '−95 dBm: weak'],
    ['99', 'unreadable', 'The signal strength cannot be read'],
    ['-120', 'fail', '−120 dBm: too weak']
  ])('reads RSSI %s: %s', async (RSSI, state, summary) => {
    await open('network')
    modem({ RSSI })
    const step = await job.run('network')
    expect(step.state).toBe(state)
    expect(step.summary).toContain(summary)
  })

  it('never passes on a wording of the registration that nobody knows', async () => {
    await open('network')
    modem({ GSM_REG: 'HOME', GPRS_REG: 'HOME' })
    const step = await job.run('network')
    expect(step.state).toBe('warn')
    expect(step.evidence.at(-1)?.what).toContain('registration unknown (“HOME”, “HOME”)')
  })

  it('says that the SIM is missing', async () => {
    await open('network')
    modem({ SIM_STATE: 'NOT INSERTED', GSM_REG: '0', GPRS_REG: '0', IP: '', RSSI: '99' })
    expect(await job.run('network')).toMatchObject({ state: 'fail', remedy: 'The SIM reports “NOT INSERTED”. Check that it is inserted and has no PIN.' })
  })

  it('says that the APN is to be checked when there is a network and no address', async () => {
    await open('network')
    modem({ IP: '0.0.0.0' })
    expect(await job.run('network')).toMatchObject({ state: 'fail', remedy: 'On the network, but without an address: check the APN.' })
  })
})

describe('Delivered', () => {
  it.each([
    ['quick and new', {}, 'pass'],
    ['old', { ageS: 900, eventAtMs: Date.now() - 900_000 }, 'fail'],
    ['of another device', { raw: { device_id: 356938035643809 } }, 'unreadable'],
    ['from the future', { eventAtMs: Date.parse('2026-11-21T09:00:00Z'), ageS: 0, delayS: -86_400 }, 'fail'],
    ['from the future without a delay', { eventAtMs: Date.parse('2026-11-21T09:00:00Z'), ageS: 0, delayS: 0 }, 'fail'],
    ['delivered slowly', { delayS: 200 }, 'warn'],
    ['not told how slowly it came', { delayS: null }, 'warn']
  ])('judges an event that is %s', async (_what, more, state) => {
    await open('delivered')
    job.gateway.events = () => [event(job.vehicle, more)]
    expect((await job.run('delivered')).state).toBe(state)
  })

  it('believes no clock of the gateway that is as old as its events', async () => {
    await open('delivered')
    const frozen = event(job.vehicle, { eventAtMs: Date.now() - 86_400_000 })
    job.gateway.events = () => [frozen]
    expect(await job.run('delivered')).toMatchObject({ state: 'unreadable', summary: expect.stringContaining('clocks') as string })
    job.gateway.events = () => [event(job.vehicle, {})]
    expect((await job.run('delivered')).state).toBe('pass')
  })

  it('fails when none comes, and when the gateway does not show the device', async () => {
    await open('delivered')
    job.gateway.events = () => []
    expect(await job.run('delivered')).toMatchObject({ state: 'fail', remedy: expect.stringContaining('Check the APN') as string })
    job.gateway.isAway = new AppError('NOT_FOUND', plainMessage('Not found or not permitted.'), { status: 404 })
    expect(await job.run('delivered')).toMatchObject({ state: 'fail', summary: 'Not found or not permitted.' })
  })

  it('waits for the end of a rate limit instead of leaving the step for later', async () => {
    await open('delivered')
    job.gateway.isAway = new AppError('RATE_LIMITED', plainMessage('Too many requests.'), { status: 429 })
    job.begin('delivered')
    await job.pass(10_000)
    expect(job.step('delivered').state).toBe('running')
    job.gateway.isAway = null
    expect((await ended('delivered')).state).toBe('pass')
  })
})

describe('The gateway out of reach', () => {
  it.each<[string, string, ErrorCode]>([
    ['delivered', 'deferred', 'UNREACHABLE'],
    ['delivered', 'deferred', 'NOT_AUTHENTICATED'],
    ['delivered', 'deferred', 'SERVER_ERROR'],
    ['same-place', 'deferred', 'TIMEOUT'],
    ['same-place', 'deferred', 'UNREADABLE'],
    ['vehicle', 'deferred', 'UNREACHABLE'],
    ['vehicle', 'deferred', 'NOT_AUTHENTICATED'],
    ['link', 'deferred', 'UNREACHABLE']
  ])('leaves %s for later (%s, %s)', async (stepId, state, code) => {
    await open(stepId)
    job.answers = { choose: { choose: 'Trailer 12' } }
    job.gateway.isAway = new AppError(code, plainMessage('The gateway does not answer.'))
    expect((await job.run(stepId)).state).toBe(state)
  })

  it('leaves ignition to the device alone, and says so', async () => {
    await open('ignition')
    job.gateway.isAway = new AppError('UNREACHABLE', plainMessage('The gateway does not answer.'))
    const turn = (to: 'on' | 'off' | 'crank') => () => job.vehicle.turnKey(to)
    const step = await runWhile('ignition', turn('on'), turn('off'), turn('on'), turn('off'), turn('crank'))
    expect(step).toMatchObject({ state: 'pass', witness: ['device'], summary: expect.stringContaining('could not be checked') as string })
  })
})

describe('Same place', () => {
  it.each([
    ['the same', 0, 'pass'],
    ['a street away', 0.001, 'warn'],
    ['in another town', 1, 'fail']
  ])('is %s', async (_what, degrees, state) => {
    await open('same-place')
    const { latitude } = job.vehicle.state().fix
    job.gateway.events = () => [event(job.vehicle, { latitude: latitude + degrees })]
    expect((await job.run('same-place')).state).toBe(state)
  })

  it('is not judged while the vehicle moves, on an old place, or by an invalid event', async () => {
    await open('same-place')
    job.spoil('gps.position', (raw) => ({ ...raw, coords: { ...(raw.coords as object), speed: 30 } }))
    expect(await job.run('same-place')).toMatchObject({ state: 'unreadable', summary: expect.stringContaining('not parked') as string })
    job.spoil('gps.position', (raw) => ({ ...raw, timestamp: 1_700_000_000 }))
    expect(await job.run('same-place')).toMatchObject({ state: 'unreadable', summary: expect.stringContaining('no fresh position') as string })
    job.spoil('gps.position', (raw) => raw)
    job.gateway.events = () => [event(job.vehicle, { isPositionValid: false })]
    expect((await job.run('same-place')).state).toBe('unreadable')
  })
})

describe('Inputs', () => {
  const press = (line: 'IN1' | 'IN2' | 'IN3' | 'IN5') => [() => job.vehicle.setInput(line, true), () => job.vehicle.setInput(line, false)]
  const twice = (line: 'IN1' | 'IN2' | 'IN3' | 'IN5') => [...press(line), ...press(line)]

  it('pass when each ordered one moved, on both sides', async () => {
    await open('inputs', { inputs: ['IN1', 'IN2'] })
    expect(await runWhile('inputs', ...twice('IN1'), ...twice('IN2'))).toMatchObject({ state: 'pass', witness: ['device', 'gateway'], summary: 'IN1 and IN2: on and off twice, confirmed by the gateway' })
  })

  it('are not proved by one time on and off, and say what each line has proved so far', async () => {
    await open('inputs', { inputs: ['IN1', 'IN2'] })
    job.begin('inputs')
    for (const act of [...twice('IN1'), ...press('IN2'), ...twice('IN3')]) {
      await job.pass(1_000)
      act()
    }
    await job.pass(1_000)
    const proof = { wantedCycles: 2, isOn: false, isChattering: false, chatter: null, notWired: null, gateway: null }
    expect(job.live('inputs')?.inputs).toEqual([
      { ...proof, line: 'IN1', cycles: 2, isOrdered: true },
      { ...proof, line: 'IN2', cycles: 1, isOrdered: true },
      { ...proof, line: 'IN3', cycles: 2, isOrdered: false }
    ])
    expect(await ended('inputs')).toMatchObject({ state: 'fail', summary: 'IN2 changed, but did not go on and off twice' })
  })

  it('keep in the log what each line proved, and to which witness', async () => {
    await open('inputs', { inputs: ['IN1', 'IN5'] })
    const step = await runWhile('inputs', ...twice('IN1'), ...twice('IN5'))
    expect(step.evidence.at(-1)?.raw).toMatchObject([
      { line: 'IN1', cycles: 2, gateway: 'agrees' },
      { line: 'IN5', cycles: 2, gateway: 'notExposed' }
    ])
  })

  it('that rest closed are proved by two times open and closed again', async () => {
    await open('inputs', { inputs: ['IN1'] })
    job.vehicle.setInput('IN1', true)
    await job.pass(1_000)
    const open1 = [() => job.vehicle.setInput('IN1', false), () => job.vehicle.setInput('IN1', true)]
    job.begin('inputs')
    await job.pass(1_000)
    for (const act of [...open1, ...open1]) {
      act()
      await job.pass(1_000)
    }
    expect((await ended('inputs')).state).toBe('pass')
  })

  it('are found by movement when nothing is ordered and the person says that these are all', async () => {
    await open('inputs')
    job.answers = { lines: { answer: true } }
    expect(await runWhile('inputs', ...twice('IN2'))).toMatchObject({ state: 'pass', summary: expect.stringContaining('no inputs were listed in the order') as string })
  })

  it('are complete although a helper presses them for ever', async () => {
    await open('inputs')
    job.answers = { lines: { answer: true } }
    job.begin('inputs')
    for (let pressed = 0; pressed < 20 && job.step('inputs').state === 'running'; pressed++) {
      for (const act of press('IN1')) {
        act()
        await job.pass(900)
      }
    }
    expect(job.step('inputs').state).toBe('pass')
  })

  it('are not applicable when none is wired', async () => {
    await open('inputs')
    job.answers = { lines: { choose: 'none' } }
    expect(await job.run('inputs')).toMatchObject({ state: 'notApplicable', witness: ['person'] })
  })

  it('are not taken from a name that is none', async () => {
    await open('inputs')
    job.answers = { lines: { choose: 'IN9' } }
    expect((await job.run('inputs')).state).toBe('fail')
  })

  it('fail when one never moved, and name the one that moved instead', async () => {
    await open('inputs', { inputs: ['IN1', 'IN2'] })
    expect(await runWhile('inputs', ...twice('IN1'), ...twice('IN3'))).toMatchObject({
      state: 'fail',
      summary: 'IN2 never changed',
      remedy: expect.stringMatching(/^IN3 changed instead/) as string
    })
  })

  it('fail when one chatters', async () => {
    await open('inputs', { inputs: ['IN1'] })
    job.gateway.lines = () => ({ ...gatewayLines(job.vehicle), values: new Map([['io_in1', true]]), ageS: 3_600 })
    job.vehicle.setWiringFault('chatter', true)
    expect(await job.run('inputs')).toMatchObject({ state: 'fail', remedy: expect.stringContaining('Loose contact') as string })
  })

  it('warn when the gateway does not expose one', async () => {
    await open('inputs', { inputs: ['IN5'] })
    expect(await runWhile('inputs', ...twice('IN5'))).toMatchObject({ state: 'warn', witness: ['device'], summary: expect.stringContaining('the gateway does not show IN5') as string })
  })

  it('do not count what moved before the step was run again', async () => {
    await open('inputs', { inputs: ['IN1'] })
    await runWhile('inputs', ...twice('IN1'))
    await job.pass(3_000)
    expect(await job.run('inputs')).toMatchObject({ state: 'fail', summary: 'IN1 never changed' })
  })
})

describe('Vehicle', () => {
  const truck = { id: 7, name: 'Truck 1', plate: null, imei: virtualImei, kind: 'vehicle' as const, assetType: null }

  it('passes when it carries this device', async () => {
    await open('vehicle')
    expect((await job.run('vehicle')).state).toBe('pass')
    // The memory of known devices knows the vehicle from now on, whether the job is ever signed off or not.
    expect(job.worked).toEqual([null, 'Truck 1'])
    expect(job.jobs.show(job.id).vehicle).toEqual({ id: 7, name: 'Truck 1' })
  })

  it('has no device at the gateway in a new installation: it is kept, and ends by itself when the gateway shows it', async () => {
    await open('vehicle')
    job.gateway.entities = [{ ...truck, imei: null }]
    expect(await job.run('vehicle')).toMatchObject({ state: 'deferred', summary: expect.stringContaining('has no device') as string })
    expect(job.jobs.show(job.id).vehicle).toEqual({ id: 7, name: 'Truck 1' })
    const finish = async () => {
      const finishing = job.jobs.finishDeferred(new AbortController().signal)
      await job.pass(2_000)
      await finishing
    }
    await finish()
    expect(job.step('vehicle').state).toBe('deferred')
    job.gateway.entities = [truck]
    await finish()
    expect(job.step('vehicle').state).toBe('pass')
  })

  it('is suggested where the gateway has this device already, and never taken without the person', async () => {
    job = openVirtualJob([standardStep('vehicle')], '')
    job.gateway.vehicle = truck
    await job.connect()
    job.begin('vehicle')
    await job.pass(1_000)
    expect(job.live('vehicle')?.prompt).toMatchObject({ kind: 'choose', suggested: { id: 7, name: 'Truck 1' } })
    expect(job.step('vehicle').state).toBe('running')
    job.jobs.answer(job.id, 'vehicle', { choose: '7' })
    expect((await ended('vehicle')).state).toBe('pass')
  })

  it('is not suggested when the record that came is of another device', async () => {
    job = openVirtualJob([standardStep('vehicle')], '')
    job.gateway.vehicle = { ...truck, imei: '356938035643809' }
    await job.connect()
    job.begin('vehicle')
    await job.pass(1_000)
    expect(job.live('vehicle')?.prompt).toMatchObject({ kind: 'choose', suggested: null })
  })

  it('fails when it carries another device, and can be chosen anew', async () => {
    await open('vehicle')
    job.gateway.entities = [{ ...truck, imei: '356938035643809' }]
    expect(await job.run('vehicle')).toMatchObject({ state: 'fail', summary: expect.stringContaining('has another device') as string })
    await expect(job.jobs.waive(job.id, 'vehicle', 'it will be fine', 'T')).rejects.toThrow('jobs.otherDeviceNotWaived')
    job.begin('vehicle')
    await job.pass(1_000)
    expect(job.live('vehicle')?.prompt).toMatchObject({ kind: 'choose' })
  })

  it('asks again when several fit, or none', async () => {
    await open('vehicle')
    job.gateway.entities = [truck, { ...truck, id: 8, name: 'Truck 10' }]
    job.begin('vehicle')
    await job.pass(1_000)
    expect(job.live('vehicle')).toMatchObject({ hint: expect.stringContaining('No single vehicle is called') as string, prompt: { kind: 'choose' } })
    job.gateway.entities = []
    job.jobs.answer(job.id, 'vehicle', { choose: 'Truck 2' })
    await job.pass(1_000)
    expect(job.live('vehicle')?.hint).toContain('shows you no vehicle “Truck 2”')
  })
})

describe('Link', () => {
  it('is not applicable when nothing is chosen', async () => {
    await open('link')
    job.answers = { choose: { choose: '' } }
    expect((await job.run('link')).state).toBe('notApplicable')
  })

  it('does not ask for a trailer that the person ruled out when the job was created', async () => {
    await open('link')
    job.jobs.chooseBefore(job.id, 'link', '')
    job.begin('link')
    await job.pass(1_000)
    expect(job.step('link').state).toBe('notApplicable')
  })

  it('fails when its gateway work needs attention', async () => {
    await open('link')
    job.operations = { ...job.operations, ofJob: () => [{ id: 'x', kind: 'entities.link', state: 'needsAttention', reason: 'Unclear.' }], settled: () => Promise.resolve({ state: 'needsAttention', reason: 'Unclear.', evidence: [] }) }
    expect(await job.run('link')).toMatchObject({ state: 'fail', summary: 'Unclear.' })
  })
})
