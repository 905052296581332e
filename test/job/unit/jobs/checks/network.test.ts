import { describe, expect, it } from 'vitest'
import { checkNetwork } from '../../../../../main/job/jobs/checks/network.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { message, plainMessage } from '../../../../../preload/contract/messages.ts'
import { runCheck, type Surroundings } from '../../../../world/device/checkBench.ts'
import { quickProfile } from '../../../../world/device/quickProfile.ts'

// The quick profile: -90 dBm are good, -100 usable; 5 s in all, what is settled in half of that. Read every 2 s.
const gone = new AppError('UNREACHABLE', plainMessage('Gone.'))
const signedOut = new AppError('NOT_AUTHENTICATED', plainMessage('Sign in first.'))
const cancelled = new AppError('CANCELLED', plainMessage('Cancelled.'))
const good = {
  GSM_REG: '1',
  GPRS_REG: '1',
  RSSI: '-71',
  IP: '10.0.0.7',
  RAT: 'LTE',
  OPERATOR: 'Test network',
  SIM_STATE: 'READY'
}
const thresholds = { signalPassDbm: -90, signalWarnDbm: -100 }
const patient = { network: { ...quickProfile.network, giveUpS: 100 } }

const run = (modem: (ms: number) => object | AppError, more: Surroundings = {}) =>
  runCheck(checkNetwork, {
    modem(ms) {
      const change = modem(ms)
      return change instanceof AppError ? change : { ...good, ...change }
    },
    ...more
  })

describe('The signal', () => {
  it('is shown with the best since the step began, while an antenna is moved', async () => {
    const { shown } = await run((ms) => ({ RSSI: ['-104', '-97', '-108', '-110'][ms / 2_000] ?? '-110' }), {
      profile: patient
    })
    expect(shown.slice(0, 4).map(({ meters }) => meters[1]?.best)).toEqual([
      '−104 dBm, 0 s ago',
      '−97 dBm, 0 s ago',
      '−97 dBm, 2 s ago',
      '−97 dBm, 4 s ago'
    ])
  })
})

describe('A network', () => {
  it('that is good passes at once, with what was seen', async () => {
    expect(await run(() => ({}))).toEqual({
      state: 'pass',
      summary: 'LTE Test network −71 dBm',
      figure: message('meters.signal', { signalDbm: -71 }),
      remedy: '',
      witness: ['device'],
      tookMs: 0,
      saw: [
        {
          atMs: 0,
          witness: 'device',
          what: 'LTE Test network, −71 dBm, address present, registration registered',
          raw: good,
          thresholds
        }
      ],
      shown: [],
      asked: [],
      wrote: [],
      added: [],
      ended: [],
      captures: 0,
      unasked: 0
    })
  })

  it.each([
    [{ GSM_REG: '5', GPRS_REG: '5' }, 'LTE Test network −71 dBm', 'registration roaming'],
    [{ RAT: undefined }, 'Test network −71 dBm', 'Test network, −71'],
    [{ RAT: '', OPERATOR: undefined }, 'network −71 dBm', 'no network, −71'],
    [{ RSSI: '18' }, 'LTE Test network −77 dBm', '−77 dBm (read as CSQ 18)']
  ])('is good with %o', async (change, summary, seen) => {
    const result = await run(() => change)
    expect(result).toMatchObject({ state: 'pass', summary, tookMs: 0 })
    expect(result.saw[0]?.what).toContain(seen)
  })

  it.each([
    ['-90', 'pass', 'LTE Test network −90 dBm', '', 0],
    [
      '-91',
      'warn',
      'LTE Test network, −91 dBm: weak',
      'Move the antenna away from metal. The signal is enough now, but may not be elsewhere.',
      4_000
    ],
    [
      '-100',
      'warn',
      'LTE Test network, −100 dBm: weak',
      'Move the antenna away from metal. The signal is enough now, but may not be elsewhere.',
      4_000
    ],
    ['-101', 'fail', '−101 dBm: too weak', 'Check the GSM antenna and its plug, or move the vehicle.', 6_000]
  ])('of %s dBm: %s', async (RSSI, state, summary, remedy, tookMs) => {
    expect(await run(() => ({ RSSI }))).toMatchObject({ state, summary, remedy, witness: ['device'], tookMs })
  })

  it('of no name that is weak is said without one', async () => {
    expect(await run(() => ({ RSSI: '-95', RAT: undefined, OPERATOR: undefined }))).toMatchObject({
      summary: 'network, −95 dBm: weak'
    })
  })

  it('that is weak is given its time, anew after every moment without it, and 20 s at most', async () => {
    expect(await run(() => ({ RSSI: '-95' }), { profile: patient })).toMatchObject({ state: 'warn', tookMs: 22_000 })
    expect(await run((ms) => ({ RSSI: ms === 4_000 ? '-101' : '-95' }), { profile: patient })).toMatchObject({
      state: 'warn',
      tookMs: 28_000
    })
    expect(await run((ms) => (ms < 10_000 ? { RSSI: '-95' } : {}), { profile: patient })).toMatchObject({
      state: 'pass',
      tookMs: 10_000
    })
  })

  it('that settles just in the half of its time is weak, and not before that', async () => {
    expect(
      await run(() => ({ RSSI: '-95' }), { profile: { network: { ...quickProfile.network, giveUpS: 8 } } })
    ).toMatchObject({ state: 'warn', tookMs: 6_000 })
  })

  it('of a wording that nobody knows is only a warning', async () => {
    expect(await run(() => ({ GSM_REG: 'HOME', GPRS_REG: 'AWAY' }))).toMatchObject({
      state: 'warn',
      summary: 'The modem reports the registration as “HOME”, “AWAY”, which is not documented.',
      remedy: 'The device has an address, so it is on a network. Check whether its events arrive at the gateway.',
      witness: ['device'],
      tookMs: 4_000
    })
  })
})

