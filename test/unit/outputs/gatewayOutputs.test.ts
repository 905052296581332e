import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { english } from '../../support/english.ts'
import { openOutputBench } from '../../support/outputBench.ts'
import { shippedLimits } from '../../support/outputs.ts'
import { createAccessoryTrials, type AccessoryTrials } from '../../../main/accessories/trials.ts'
import type { OutputLogEntry } from '../../../preload/contract/gateway/remoteOutputs.ts'
import type { GatewayOutputLimits } from '../../../main/outputs/limits.ts'
import { createGatewayOutputs, judgeOutput, type OutputGateway } from '../../../main/outputs/gatewayOutputs.ts'
import type { LedgerRow } from '../../../main/store/work/outputLedger.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())
const signal = new AbortController().signal

function open(
  send: () => Promise<{ message: string; deviceIsOnline: boolean | null; raw: null }>,
  limits: GatewayOutputLimits = shippedLimits
) {
  const seen = { sent: 0, log: [] as string[], ledger: [] as string[] }
  const gateway = {
    nowMs: () => Promise.resolve(Date.now()),
    deviceOf: () => Promise.resolve('356938035643809'),
    readView: () => Promise.resolve({ ...good(), lines: [], linesAt: null }),
    readLines: () => Promise.resolve({ lines: [], isExpanderConnected: true, at: null }),
    commands: {
      setOutput: () => {
        seen.sent += 1
        return send()
      },
      outputLog: () => Promise.resolve([]),
      userName: () => Promise.resolve('fitter')
    }
  } as unknown as OutputGateway
  const log = {
    begin: () => (seen.log.push('intent'), 1),
    end: (_id: number, outcome: string) => void seen.log.push(outcome)
  }
  const waits = createAccessoryTrials({
    changed: () => undefined,
    reportFault: (error) => expect(error).toBeUndefined()
  })
  const ledger = {
    begin: () => void seen.ledger.push('begun'),
    note: (_output: unknown, state: string) => void seen.ledger.push(state),
    end: (_output: unknown, how: string) => void seen.ledger.push(how),
    has: () => !['notSent', 'proved', undefined].includes(seen.ledger.at(-1)),
    lateOnLeftMs: () => 0,
    setLateOn: () => undefined
  }
  const outputs = createGatewayOutputs({ gateway, waits, log, ledger, limits: () => limits })
  return {
    seen,
    parts: { waits },
    set: (input: { out: number; on: boolean }) => outputs.set({ vehicleId: 1, otype: 'e', ...input }, signal)
  }
}

function noteOf(waits: AccessoryTrials): string {
  const [test] = waits.list()
  if (!test) throw new Error('nothing is followed')
  return english(test.note)
}

test('a command that the gateway never shows expires after 60 s and is not sent again', async () => {
  const { seen, parts, set } = open(() => Promise.resolve({ message: 'Command sent', deviceIsOnline: true, raw: null }))
  const { id } = await set({ out: 1, on: false })
  await vi.advanceTimersByTimeAsync(59_000)
  expect(parts.waits.list()[0]?.state).toBe('waiting')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(parts.waits.list()[0]).toMatchObject({ id, state: 'notFound', witness: null })
  expect(noteOf(parts.waits)).toContain('Expired')
  await vi.advanceTimersByTimeAsync(600_000)
  expect(seen).toEqual({ sent: 1, log: ['intent', 'done'], ledger: ['goingOff', 'mayBeOn'] })
})

test('a command whose answer was lost is followed, never sent again, and never called done', async () => {
  const { seen, parts, set } = open(() =>
    Promise.reject(new AppError('TIMEOUT', plainMessage('It answered too late.'), { retryable: true }))
  )
  await set({ out: 1, on: false })
  await vi.advanceTimersByTimeAsync(61_000)
  expect(parts.waits.list()[0]?.state).toBe('notFound')
  expect(seen).toEqual({ sent: 1, log: ['intent', 'unknown'], ledger: ['goingOff', 'mayBeOn'] })
})

test('the profile says when a command that is not seen has expired', async () => {
  const { parts, set } = open(() => Promise.resolve({ message: 'Command sent', deviceIsOnline: true, raw: null }), {
    ...shippedLimits,
    gatewayExpiresS: 10
  })
  await set({ out: 1, on: false })
  await vi.advanceTimersByTimeAsync(11_000)
  expect(parts.waits.list()[0]?.state).toBe('notFound')
  expect(noteOf(parts.waits)).toContain('within 10 s')
})

