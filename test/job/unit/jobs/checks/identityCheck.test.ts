import { describe, expect, it } from 'vitest'
import { checkIdentity, judgeRecord, judgeSim } from '../../../../../main/job/jobs/checks/identity.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { english } from '../../../../world/window/english.ts'
import { benchImei, runCheck, type Surroundings } from '../../../../world/device/checkBench.ts'

const other = '356938035643809'
const sim = '8900110000000000017'
const gone = new AppError('UNREACHABLE', plainMessage('Gone.'), { fate: 'away' })
const refused = new AppError('NOT_FOUND', plainMessage('Not permitted.'), { fate: 'refused' })
const cancelled = new AppError('CANCELLED', plainMessage('Cancelled.'))
const everybody = ['device', 'gateway', 'person']
const stop = 'Stop: take the device whose label ends in 237518.'

const good: Surroundings = {
  label: benchImei,
  system: () => ({ hostname: `ft4-${benchImei}` }),
  modem: () => ({ IMEI: benchImei, SIM_ID: sim, SIM_TYPE: 'EXTERNAL' }),
  gatewayDevice: () => ({ imei: benchImei, simIds: [sim], raw: { id: 1 } }),
  gatewaySim: () => null
}
const run = (more: Surroundings = {}) => runCheck(checkIdentity, { ...good, ...more })