describe('No network', () => {
  const noAddress = { IP: '0.0.0.0' }
  const needsApn = 'On the network, but without an address: check the APN.'
  it.each<[object, string, string, string]>([
    [
      noAddress,
      'Registered on the mobile network, but no IP address assigned.',
      'LTE Test network, −71 dBm, no address, registration registered',
      needsApn
    ],
    [
      { ...noAddress, GSM_REG: '5', GPRS_REG: '5' },
      'Registered on the mobile network, but no IP address assigned.',
      'LTE Test network, −71 dBm, no address, registration roaming',
      needsApn
    ],
    [
      { ...noAddress, GSM_REG: 'X', GPRS_REG: 'Y' },
      'The modem reports the registration as “X”, “Y”, which is not documented.',
      'LTE Test network, −71 dBm, no address, registration unknown (“X”, “Y”)',
      'Check SIM, antenna and APN.'
    ],
    [
      { ...noAddress, RSSI: '99' },
      'Registered on the mobile network, but no IP address assigned.',
      'LTE Test network, signal unknown, no address, registration registered',
      needsApn
    ]
  ])('with %o', async (change, fault, seen, remedy) => {
    expect(await run(() => change)).toMatchObject({
      state: 'fail',
      summary: `${fault} After 5 s: ${seen}`,
      remedy,
      witness: ['device'],
      tookMs: 6_000
    })
  })

  const searching = { ...noAddress, GSM_REG: '2', GPRS_REG: '2' }
  const noneFound = 'The device finds no network: check the GSM antenna and its plug.'
  it.each([
    { SIM_TYPE: 'EMBEDDED', SIM_STATE: 'ABSENT', eSIM_STATE: 'READY' },
    { SIM_TYPE: undefined, SIM_STATE: 'NOT INSERTED', eSIM_STATE: 'READY' },
    { SIM_STATE: 'READY (PIN disabled)' },
    { SIM_STATE: 'READY, no error' }
  ])('of a device that only searches blames no SIM that is ready: %o', async (sim) => {
    const { shown, ...result } = await run(() => ({ ...searching, ...sim }))
    expect(shown[0]?.hint).toBe(noneFound)
    expect(result).toMatchObject({ state: 'fail', remedy: noneFound, witness: ['device'] })
    expect(result.summary).not.toMatch(/SIM|ABSENT|INSERTED/)
  })

  it.each([
    [
      { SIM_TYPE: 'EXTERNAL', SIM_STATE: 'ABSENT', eSIM_STATE: 'READY' },
      'Take the SIM out, check its contacts and insert it again. If there is none, insert the ordered SIM.'
    ],
    [{ SIM_TYPE: 'EMBEDDED', SIM_STATE: 'READY', eSIM_STATE: 'SIM PIN' }, expect.stringContaining('PIN') as string]
  ])('is the fault of the SIM in use where that cannot work: %o', async (sim, remedy) => {
    expect(await run(() => ({ ...searching, ...sim }))).toMatchObject({ state: 'fail', remedy })
  })

  it('where the SIM says nothing', async () => {
    expect(await run(() => ({ ...noAddress, SIM_STATE: undefined }))).toMatchObject({
      state: 'fail',
      remedy: 'On the network, but without an address: check the APN.'
    })
  })

  it('with an address is a signal that is too weak, also in words that nobody knows', async () => {
    expect(await run(() => ({ RSSI: '-101', GSM_REG: 'X', GPRS_REG: 'Y' }))).toMatchObject({
      state: 'fail',
      summary: '−101 dBm: too weak'
    })
  })

  it('has the whole of its time', async () => {
    expect(
      await run(() => ({ RSSI: '-101' }), { profile: { network: { ...quickProfile.network, giveUpS: 6 } } })
    ).toMatchObject({ state: 'fail', tookMs: 8_000 })
  })

  it('whose signal nobody can read is unreadable', async () => {
    expect(await run(() => ({ RSSI: 'good' }))).toMatchObject({
      state: 'unreadable',
      summary: 'The signal strength cannot be read',
      remedy: 'Check the modem’s raw answer.',
      witness: [],
      tookMs: 6_000
    })
  })

  it('is shown with what is missing, and noted once', async () => {
    const { shown, saw } = await run((ms) =>
      ms < 2_000 ? { GSM_REG: '2', GPRS_REG: '2', IP: '', RSSI: '99' } : { RSSI: '-90', ...noAddress }
    )
    expect(shown[0]).toMatchObject({
      say: 'Waiting for the mobile network.',
      hint: 'The device finds no network: check the GSM antenna and its plug.',
      meters: [
        { label: 'Registered', value: 'searching', tone: 'live' },
        { label: 'Signal', value: '', target: '≥ −90 dBm', tone: 'live' },
        { label: 'Address', value: 'none', tone: 'live' }
      ],
      leftMs: 5_000
    })
    expect(shown[1]).toMatchObject({
      meters: [
        { value: 'yes', tone: 'pass' },
        { value: '−90 dBm', tone: 'pass' },
        { value: 'none', tone: 'live' }
      ],
      leftMs: 3_000
    })
    expect(saw.map(({ atMs }) => atMs)).toEqual([0, 2_000])
    const weak = await run(() => ({ RSSI: '-91' }))
    expect(weak.shown[0]).toMatchObject({
      hint: null,
      meters: [{}, { value: '−91 dBm', tone: 'live' }, { value: 'present', tone: 'pass' }]
    })
  })
})