test('a device that is offline is said, since the gateway may hold the command', async () => {
  const { parts, set } = open(() => Promise.resolve({ message: 'Command queued', deviceIsOnline: false, raw: null }))
  await set({ out: 1, on: false })
  await vi.advanceTimersByTimeAsync(3_000)
  expect(noteOf(parts.waits)).toContain('offline')
  await parts.waits.close()
})

test('five at once send one command', async () => {
  const { seen, set } = open(() => Promise.resolve({ message: 'Command sent', deviceIsOnline: true, raw: null }))
  const all = await Promise.allSettled([1, 1, 2, 3, 1].map((out) => set({ out, on: true })))
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'rejected'])
  expect(seen.sent).toBe(1)
  await expect(set({ out: 2, on: true })).rejects.toMatchObject({ code: 'INTERLOCK' })
  expect(seen.sent).toBe(1)
})

test('"off" goes out while "on" is under way, and the same "off" only once', async () => {
  const { seen, set } = open(() => Promise.resolve({ message: 'Command sent', deviceIsOnline: true, raw: null }))
  await Promise.all([set({ out: 1, on: true }), set({ out: 1, on: false }), set({ out: 1, on: false })])
  expect(seen.sent).toBe(2)
})

test('"on" is in the ledger before it leaves, and out of it only when it surely did not', async () => {
  const refused = open(() => Promise.reject(new AppError('NOT_PERMITTED', plainMessage('No.'))))
  await expect(refused.set({ out: 1, on: true })).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
  expect(refused.seen.ledger).toEqual(['begun', 'notSent'])
  const lost = open(() => Promise.reject(new AppError('TIMEOUT', plainMessage('Too late.'))))
  await lost.set({ out: 1, on: true })
  await vi.advanceTimersByTimeAsync(61_000)
  expect(lost.seen.ledger).toEqual(['begun', 'mayBeOn'])
})

