import { afterEach, describe, expect, it } from 'vitest'
import { checkEngineBus } from '../../../../../main/job/jobs/checks/engineBus.ts'
import type { BusValue, EngineBusAtGateway } from '../../../../../main/job/jobs/engine/ports.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { message, plainMessage } from '../../../../../preload/contract/messages.ts'
import { stepOfWords } from '../../../../world/window/english.ts'
import { openVirtualJob, type VirtualJob } from '../../../../world/device/virtualJob.ts'
import { benchImei, rowsInWords, runCheck, type Surroundings } from '../../../../world/device/checkBench.ts'

// The quick profile: 90 % are good, 60 % may be; settled after 6 s of a running engine, silent after 4 s, 20 s in all.
const gone = new AppError('UNREACHABLE', plainMessage('Gone.'), { fate: 'away' })
const ten = ['rpm', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8', 'p9']

interface Bus extends Partial<Omit<EngineBusAtGateway, 'events'>> {
  /** Flags of parameters; T where none is given. */
  flags?: Record<string, BusValue['flag'] | undefined>
  isFrozen?: boolean
  ageS?: number
}

function bus(ms: number, { flags = {}, isFrozen = false, ageS = 3, ...more }: Bus = {}): EngineBusAtGateway {
  const values = ten
    .filter((name) => !(name in flags) || flags[name] !== undefined)
    .map((name): BusValue => ({
      name,
      flag: flags[name] ?? 'T',
      meaning: message('engineBus.engineRuns'),
      value: (flags[name] ?? 'T') === 'T' ? (name === 'rpm' && !isFrozen ? 800 + ms : 40) : null
    }))
  return {
    isDetected: true,
    isEngineOn: true,
    isUpgrading: false,
    problem: null,
    parameters: ten.map((name) => ({ name, description: name })),
    heardAgeS: ageS,
    events: [{ atMs: ms, ageS, values }],
    raw: { ms },
    ...more
  }
}

const run = (at: (ms: number) => EngineBusAtGateway | null | AppError, more: Surroundings = {}) =>
  runCheck(checkEngineBus, {
    io: () => ({ TIG: true }),
    plan: { parameters: ten.map((name) => `ECU_${name.toUpperCase()}`) },
    system: () => ({ hostname: `ft4-${benchImei}` }),
    engineBus: at,
    ...more
  })

describe('An engine bus', () => {
  it('whose ordered parameters are valid, and move, passes', async () => {
    const result = await run((ms) => bus(ms))
    expect(result).toMatchObject({
      state: 'pass',
      summary: '10 of 10 parameters valid (100 %)',
      figure: message('engineBus.percent', { coveragePercent: 100 }),
      witness: ['gateway'],
      tookMs: 1_000
    })
    expect(rowsInWords(result.rows)[0]).toEqual({
      label: 'rpm',
      wanted: 'a valid value',
      device: null,
      gateway: '1800',
      verdict: 'agrees'
    })
    expect(result.saw.at(-1)).toMatchObject({
      witness: 'gateway',
      thresholds: { coveragePassPercent: 90, coverageWarnPercent: 60 }
    })
  })

  it.each([
    [1, 'pass', '9 of 10 parameters valid (90 %)'],
    [2, 'warn', '8 of 10 parameters valid (80 %)'],
    [4, 'warn', '6 of 10 parameters valid (60 %)'],
    [5, 'fail', '5 of 10 parameters valid (50 %)']
  ])('of which %d parameters are not available: %s', async (count, state, summary) => {
    const flags = Object.fromEntries(ten.slice(-count).map((name) => [name, 'U' as const]))
    expect(await run((ms) => bus(ms, { flags }))).toMatchObject({ state, summary })
  })

  it('is told by its flags alone: a value that comes with another one does not count', async () => {
    const flags = Object.fromEntries(ten.map((name) => [name, 'O' as const]))
    expect(await run((ms) => bus(ms, { flags }))).toMatchObject({
      state: 'fail',
      summary: '0 of 10 parameters valid (0 %)'
    })
  })

  it('of which nothing moves is no pass', async () => {
    expect(await run((ms) => bus(ms, { isFrozen: true }))).toMatchObject({
      state: 'warn',
      summary: '10 of 10 parameters valid (100 %), but none of them changes',
      tookMs: 6_000
    })
  })

  it('that is silent while the engine runs fails, and not before that', async () => {
    const silent = (ms: number) =>
      bus(ms, {
        isDetected: false,
        isEngineOn: false,
        flags: Object.fromEntries(ten.map((name) => [name, 'D' as const]))
      })
    expect(await run(silent)).toMatchObject({
      state: 'fail',
      summary: 'The engine bus was not detected while the engine ran for 4 s',
      remedy: 'Check the plug, the supply and the two bus wires of the engine-bus monitor.',
      tookMs: 4_000
    })
    const result = await run(silent, { io: () => ({ TIG: false }) })
    expect(result).toMatchObject({ state: 'fail', summary: 'The engine was not started' })
    expect(result.shown[0]).toMatchObject({ say: 'Start the engine.' })
  })

  it('is not believed from old events, another vehicle, or in another form', async () => {
    expect(await run((ms) => bus(ms, { ageS: 61 }))).toMatchObject({
      state: 'unreadable',
      summary: 'no engine-bus event has arrived since then'
    })
    expect(await run(() => null)).toMatchObject({
      state: 'unreadable',
      summary: 'at the gateway this device is in no vehicle'
    })
    expect(await run((ms) => bus(ms, { isDetected: null, problem: plainMessage('detected: a text.') }))).toMatchObject({
      state: 'unreadable',
      summary: 'The engine bus cannot be read: detected: a text.'
    })
  })

  it('is not called silent by a state of before: nothing of the device arrived since', async () => {
    const old = (ms: number) =>
      bus(ms, {
        isDetected: false,
        isEngineOn: false,
        ageS: 61,
        flags: Object.fromEntries(ten.map((name) => [name, 'D' as const]))
      })
    expect(await run(old)).toMatchObject({ state: 'unreadable', summary: 'no engine-bus event has arrived since then' })
    expect(await run((ms) => ({ ...old(ms), heardAgeS: null, events: [] }))).toMatchObject({ state: 'unreadable' })
  })

  it('waits for the gateway: what it did not say is asked later', async () => {
    expect(await run(() => gone)).toMatchObject({ state: 'deferred' })
    const limited = new AppError('RATE_LIMITED', plainMessage('Later.'), { fate: 'away' })
    expect(await run(() => limited)).toMatchObject({
      state: 'deferred',
      summary: expect.stringContaining('Later.') as string
    })
  })

  it('shows what was not ordered, and what the gateway does not list', async () => {
    const { rows, ...result } = await run((ms) => bus(ms), { plan: { parameters: ['rpm', 'oil_level'] } })
    expect(result).toMatchObject({ state: 'fail', summary: '1 of 2 parameters valid (50 %)' })
    expect(rowsInWords(rows).map(({ label, verdict }) => [label, verdict])).toEqual([
      ['rpm', 'agrees'],
      ['oil_level', 'missing'],
      ...ten.slice(1).map((name) => [name, 'notOrdered'])
    ])
  })

  it('of which nothing was ordered by name is received: what the gateway lists is counted, and compared with nothing', async () => {
    expect(await run((ms) => bus(ms), { plan: {} })).toMatchObject({
      state: 'received',
      summary: '10 of 10 parameters valid (100 %)'
    })
  })
})

describe("Entries for the device's list", () => {
  const entry = {
    PARAM_NAME: 'ECU_OIL',
    PGN: 'FEEF',
    TRANSMISSION_RATE: '500',
    PRIORITY: '6',
    DLC: '8',
    LENGTH: '1',
    START_POSITION: '3',
    MULTIPLIER: '4',
    GROUP: 'SIGNAL',
    OFFSET: 0
  }
  const plan = { parameters: ['rpm'], entries: [entry] }

  it('are sent once when the person agrees; the gateway is the witness', async () => {
    const sent: unknown[] = []
    const withOil = (ms: number): EngineBusAtGateway => {
      const now = bus(ms)
      if (sent.length === 0) return now
      return {
        ...now,
        parameters: [...now.parameters, { name: 'oil', description: '' }],
        events: now.events.map((event) => ({
          ...event,
          values: [...event.values, { name: 'oil', flag: 'T', meaning: message('engineBus.engineRuns'), value: ms }]
        }))
      }
    }
    const result = await run(withOil, {
      plan,
      answer: () => ({ answer: true }),
      send: (operation, input) => (sent.push([operation, input]), {})
    })
    expect(result).toMatchObject({ state: 'pass', summary: '2 of 2 parameters valid (100 %)' })
    expect(sent).toEqual([['ecu.addParameter', entry]])
    expect(result.wrote.map(({ phase }) => phase)).toEqual(['intent', 'answered'])
    expect(result.asked).toHaveLength(1)
  })

  it('are not sent to another device, nor where the person does not agree', async () => {
    const sent: unknown[] = []
    const send = (_operation: string, input: unknown) => (sent.push(input), {})
    expect(
      await run((ms) => bus(ms), {
        plan,
        answer: () => ({ answer: true }),
        send,
        system: () => ({ hostname: 'ft4-356938035643809' })
      })
    ).toMatchObject({ state: 'fail', isMismatch: true })
    expect(await run((ms) => bus(ms), { plan, answer: () => ({ answer: false }), send })).toMatchObject({
      state: 'fail',
      summary: '1 of 2 parameters valid (50 %)',
      wrote: []
    })
    expect(sent).toEqual([])
  })
})

describe('An engine bus that was checked without the gateway', () => {
  let job: VirtualJob
  afterEach(() => job.close())

  it.each<[string, Bus, object]>([
    [
      'passes by the events of that day, although the engine is off by now',
      {},
      { state: 'pass', summary: '10 of 10 parameters valid (100 %)', witness: ['gateway'] }
    ],
    [
      'fails where too few parameters were valid',
      { flags: Object.fromEntries(ten.slice(2).map((name) => [name, 'U' as const])) },
      { state: 'fail', summary: '2 of 10 parameters valid (20 %)' }
    ],
    [
      'stays open as long as a valid value may still arrive',
      { flags: Object.fromEntries(ten.map((name) => [name, 'F' as const])) },
      { state: 'deferred' }
    ]
  ])('%s', async (_what, at, wanted) => {
    job = openVirtualJob([
      stepOfWords<'engineBus'>({
        id: 'engine-bus',
        kind: 'engineBus',
        title: 'Bus',
        instruction: 'Start the engine.',
        parameters: ten
      })
    ])
    job.gateway.isAway = gone
    await job.connect()
    expect(await job.run('engine-bus')).toMatchObject({ state: 'deferred' })
    job.gateway.isAway = null
    job.gateway.engineBus = () => ({
      ...bus(2_000, { ...at, isDetected: true, isEngineOn: false }),
      events: [1_000, 2_000].flatMap((ms) => bus(ms, { ...at, ageS: 3_600 }).events)
    })
    const finishing = job.jobs.finishDeferred(new AbortController().signal)
    await job.pass(5_000)
    await finishing
    expect(job.step('engine-bus')).toMatchObject(wanted)
  })
})