describe('The identity of a device', () => {
  it('is proved when label, host name, modem and gateway say the same; each is in the record', async () => {
    const { saw, shown, ...result } = await run()
    expect(result).toMatchObject({
      state: 'pass',
      summary: 'label = host name = modem = gateway, same SIM',
      remedy: '',
      witness: everybody,
      asked: []
    })
    expect(result.isMismatch).toBeUndefined()
    expect(saw).toMatchObject([
      { witness: 'person', what: `Label says ${benchImei}`, raw: { label: benchImei } },
      {
        witness: 'device',
        what: `Host name ft4-${benchImei}`,
        raw: { hostname: `ft4-${benchImei}`, problems: expect.any(Array) as unknown[] }
      },
      {
        witness: 'device',
        what: `Modem IMEI ${benchImei}, SIM …00000017`,
        raw: { IMEI: benchImei, SIM_ID: sim, problems: expect.any(Array) as unknown[] }
      },
      {
        witness: 'gateway',
        what: `The gateway’s record names ${benchImei}`,
        raw: { id: 1 },
        thresholds: { imei: benchImei }
      }
    ])
    expect(shown).toMatchObject([
      { say: 'Looking up this device at the gateway.', hint: null, meters: [], leftMs: null }
    ])
  })

  it.each<[string, Surroundings, string, string]>([
    ['the label', { label: other }, 'the label', other],
    ['the host name', { system: () => ({ hostname: `ft4-${other}` }) }, 'the host name', `ft4-${other}`],
    ['the modem', { modem: () => ({ IMEI: other }) }, 'the modem', other]
  ])('is another one when %s says so', async (_who, more, who, says) => {
    expect(await run(more)).toMatchObject({
      state: 'fail',
      isMismatch: true,
      summary: `${who} says ${says}, this job is for ${benchImei}`,
      remedy: stop,
      witness: ['device', 'person']
    })
  })

  it.each<[string, Surroundings, string]>([
    ['host name', { system: () => ({ hostname: 'ft4-000000000000000' }) }, 'the host name says ft4-000000000000000'],
    ['modem', { modem: () => ({ IMEI: '000000000000000' }) }, 'the modem says 000000000000000']
  ])('is not known, and not another one, while the %s has a placeholder', async (_who, more, says) => {
    const result = await run(more)
    expect(result).toMatchObject({
      state: 'unreadable',
      summary: `${says}, a placeholder: the modem is not ready or has no IMEI`
    })
    expect(result.isMismatch).toBeUndefined()
  })

  it('says of another one both numbers, who says what, and how to get out of it', async () => {
    const { other: differing, remedySteps = [] } = await run({ system: () => ({ hostname: `ft4-${other}` }) })
    expect(differing).toEqual({
      wanted: benchImei,
      seen: other,
      said: [
        { who: 'label', says: benchImei, isSame: true },
        { who: 'hostName', says: `ft4-${other}`, isSame: false },
        { who: 'modem', says: benchImei, isSame: true },
        { who: 'gateway', says: null, isSame: false }
      ]
    })
    expect(remedySteps.map(english)).toEqual([
      'Read the last six digits on the label in your hand.',
      `If the label ends in ${benchImei.slice(-6)}, this computer is on another device’s network: join that of ${benchImei}.`,
      `If the label ends in ${other.slice(-6)}, put this device aside, or make a separate job for it.`
    ])
  })

  it('is not looked for on another network where the device answers by its own name', async () => {
    const { remedySteps = [] } = await run({ label: other })
    expect(remedySteps.map(english)).toEqual([
      'Read the last six digits on the label in your hand.',
      `If the label ends in ${other.slice(-6)}, put this device aside, or make a separate job for it.`
    ])
  })

  it('is proved by as many as agree', async () => {
    const figure = async (more: Surroundings = {}) => english((await run(more)).figure!)
    expect(await figure()).toBe('4 agree')
    expect(await figure({ gatewayDevice: () => null })).toBe('3 agree')
  })

  it.each<[string, Surroundings, string]>([
    ['host name', { system: () => ({}) }, 'Host name unreadable'],
    ['host name', { system: () => ({ hostname: '' }) }, 'Host name '],
    ['modem IMEI', { modem: () => ({ SIM_ID: sim }) }, 'Modem IMEI unreadable, SIM …00000017'],
    ['modem IMEI', { modem: () => ({ IMEI: '  ' }) }, 'Modem IMEI , SIM unreadable']
  ])('is not known without %s', async (what, more, noted) => {
    const result = await run(more)
    expect(result).toMatchObject({
      state: 'unreadable',
      summary: `The device does not identify itself: ${what} missing`,
      remedy: expect.stringMatching(/^Restart the device/) as string,
      witness: []
    })
    expect(result.saw.map((seen) => seen.what)).toContain(noted)
    expect(result.saw.some(({ witness }) => witness === 'gateway')).toBe(false)
  })

  it('is not known of a device that does not answer, and of a step that was stopped', async () => {
    expect(await run({ system: () => gone })).toMatchObject({
      state: 'unreadable',
      summary: 'Gone.',
      remedy: expect.any(String) as string,
      witness: []
    })
    await expect(run({ modem: () => cancelled })).rejects.toBe(cancelled)
  })

  it('is read from a modem that writes spaces around it', async () => {
    expect(await run({ modem: () => ({ IMEI: ` ${benchImei} `, SIM_ID: sim }) })).toMatchObject({ state: 'pass' })
  })

  it.each<[object, string]>([
    [{ SIM_TYPE: 'EMBEDDED', eSIM_ID: '11112222', SIM_ID: sim }, '…11112222'],
    [{ SIM_TYPE: 'esim', eSIM_ID: '11112222', SIM_ID: sim }, '…11112222'],
    [{ SIM_STATE: 'NOT INSERTED', eSIM_STATE: 'READY', eSIM_ID: '11112222', SIM_ID: sim }, '…11112222'],
    [{ SIM_TYPE: 'EMBEDDED', eSIM_ID: '', SIM_ID: sim }, '…00000017'],
    [{ SIM_TYPE: 'EMBEDDED', SIM_ID: sim }, '…00000017'],
    [{ SIM_TYPE: 'EXTERNAL', eSIM_ID: '11112222', SIM_ID: sim }, '…00000017']
  ])('goes with the SIM in use: %o', async (modem, shown) => {
    const { saw } = await run({ modem: () => ({ IMEI: benchImei, ...modem }) })
    expect(saw[2]?.what).toContain(`SIM ${shown}`)
  })
})

