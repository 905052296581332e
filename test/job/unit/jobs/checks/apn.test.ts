import { describe, expect, it } from 'vitest'
import { checkApn } from '../../../../../main/job/jobs/checks/apn.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { benchImei, rowsInWords, runCheck, type Surroundings } from '../../../../world/device/checkBench.ts'

// The quick profile: without an address for 2 s is settled, 5 s in all. Read every second.
const gone = new AppError('UNREACHABLE', plainMessage('Gone.'))
const online = { GSM_REG: '1', GPRS_REG: '1', IP: '10.0.0.7' }
const system = () => ({ hostname: `ft4-${benchImei}` })
const plan = { apn: 'internet.example', clearsSignIn: true }

/** A modem that has an address with the right APN alone. */
function modem(apn: string, more: Surroundings = {}) {
  const state = { apn, sent: [] as unknown[] }
  const run = () =>
    runCheck(checkApn, {
      plan,
      system,
      configuration: () => ({ APN: state.apn }),
      modem: () => (state.apn === plan.apn ? online : { ...online, IP: '0.0.0.0' }),
      send(_operation, input) {
        state.sent.push(input)
        state.apn = (input as { apn: string }).apn
        return {}
      },
      ...more
    })
  return { state, run }
}

describe('The APN', () => {
  it('as ordered passes with registration and address, and nothing is written', async () => {
    const { run, state } = modem('Internet.Example ')
    const { rows, ...result } = await modem(plan.apn).run()
    expect(result).toMatchObject({
      state: 'pass',
      summary: 'APN internet.example: registered, with an address',
      witness: ['device'],
      tookMs: 0,
      asked: [],
      wrote: []
    })
    expect(rowsInWords(rows)).toEqual([
      { label: 'APN', wanted: 'internet.example', device: 'internet.example', gateway: null, verdict: 'agrees' },
      { label: 'Registration', wanted: 'present', device: 'present', gateway: null, verdict: 'agrees' },
      { label: 'Address', wanted: 'present', device: 'present', gateway: null, verdict: 'agrees' }
    ])
    expect(state.sent).toEqual([])
    expect(await run()).toMatchObject({ state: 'fail' })
  })

  it('that differs is set when the person agrees, read back, and proved again', async () => {
    const { run, state } = modem('wrong.example', { answer: (ms) => (ms >= 1_000 ? { answer: true } : undefined) })
    const result = await run()
    expect(result).toMatchObject({
      state: 'pass',
      summary: 'APN internet.example set and confirmed: registered, with an address'
    })
    expect(result.asked).toEqual([
      'The modem uses the APN wrong.example. Set it to internet.example? User, password and PIN are cleared, as ordered.'
    ])
    expect(state.sent).toEqual([{ apn: 'internet.example', user: '', pass: '', pin: '' }])
    expect(result.wrote.map(({ phase, input }) => ({ phase, input }))).toEqual(
      ['intent', 'answered', 'readBack'].map((phase) => ({ phase, input: { apn: 'internet.example' } }))
    )
  })

  it('that differs is never set with an empty user, password and PIN that nobody ordered', async () => {
    const { run, state } = modem('wrong.example', { plan: { apn: plan.apn }, answer: () => ({ answer: true }) })
    expect(await run()).toMatchObject({
      state: 'fail',
      summary: 'The modem uses the APN wrong.example; ordered: internet.example',
      remedy: 'Set the APN on the device’s network page, then run the step again.',
      asked: [],
      wrote: []
    })
    expect(state.sent).toEqual([])
  })

  it('that differs is left alone when the person does not agree', async () => {
    const { run, state } = modem('wrong.example', { answer: () => ({ answer: false }) })
    expect(await run()).toMatchObject({
      state: 'fail',
      summary: 'The modem uses the APN wrong.example; ordered: internet.example',
      remedy: 'Set the APN on the device’s network page, then run the step again.',
      wrote: []
    })
    expect(state.sent).toEqual([])
  })

  it('is not sent to another device', async () => {
    const { run, state } = modem('wrong.example', {
      answer: () => ({ answer: true }),
      system: () => ({ hostname: 'ft4-356938035643809' })
    })
    expect(await run()).toMatchObject({ state: 'fail', isMismatch: true, wrote: [] })
    expect(state.sent).toEqual([])
  })

  it('that the device does not keep is no pass', async () => {
    expect(await modem('wrong.example', { answer: () => ({ answer: true }), send: () => ({}) }).run()).toMatchObject({
      state: 'fail',
      summary: 'The APN was sent, but the modem uses wrong.example instead of internet.example'
    })
  })

  it('whose answer was lost is decided by the reading', async () => {
    const lost = modem('wrong.example', {
      answer: () => ({ answer: true }),
      send(_operation, input) {
        lost.state.apn = (input as { apn: string }).apn
        return new AppError('TIMEOUT', plainMessage('No answer.'), { fate: 'unknown' })
      }
    })
    const result = await lost.run()
    expect(result).toMatchObject({ state: 'pass' })
    expect(result.wrote.map(({ phase }) => phase)).toEqual(['intent', 'unknown', 'readBack'])
    expect(
      await modem('wrong.example', {
        answer: () => ({ answer: true }),
        send: () => new AppError('REFUSED', plainMessage('No.'), { fate: 'refused' })
      }).run()
    ).toMatchObject({ state: 'fail', summary: 'The device did not accept the APN: No.' })
  })

  it('that gives no address is named as the cause', async () => {
    const noAddress = { modem: () => ({ ...online, IP: '' }) }
    expect(await modem('x.example', { ...noAddress, plan: {} }).run()).toMatchObject({
      state: 'fail',
      summary: 'Registered with the APN x.example, but without an address',
      remedy: expect.stringMatching(/^The APN x\.example is wrong/) as string,
      tookMs: 2_000
    })
    expect(await modem(plan.apn, noAddress).run()).toMatchObject({
      state: 'fail',
      remedy: expect.stringMatching(/^The ordered APN internet\.example is wrong for this SIM/) as string
    })
  })

  it('in no network is not proved, and not blamed', async () => {
    expect(await modem(plan.apn, { modem: () => ({ GSM_REG: '0', GPRS_REG: '0', IP: '' }) }).run()).toMatchObject({
      state: 'fail',
      summary: 'APN internet.example; the modem is not on a network'
    })
    expect(
      await modem(plan.apn, { modem: () => ({ GSM_REG: 'HOME', GPRS_REG: 'HOME', IP: '10.0.0.7' }) }).run()
    ).toMatchObject({ state: 'warn' })
  })

  it('of which nothing was ordered is received, beside registration and address', async () => {
    const { rows, ...result } = await modem(plan.apn, { plan: {} }).run()
    expect(result).toMatchObject({ state: 'received' })
    expect(rowsInWords(rows).map(({ verdict }) => verdict)).toEqual(['received', 'agrees', 'agrees'])
  })

  it.each([
    ['the APN', { configuration: () => ({}) }, 'APN'],
    ['an APN that is a number', { configuration: () => ({ APN: 7 }) }, 'APN'],
    ['the address', { modem: () => ({ ...online, IP: undefined }) }, 'IP'],
    ['a registration that is a number', { modem: () => ({ ...online, GSM_REG: 1 }) }, 'GSM_REG'],
    ['anything', { configuration: () => gone }, 'Gone.']
  ])('without %s is unreadable', async (_what, more, why) => {
    expect(await modem(plan.apn, more).run()).toMatchObject({
      state: 'unreadable',
      summary: expect.stringContaining(why) as string,
      witness: []
    })
  })
})