describe('With the ledger', () => {
  const imei = '356938035643809'

  /** A gateway that carries out what it gets, now or later, and shows the line as it reports it. */
  function openWithLedger(earlier: LedgerRow[] = []) {
    const { outputs, ledger: rows, faults } = openOutputBench(earlier)
    const world = {
      isOn: false,
      reportsAtMs: undefined as number | undefined,
      entries: [] as OutputLogEntry[],
      answer: (_on: boolean): Promise<{ message: string; deviceIsOnline: boolean; raw: null }> =>
        Promise.resolve({ message: 'Command sent', deviceIsOnline: true, raw: null })
    }
    const carryOut = (on: boolean) => {
      world.isOn = on
      world.entries.push({ otype: 'e', out: 1, on, user: 'fitter', at: new Date().toISOString() } as OutputLogEntry)
    }
    const gateway = {
      nowMs: () => Promise.resolve(Date.now()),
      deviceOf: () => Promise.resolve(imei),
      readView: () => Promise.resolve({ ...good(), lines: [], linesAt: null }),
      readLines: () =>
        Promise.resolve({
          lines: [{ name: 'E1', kind: 'expanderOutput', number: 1, on: world.isOn, isShorted: false }],
          isExpanderConnected: true,
          at: new Date(world.reportsAtMs ?? Date.now()).toISOString()
        }),
      commands: {
        async setOutput(_vehicleId: number, { state }: { state: boolean }) {
          const answer = await world.answer(state)
          carryOut(state)
          return answer
        },
        outputLog: () => Promise.resolve(world.entries),
        userName: () => Promise.resolve('fitter')
      }
    } as unknown as OutputGateway
    const waits = createAccessoryTrials({ changed: () => undefined, reportFault: (error) => faults.push(error) })
    const gatewayOutputs = createGatewayOutputs({
      gateway,
      waits,
      log: { begin: () => 1, end: () => undefined },
      ledger: outputs.gateway,
      limits: () => shippedLimits
    })
    const set = (on: boolean) => gatewayOutputs.set({ vehicleId: 1, otype: 'e', out: 1, on }, signal)
    outputs.gateway.serve(async () => void (await waits.ended((await set(false)).id)))
    const loses = () => Promise.reject(new AppError('TIMEOUT', plainMessage('Too late.')))
    return { world, outputs, rows, faults, waits, set, carryOut, loses }
  }
  const row: LedgerRow = {
    id: 1,
    imei,
    output: 'e 1',
    path: 'gateway',
    vehicleId: 1,
    address: '',
    since: '2026-11-20T08:00:00.000Z',
    by: 'T',
    jobId: null,
    isOnSettled: false
  }

  test('"off" is not confirmed while an "on" without an answer can still arrive', async () => {
    const { world, outputs, set, carryOut, loses } = openWithLedger()
    const answer = world.answer
    world.answer = loses
    await set(true)
    world.answer = answer
    await vi.advanceTimersByTimeAsync(20_000)
    await set(false)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(outputs.ledger()).toMatchObject([{ output: 'e 1', path: 'gateway', state: 'goingOff' }])
    carryOut(true)
    await vi.advanceTimersByTimeAsync(50_000)
    expect(outputs.ledger()).toMatchObject([{ output: 'e 1' }])
    await set(false)
    await vi.advanceTimersByTimeAsync(70_000)
    expect(outputs.ledger()).toEqual([])
  })

  test('"off" is confirmed once that time is over, by a reading of after it', async () => {
    const { world, outputs, waits, set, loses } = openWithLedger()
    const answer = world.answer
    world.answer = loses
    await set(true)
    world.answer = answer
    await set(false)
    world.reportsAtMs = Date.now() + 1_000
    await vi.advanceTimersByTimeAsync(55_000)
    expect(noteOf(waits)).toContain('may still arrive')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(outputs.ledger()).toMatchObject([{ output: 'e 1' }])
    world.reportsAtMs = undefined
    await vi.advanceTimersByTimeAsync(6_000)
    expect(outputs.ledger()).toEqual([])
  })

  test('"off" is confirmed at once when the gateway showed that "on" took effect', async () => {
    const { outputs, set } = openWithLedger()
    await set(true)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(outputs.ledger()).toMatchObject([{ state: 'on' }])
    await set(false)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(outputs.ledger()).toEqual([])
  })

  test('an output of an earlier run is not confirmed off before its "on" can no longer arrive', async () => {
    const { outputs, set } = openWithLedger([row])
    await set(false)
    await vi.advanceTimersByTimeAsync(55_000)
    expect(outputs.ledger()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(outputs.ledger()).toEqual([])
  })

  test('an "on" that is refused takes nothing out of the ledger that was in it before', async () => {
    const { world, outputs, set } = openWithLedger([row])
    world.answer = () => Promise.reject(new AppError('NOT_PERMITTED', plainMessage('No.')))
    await expect(set(true)).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
    expect(outputs.ledger()).toMatchObject([{ id: 1, state: 'mayBeOn' }])
  })

  test('an output that may be on comes into the ledger, whoever switched it on', async () => {
    const { world, outputs, rows, set, loses } = openWithLedger()
    world.answer = loses
    await set(false)
    expect(outputs.ledger()).toEqual([])
    await vi.advanceTimersByTimeAsync(65_000)
    expect(outputs.ledger()).toMatchObject([{ imei, output: 'e 1', path: 'gateway', state: 'mayBeOn' }])
    expect(rows.rows).toMatchObject([{ vehicleId: 1 }])
  })

  test('the list of outputs waits for "off" only as long as the end of Fitter would', async () => {
    const { outputs } = openWithLedger([row])
    const off = outputs.switchOff(1)
    await vi.advanceTimersByTimeAsync(shippedLimits.quitWithinS * 1000)
    expect(await off).toMatchObject([{ state: 'goingOff' }])
    const all = outputs.allOff()
    await vi.advanceTimersByTimeAsync(shippedLimits.quitWithinS * 1000)
    expect(await all).toHaveLength(1)
  })
})

const nowMs = Date.parse('2026-11-20T09:00:00Z')
const at = (ageS: number) => new Date(nowMs - ageS * 1000).toISOString()
const event = {
  at: at(60),
  ageS: 60,
  type: 10,
  label: 'prdtst',
  speedKmh: 0,
  validPosition: true,
  speedAt: at(60),
  ignition: null,
  ignitionAt: null
}
const ignition = (on: boolean | null) => [{ name: 'IGN', kind: 'ignition' as const, number: 0, on, isShorted: null }]
const bus = (isEngineOn: boolean) => ({
  protocol: '',
  firmware: '',
  isDetected: true,
  isEngineOn,
  isUpgrading: false,
  updatedAt: null,
  raw: null
})
const parked = { event, engineBus: null, lines: ignition(false), linesAt: at(60) }
const broken = (view: Parameters<typeof judgeOutput>[0], isBusy = false, limits: GatewayOutputLimits = shippedLimits) =>
  judgeOutput(view, { isBusy, nowMs, limits })
    .filter(({ holds }) => !holds)
    .map(({ id }) => id)

/** A view that holds at the time of the fake clock. */
function good() {
  const now = new Date().toISOString()
  return { event: { ...event, at: now, speedAt: now, ignition: false, ignitionAt: now }, engineBus: null }
}

test('a parked vehicle whose inputs are all of the last 60 s may be switched', () => {
  expect(broken(parked)).toEqual([])
  expect(broken({ ...parked, event: { ...event, at: at(-5), speedAt: at(-5) }, linesAt: at(-5) })).toEqual([])
})
test.each<[string, Parameters<typeof judgeOutput>[0], string[]]>([
  ['an old event', { ...parked, event: { ...event, at: at(61), speedAt: at(61) } }, ['fresh', 'standing']],
  [
    'an event in the future',
    { ...parked, event: { ...event, at: at(-3_600), speedAt: at(-3_600) } },
    ['fresh', 'standing']
  ],
  [
    'an event just too far in the future',
    { ...parked, event: { ...event, at: at(-6), speedAt: at(-6) } },
    ['fresh', 'standing']
  ],
  ['no event', { ...parked, event: null }, ['fresh', 'standing']],
  [
    'an old speed, behind newer messages of the connection',
    { ...parked, event: { ...event, at: at(5), speedAt: at(61) } },
    ['standing']
  ],
  ['a speed of an unknown time', { ...parked, event: { ...event, speedAt: null } }, ['standing']],
  ['a moving vehicle', { ...parked, event: { ...event, speedKmh: 1 } }, ['standing']],
  ['a speed that is not known', { ...parked, event: { ...event, speedKmh: null } }, ['standing']],
  ['an invalid position', { ...parked, event: { ...event, validPosition: false } }, ['standing']],
  ['the ignition on', { ...parked, lines: ignition(true) }, ['engineOff']],
  ['an ignition that is not known', { ...parked, lines: [] }, ['engineOff']],
  ['lines that are 61 s old', { ...parked, linesAt: at(61) }, ['engineOff']],
  ['lines of last week', { ...parked, linesAt: at(604_800) }, ['engineOff']],
  ['lines in the future', { ...parked, linesAt: at(-3_600) }, ['engineOff']],
  ['lines of an unknown time', { ...parked, linesAt: null }, ['engineOff']],
  [
    'a newer event that says the ignition is on',
    { ...parked, event: { ...event, ignition: true, ignitionAt: at(10) } },
    ['engineOff']
  ],
  [
    'an event of the same time that says the ignition is on',
    { ...parked, event: { ...event, ignition: true, ignitionAt: at(60) } },
    ['engineOff']
  ],
  ['a running engine', { ...parked, engineBus: bus(true) }, ['engineOff']]
])('%s holds it back', (_what, view, ids) => {
  expect(broken(view)).toEqual(ids)
})
test('the profile says how old an input may be, and how far in the future', () => {
  const limits = { ...shippedLimits, gatewayFreshS: 20, gatewayAheadS: 2 }
  const seen = (ageS: number) =>
    broken({ ...parked, event: { ...event, at: at(ageS), speedAt: at(ageS) }, linesAt: at(ageS) }, false, limits)
  expect(seen(20)).toEqual([])
  expect(seen(-2)).toEqual([])
  for (const ageS of [21, -3]) expect(seen(ageS)).toEqual(['fresh', 'standing', 'engineOff'])
})
test('the newest word on the ignition counts', () => {
  expect(
    broken({ ...parked, lines: ignition(true), event: { ...event, ignition: false, ignitionAt: at(10) } })
  ).toEqual([])
  expect(broken({ ...parked, linesAt: at(3_600), event: { ...event, ignition: false, ignitionAt: at(10) } })).toEqual(
    []
  )
})
test('another output that is followed holds it back', () => {
  expect(broken(parked, true)).toEqual(['idle'])
})