describe('The label', () => {
  const typed = (...texts: string[]): Surroundings => ({
    label: '',
    answer: () => ({ value: texts.shift() ?? benchImei })
  })

  it('is asked for until it is a valid IMEI; what was refused is in the record', async () => {
    const { saw, shown, ...result } = await run(typed('490154203237519', ` 49-015420-323751-8 `))
    expect(result).toMatchObject({
      state: 'pass',
      asked: ['IMEI on the label (15 digits)', 'IMEI on the label (15 digits)']
    })
    expect(saw.slice(0, 2)).toMatchObject([
      { witness: 'person', what: 'Refused “490154203237519”: wrong check digit', raw: { typed: '490154203237519' } },
      { witness: 'person', what: `Label says ${benchImei}` }
    ])
    expect(shown.slice(0, 2)).toMatchObject([
      {
        say: 'Scan or type the IMEI on the device’s label.',
        hint: null,
        meters: [{ label: 'This job is for', value: '…237518', tone: 'wait' }],
        leftMs: null
      },
      {
        hint: '“490154203237519” is not a valid IMEI: it needs 15 digits with a correct check digit. Read the label again.'
      }
    ])
  })

  it('that was scanned before counts for the first attempt only', async () => {
    expect(await run({ answer: () => ({ value: other }), attempts: 2 })).toMatchObject({
      state: 'fail',
      asked: ['IMEI on the label (15 digits)']
    })
    expect(await run({ answer: () => ({ value: other }), attempts: 1 })).toMatchObject({ state: 'pass', asked: [] })
    expect(await run({ label: '123', answer: () => ({ value: benchImei }) })).toMatchObject({
      state: 'pass',
      asked: ['IMEI on the label (15 digits)']
    })
  })

  it('is asked for where nobody scanned one', async () => {
    expect(await run({ label: undefined, answer: () => ({ value: benchImei }) })).toMatchObject({
      state: 'pass',
      asked: ['IMEI on the label (15 digits)']
    })
  })

  it('that nobody typed is none', async () => {
    const answers = [{}, { value: benchImei }]
    const { saw } = await run({ label: '', answer: () => answers.shift() })
    expect(saw[0]).toMatchObject({ what: 'Refused “”: wrong check digit', raw: { typed: '' } })
  })
})

