import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { ended, openStep, runWhile } from '../../../world/device/stepBench.ts'
import { gatewayLines, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob
afterEach(() => job.close())

const nothing = () => undefined

describe('External power', () => {
  it('passes when it is held', async () => {
    job = await openStep('external-power')
    expect(await job.run('external-power')).toMatchObject({
      state: 'pass',
      summary: 'Power stayed on for 2 s',
      witness: ['device']
    })
  })

  it('warns of one short drop', async () => {
    job = await openStep('external-power')
    job.begin('external-power')
    await job.pass(1_000)
    job.vehicle.cutPower(true)
    await job.pass(500)
    job.vehicle.cutPower(false)
    expect(await ended(job, 'external-power')).toMatchObject({
      state: 'warn',
      remedy: 'Look for a loose contact in the feed, the fuse holder or the ground.'
    })
  })

  it('fails at once on a long drop, although the power comes back', async () => {
    job = await openStep('external-power')
    expect(
      await runWhile(
        job,
        'external-power',
        () => job.vehicle.cutPower(true),
        nothing,
        () => job.vehicle.cutPower(false)
      )
    ).toMatchObject({
      state: 'fail',
      summary: 'External power was missing for more than 1 s'
    })
  })

  it('fails on a second short drop', async () => {
    job = await openStep('external-power')
    job.begin('external-power')
    for (const cut of [true, false, true, false]) {
      await job.pass(500)
      job.vehicle.cutPower(cut)
    }
    expect(await ended(job, 'external-power')).toMatchObject({
      state: 'fail',
      summary: 'External power dropped 2 times'
    })
  })

  it('names a drop while cranking', async () => {
    job = await openStep('external-power')
    job.vehicle.setWiringFault('pwrDropsWhileCranking', true)
    const step = await runWhile(job, 'external-power', () => job.vehicle.turnKey('crank'))
    expect(['warn', 'fail']).toContain(step.state)
    expect(step.remedy).toContain('during cranking')
  })

  it('fails when there is none at all', async () => {
    job = await openStep('external-power')
    job.vehicle.cutPower(true)
    await job.pass(500)
    expect(await job.run('external-power')).toMatchObject({
      state: 'fail',
      summary: 'The device has no external power'
    })
  })

  it('starts its time anew after a gap in our own reading, and does not blame the wiring for gaps', async () => {
    job = await openStep('external-power')
    job.begin('external-power')
    for (let gap = 0; gap < 4; gap++) {
      await job.pass(1_000)
      job.breakDevice('io.all', new AppError('UNREACHABLE', plainMessage('Gone.')))
      await job.pass(1_500)
      job.breakDevice('io.all', null)
    }
    expect(await ended(job, 'external-power')).toMatchObject({
      state: 'unreadable',
      summary: expect.stringContaining('answered too rarely') as string
    })
  })
})

describe('Ignition', () => {
  const cycle = () => [() => job.vehicle.turnKey('on'), () => job.vehicle.turnKey('off')]
  const crank = () => job.vehicle.turnKey('crank')

  it('passes when the key was followed twice, the engine was seen and the gateway agrees', async () => {
    job = await openStep('ignition')
    expect(await runWhile(job, 'ignition', ...cycle(), ...cycle(), crank)).toMatchObject({
      state: 'pass',
      witness: ['device', 'gateway']
    })
  })

  it('warns when the engine is never seen in the supply', async () => {
    job = await openStep('ignition')
    job.spoil('io.all', (raw) => ({ ...raw, TIG: false }))
    expect(await runWhile(job, 'ignition', ...cycle(), ...cycle(), crank)).toMatchObject({
      state: 'warn',
      summary: expect.stringContaining('did not show the engine') as string,
      consequences: { notAvailable: [{ id: 'ignition.engineHours' }, { id: 'ignition.idling' }] }
    })
  })

  it('does not count a key that was turned only once', async () => {
    job = await openStep('ignition')
    expect(await runWhile(job, 'ignition', ...cycle(), crank)).toMatchObject({
      state: 'fail',
      summary: 'Ignition followed the key once only'
    })
  })

  it('names the missing ignition wire while the engine runs', async () => {
    job = await openStep('ignition')
    job.vehicle.setWiringFault('ignitionWireMissing', true)
    expect(await runWhile(job, 'ignition', crank)).toMatchObject({
      state: 'fail',
      remedy: expect.stringContaining('The ignition wire is missing') as string
    })
  })

  it('fails with the wire in mind when nothing changes', async () => {
    job = await openStep('ignition')
    expect(await job.run('ignition')).toMatchObject({
      state: 'fail',
      summary: 'Ignition never changed',
      remedy: expect.stringContaining('wire is not connected') as string
    })
  })

  it('warns when the gateway says otherwise', async () => {
    job = await openStep('ignition')
    job.gateway.lines = () => ({ ...gatewayLines(job.vehicle), values: new Map([['io_ign', false]]) })
    expect(await runWhile(job, 'ignition', ...cycle(), ...cycle(), crank)).toMatchObject({
      state: 'warn',
      summary: expect.stringContaining('at the gateway is off, the device reports on') as string
    })
  })

  it('takes no value of the gateway from before the first change for a witness', async () => {
    job = await openStep('ignition')
    const beganMs = Date.now()
    job.gateway.lines = () => ({
      ...gatewayLines(job.vehicle),
      values: new Map([['io_ign', false]]),
      ageS: (Date.now() - beganMs) / 1000 + 60
    })
    expect(
      await runWhile(job, 'ignition', ...cycle(), ...cycle(), crank, () => job.vehicle.turnKey('off'))
    ).toMatchObject({ state: 'warn' })
  })

  it('begins from nothing when it is run again', async () => {
    job = await openStep('ignition')
    await runWhile(job, 'ignition', ...cycle(), ...cycle(), crank)
    job.vehicle.turnKey('off')
    await job.pass(5_000)
    expect(await job.run('ignition')).toMatchObject({ state: 'fail', summary: 'Ignition never changed', attempts: 2 })
  })
})

describe('Position', () => {
  type Raw = { coords: object; extras: object }
  const gps = (coords: object, extras: object, more: object = {}) =>
    job.spoil('gps.position', (raw) => ({
      ...raw,
      coords: { ...(raw as unknown as Raw).coords, ...coords },
      extras: { ...(raw as unknown as Raw).extras, ...extras },
      ...more
    }))
  const shift = (seconds: number) =>
    job.spoil('gps.position', (raw) => ({ ...raw, timestamp: Number(raw.timestamp) + seconds }))

  it('fails without a fix, also when the receiver leaves the place out', async () => {
    job = await openStep('position')
    gps({ latitude: null, longitude: null }, { fix: 0, satsActive: 2 })
    expect(await job.run('position')).toMatchObject({ state: 'fail', summary: 'No position in 5 s' })
  })

  it('fails at 0, 0', async () => {
    job = await openStep('position')
    gps({ latitude: 0, longitude: 0 }, {})
    expect((await job.run('position')).state).toBe('fail')
  })

  it('warns of few satellites and of poor geometry, and fails of fewer', async () => {
    job = await openStep('position')
    gps({}, { satsActive: 5 })
    expect(await job.run('position')).toMatchObject({
      state: 'warn',
      summary: '5 satellites, HDOP 0.8: usable, not good'
    })
    gps({}, { hdop: 2.4 })
    expect((await job.run('position')).state).toBe('warn')
    gps({}, { satsActive: 3 })
    expect((await job.run('position')).state).toBe('fail')
  })

  it('does not take a geometry of 0 for a perfect one', async () => {
    job = await openStep('position')
    gps({}, { hdop: 0 })
    expect((await job.run('position')).state).not.toBe('pass')
  })

  it('does not warn of what was usable long ago', async () => {
    job = await openStep('position')
    gps({}, { satsActive: 5 })
    job.begin('position')
    await job.pass(1_500)
    job.spoil('gps.position', (raw) => ({ ...raw, timestamp: 1_700_000_000, extras: { fix: 0 } }))
    expect((await ended(job, 'position')).state).toBe('fail')
  })

  it('fails on a place whose its time does not change', async () => {
    job = await openStep('position')
    gps({}, {}, { timestamp: Date.now() / 1000 - 600 })
    expect(await job.run('position')).toMatchObject({
      state: 'fail',
      summary: expect.stringContaining('its time does not change') as string
    })
  })

  it('understands a time stamp that counts from 1980', async () => {
    job = await openStep('position')
    shift(-315_964_800 + 18)
    expect(await job.run('position')).toMatchObject({ state: 'pass', summary: '11 satellites, HDOP 0.8' })
  })

  it('trusts a moving time stamp from the future, and says how far the clocks are apart', async () => {
    job = await openStep('position')
    shift(7_200)
    expect(await job.run('position')).toMatchObject({
      state: 'pass',
      summary: expect.stringContaining('the device’s clock is 2 h ahead of this computer’s') as string
    })
  })

  it('is unreadable, not failed, when only the position does not come', async () => {
    job = await openStep('position')
    job.breakDevice('gps.position', new AppError('UNREADABLE', plainMessage('Something else answers.')))
    expect(await job.run('position')).toMatchObject({
      state: 'unreadable',
      summary: expect.stringContaining('Something else answers.') as string
    })
  })
})

describe('Network', () => {
  const modem = (more: object) => job.spoil('modem.information', (raw) => ({ ...raw, ...more }))

  it.each([
    ['-71', 'pass', 'LTE Test network −71 dBm'],
    ['18', 'pass', 'LTE Test network −77 dBm'],
    ['-95', 'warn', '−95 dBm: weak'],
    ['99', 'warn', 'The modem does not know its signal strength (99).'],
    ['strong', 'unreadable', 'The signal strength cannot be read'],
    ['-120', 'fail', '−120 dBm: too weak']
  ])('reads RSSI %s: %s', async (RSSI, state, summary) => {
    job = await openStep('network')
    modem({ RSSI })
    const step = await job.run('network')
    expect(step.state).toBe(state)
    expect(step.summary).toContain(summary)
  })

  it('never passes on a wording of the registration that nobody knows', async () => {
    job = await openStep('network')
    modem({ GSM_REG: 'HOME', GPRS_REG: 'HOME' })
    const step = await job.run('network')
    expect(step.state).toBe('warn')
    expect(step.evidence.at(-1)?.what).toContain('registration unknown (“HOME”, “HOME”)')
  })

  it('says that the SIM is missing', async () => {
    job = await openStep('network')
    modem({ SIM_STATE: 'NOT INSERTED', GSM_REG: '0', GPRS_REG: '0', IP: '', RSSI: '99' })
    expect(await job.run('network')).toMatchObject({
      state: 'fail',
      remedy: 'Take the SIM out, check its contacts and insert it again. If there is none, insert the ordered SIM.'
    })
  })

  it('says that the APN is to be checked when there is a network and no address', async () => {
    job = await openStep('network')
    modem({ IP: '0.0.0.0' })
    expect(await job.run('network')).toMatchObject({
      state: 'fail',
      remedy: 'On the network, but without an address: check the APN.'
    })
  })
})

describe('Inputs', () => {
  const press = (line: 'IN1' | 'IN2' | 'IN3' | 'IN5') => [
    () => job.vehicle.setInput(line, true),
    () => job.vehicle.setInput(line, false)
  ]
  const twice = (line: 'IN1' | 'IN2' | 'IN3' | 'IN5') => [...press(line), ...press(line)]

  it('pass when each ordered one moved, on both sides', async () => {
    job = await openStep('inputs', { inputs: ['IN1', 'IN2'] })
    expect(await runWhile(job, 'inputs', ...twice('IN1'), ...twice('IN2'))).toMatchObject({
      state: 'pass',
      witness: ['device', 'gateway'],
      summary: 'IN1 and IN2 work'
    })
  })

  it('are not proved by one time on and off, and say what each line has proved so far', async () => {
    job = await openStep('inputs', { inputs: ['IN1', 'IN2'] })
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
    expect(await ended(job, 'inputs')).toMatchObject({
      state: 'fail',
      summary: 'IN2 changed, but did not go on and off twice'
    })
  })

  it('keep in the log what each line proved, and to which witness', async () => {
    job = await openStep('inputs', { inputs: ['IN1', 'IN5'] })
    const step = await runWhile(job, 'inputs', ...twice('IN1'), ...twice('IN5'))
    expect(step.evidence.at(-1)?.raw).toMatchObject([
      { line: 'IN1', cycles: 2, gateway: 'agrees' },
      { line: 'IN5', cycles: 2, gateway: 'notExposed' }
    ])
  })

  it('that rest closed are proved by two times open and closed again', async () => {
    job = await openStep('inputs', { inputs: ['IN1'] })
    job.vehicle.setInput('IN1', true)
    await job.pass(1_000)
    const open1 = [() => job.vehicle.setInput('IN1', false), () => job.vehicle.setInput('IN1', true)]
    job.begin('inputs')
    await job.pass(1_000)
    for (const act of [...open1, ...open1]) {
      act()
      await job.pass(1_000)
    }
    expect((await ended(job, 'inputs')).state).toBe('pass')
  })

  it('are found by movement when nothing is ordered and the person says that these are all', async () => {
    job = await openStep('inputs')
    job.answers = { lines: { answer: true } }
    expect(await runWhile(job, 'inputs', ...twice('IN2'))).toMatchObject({
      state: 'pass',
      summary: 'IN2 works'
    })
  })

  it('are complete although a helper presses them for ever', async () => {
    job = await openStep('inputs')
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
    job = await openStep('inputs')
    job.answers = { lines: { choose: 'none' } }
    expect(await job.run('inputs')).toMatchObject({ state: 'notApplicable', witness: ['person'] })
  })

  it('are not taken from a name that is none', async () => {
    job = await openStep('inputs')
    job.answers = { lines: { choose: 'IN9' } }
    expect((await job.run('inputs')).state).toBe('fail')
  })

  it('fail when one never moved, and name the one that moved instead', async () => {
    job = await openStep('inputs', { inputs: ['IN1', 'IN2'] })
    expect(await runWhile(job, 'inputs', ...twice('IN1'), ...twice('IN3'))).toMatchObject({
      state: 'fail',
      summary: 'IN2 never changed',
      remedy: expect.stringMatching(/^IN3 changed instead/) as string
    })
  })

  it('fail when one chatters', async () => {
    job = await openStep('inputs', { inputs: ['IN1'] })
    job.gateway.lines = () => ({ ...gatewayLines(job.vehicle), values: new Map([['io_in1', true]]), ageS: 3_600 })
    job.vehicle.setWiringFault('chatter', true)
    expect(await job.run('inputs')).toMatchObject({
      state: 'fail',
      remedy: expect.stringContaining('Loose contact') as string
    })
  })

  it('warn when the gateway does not expose one', async () => {
    job = await openStep('inputs', { inputs: ['IN5'] })
    expect(await runWhile(job, 'inputs', ...twice('IN5'))).toMatchObject({
      state: 'warn',
      witness: ['device'],
      summary: expect.stringContaining('the gateway does not show IN5') as string
    })
  })

  it('do not count what moved before the step was run again', async () => {
    job = await openStep('inputs', { inputs: ['IN1'] })
    await runWhile(job, 'inputs', ...twice('IN1'))
    await job.pass(3_000)
    expect(await job.run('inputs')).toMatchObject({ state: 'fail', summary: 'IN1 never changed' })
  })
})