describe('A modem that does not tell', () => {
  it.each(['GSM_REG', 'GPRS_REG', 'IP', 'RSSI'])('%s leaves it open, after a while', async (field) => {
    const { shown, ...result } = await run(() => ({ [field]: undefined }))
    expect(result).toMatchObject({
      state: 'unreadable',
      summary: expect.stringMatching(new RegExp(`^The network cannot be read: .*${field}`)) as string,
      witness: [],
      tookMs: 4_000
    })
    expect(shown[0]?.hint).toContain(field)
  })

  it('is given 20 s on end', async () => {
    expect(await run(() => ({ IP: undefined }), { profile: patient })).toMatchObject({
      state: 'unreadable',
      tookMs: 20_000
    })
    expect(
      await run((ms) => ({ IP: undefined, ...(ms === 4_000 ? noNetwork : {}) }), { profile: patient })
    ).toMatchObject({ state: 'unreadable', tookMs: 26_000 })
  })
  const noNetwork = { IP: '0.0.0.0' }

  it('anything leaves it open', async () => {
    expect(await run(() => gone)).toMatchObject({
      state: 'unreadable',
      summary: 'The device does not report its network: Gone.',
      witness: [],
      tookMs: 6_000,
      shown: [],
      saw: []
    })
    expect(await run((ms) => (ms < 2_000 ? gone : {}))).toMatchObject({ state: 'pass', tookMs: 2_000 })
    expect(await run((ms) => (ms < 6_000 ? { RSSI: '-101' } : gone))).toMatchObject({
      state: 'unreadable',
      summary: 'The device does not report its network: Gone.'
    })
  })

  it('shows nothing old while it does not answer', async () => {
    const { shown } = await run((ms) => (ms === 2_000 ? gone : { IP: '0.0.0.0' }))
    expect(shown.map(({ atMs }) => atMs)).toEqual([0, 4_000, 6_000])
  })

  it('to somebody who is not signed in says so at once', async () => {
    expect(await run(() => signedOut, { io: () => signedOut })).toMatchObject({
      state: 'unreadable',
      summary: 'Sign in first.',
      tookMs: 0
    })
  })

  it('because the step was stopped ends it', async () => {
    await expect(run(() => cancelled)).rejects.toBe(cancelled)
  })
})