describe('The gateway', () => {
  const start = 'label = host name = modem'

  it.each<[string, Surroundings, object]>([
    [
      'is away: later',
      { gatewayDevice: () => gone },
      { state: 'deferred', summary: `${start}; the gateway could not be checked: Gone.`, witness: ['device', 'person'] }
    ],
    [
      'refuses: a warning',
      { gatewayDevice: () => refused },
      {
        state: 'warn',
        summary: `${start}; the gateway could not be checked: Not permitted.`,
        remedy: expect.stringMatching(/missing right/) as string,
        witness: ['device', 'person']
      }
    ],
    [
      'does not show it: a warning',
      { gatewayDevice: () => null },
      {
        state: 'warn',
        summary: `${start}; the gateway does not show this device (not found or not permitted)`,
        remedy: expect.stringMatching(/registered/) as string,
        witness: ['device', 'person']
      }
    ],
    [
      'names another device: a mismatch',
      { gatewayDevice: () => ({ imei: other, simIds: [sim], raw: null }) },
      {
        state: 'fail',
        isMismatch: true,
        summary: `the gateway says ${other}, this job is for ${benchImei}`,
        witness: ['gateway']
      }
    ],
    [
      'names none: unreadable',
      { gatewayDevice: () => ({ imei: null, simIds: [sim], raw: null }) },
      { state: 'unreadable', summary: expect.stringMatching(/does not say which device/) as string }
    ],
    [
      'has another SIM',
      { gatewayDevice: () => ({ imei: benchImei, simIds: ['1234567'], raw: null }) },
      { state: 'warn', summary: expect.stringMatching(/another SIM/) as string, witness: everybody }
    ],
    [
      'has another SIM, and knows this one',
      {
        gatewayDevice: () => ({ imei: benchImei, simIds: ['1234567'], raw: null }),
        gatewaySim: () => ({ raw: { id: 2 } })
      },
      { state: 'warn', summary: expect.stringMatching(/differs but is known/) as string }
    ],
    [
      'has no SIM',
      { gatewayDevice: () => ({ imei: benchImei, simIds: [], raw: null }) },
      { state: 'warn', summary: expect.stringMatching(/does not show the SIM/) as string }
    ],
    [
      'has no SIM, and knows this one',
      { gatewayDevice: () => ({ imei: benchImei, simIds: [], raw: null }), gatewaySim: () => ({ raw: { id: 2 } }) },
      { state: 'pass', summary: expect.stringMatching(/SIM known/) as string }
    ],
    [
      'has no SIM, and refuses to tell',
      { gatewayDevice: () => ({ imei: benchImei, simIds: [], raw: null }), gatewaySim: () => refused },
      { state: 'warn', summary: expect.stringMatching(/does not show the SIM/) as string }
    ],
    [
      'has no SIM, and is away',
      { gatewayDevice: () => ({ imei: benchImei, simIds: [], raw: null }), gatewaySim: () => gone },
      { state: 'deferred', summary: `${start} = gateway; the SIM could not be checked: Gone.`, witness: everybody }
    ],
    [
      'cannot be asked about a SIM that cannot be read',
      { modem: () => ({ IMEI: benchImei }), gatewaySim: () => gone },
      {
        state: 'warn',
        summary: expect.stringMatching(/the SIM cannot be read/) as string,
        remedy: 'Check that a SIM is inserted.',
        witness: everybody
      }
    ]
  ])('%s', async (_what, more, wanted) => {
    expect(await run(more)).toMatchObject(wanted)
  })

  it('that names the SIM with the device is asked for no more', async () => {
    expect(await run({ gatewaySim: () => gone })).toMatchObject({
      state: 'pass',
      summary: expect.stringMatching(/same SIM$/) as string
    })
  })

  it('that knows the SIM is in the record', async () => {
    const known = await run({
      gatewayDevice: () => ({ imei: benchImei, simIds: [], raw: null }),
      gatewaySim: () => ({ raw: { id: 2 } })
    })
    expect(known.saw.at(-1)).toMatchObject({
      witness: 'gateway',
      what: 'The gateway knows SIM …00000017',
      raw: { id: 2 }
    })
    const unknown = await run({ gatewayDevice: () => ({ imei: null, simIds: [], raw: null }) })
    expect(unknown.saw.at(-1)).toMatchObject({ what: 'The gateway’s record names no device' })
    const notKnown = await run({ gatewayDevice: () => ({ imei: benchImei, simIds: [], raw: null }) })
    expect(notKnown.saw.at(-1)?.what).toBe(`The gateway’s record names ${benchImei}`)
  })

  it('names the device or does not stand for it', () => {
    const record = (imei: string | null) => judgeRecord({ imei, simIds: [], raw: null }, benchImei)
    expect(record(benchImei)).toBeUndefined()
    expect(record(null)).toMatchObject({ state: 'unreadable' })
    expect(record(other)).toMatchObject({ state: 'fail', isMismatch: true })
  })

  it.each<[string | undefined, string[], boolean, string, RegExp]>([
    [undefined, [sim], true, 'warn', /cannot be read/],
    ['', [sim], true, 'warn', /cannot be read/],
    [sim, [sim], false, 'pass', /same SIM/],
    [sim, ['1', sim], false, 'pass', /same SIM/],
    [`${sim}5`, [sim], false, 'pass', /same SIM/],
    ['8900-1100 00000000017', [sim], false, 'pass', /same SIM/],
    [sim, ['8900110000000000018'], false, 'warn', /another SIM/],
    ['8900110000000000018', [sim], false, 'warn', /another SIM/],
    ['none', ['unknown'], false, 'warn', /another SIM/],
    [sim, ['1'], true, 'warn', /differs but is known/],
    [sim, [], true, 'pass', /SIM known/],
    [sim, [], false, 'warn', /does not show the SIM/]
  ])('SIM %j against %j (known: %s): %s', (simId, atGateway, isKnown, state, words) => {
    const outcome = judgeSim({ simId, atGateway, isKnown })
    expect(outcome).toMatchObject({ state, witness: everybody })
    expect(english(outcome.summary)).toMatch(words)
    expect(outcome.remedy === null).toBe(state === 'pass')
  })
})
