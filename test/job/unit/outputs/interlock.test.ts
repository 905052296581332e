import { beforeEach, describe, expect, it } from 'vitest'
import type { LineSample } from '../../../../main/device/client/lineRecorder.ts'
import { createInterlock, shortLine, type InterlockLimits } from '../../../../main/job/outputs/interlock.ts'
import type { GpsPosition, Reading } from '../../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { english } from '../../../world/window/english.ts'

const limits: InterlockLimits = {
  standstillKmh: 0.5,
  fixAgeS: 10,
  linesFreshS: 2,
  stillS: 2,
  silenceS: 5,
  engineOff: true,
  output: 'OUT2'
}
const wallMs = Date.parse('2026-11-20T09:00:00Z')

let monotonicMs: number
let sample: LineSample | undefined
let position: () => Promise<Reading<GpsPosition>>
let asked: number
let abort: AbortController

beforeEach(() => {
  monotonicMs = 1_000
  sample = {
    atMs: 1_000,
    readAt: '',
    value: { MOT: false, TIG: false, IGN: true, OUT1: true, OUT2: false, SO1: true, SO2: false },
    problems: []
  }
  position = () => at({})
  asked = 0
  abort = new AbortController()
})

function at(coords: object): Promise<Reading<GpsPosition>> {
  const value = {
    coords: { latitude: 40, longitude: -3, speed: 0, ...coords },
    timestamp: (wallMs + monotonicMs) / 1000,
    extras: { fix: 3 }
  }
  return Promise.resolve({
    operation: 'gps.position',
    status: 200,
    value,
    problems: [],
    raw: null,
    readAt: '',
    elapsedMs: 5
  })
}

function make(more: Partial<InterlockLimits> = {}) {
  const { output, ...others } = { ...limits, ...more }
  return createInterlock(
    {
      device: { gps: { position: () => ((asked += 1), position()) } },
      signal: abort.signal,
      monotonicMs: () => monotonicMs,
      now: () => new Date(wallMs + monotonicMs),
      lines: { latest: () => sample }
    },
    output === undefined ? others : { ...others, output }
  )
}

/** Two fixes, as standing still needs them. */
async function readTwice(interlock: ReturnType<typeof make>): Promise<void> {
  await interlock.read()
  monotonicMs += 2_000
  sample = { ...sample!, atMs: monotonicMs }
  await interlock.read()
}

const words = (interlock: ReturnType<typeof make>) => ({
  missing: interlock.missing().map(english),
  broken: interlock.broken().map(english)
})
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('The conditions of an output', () => {
  it('hold after a position and the lines were read', async () => {
    const interlock = make()
    await readTwice(interlock)
    expect(words(interlock)).toEqual({ missing: [], broken: [] })
    expect(interlock.state()).toEqual({ speedKmh: 0, fixAgeMs: 0, MOT: false, IGN: true, TIG: false })
  })

  it('do not hold before anything was read, and show nothing that nobody read', () => {
    sample = undefined
    const interlock = make()
    expect(words(interlock)).toEqual({
      missing: [
        'an answer from the device',
        'a fresh position',
        'no motion',
        'the engine off',
        'OUT2 off',
        'no short on OUT2'
      ],
      broken: ['standstill can no longer be read', 'the position is no longer fresh', 'the device stopped answering']
    })
    expect(interlock.state()).toEqual({ speedKmh: null, fixAgeMs: null, MOT: null, IGN: null, TIG: null })
  })

  it('ask for the output itself and its own short, of no other', async () => {
    const interlock = make()
    await readTwice(interlock)
    sample = { ...sample!, value: { ...sample!.value, OUT2: true, SO2: true } }
    expect(interlock.missing().map(english)).toEqual(['OUT2 off', 'no short on OUT2'])
    expect(interlock.conditions().map(({ id, what, holds }) => [id, english(what), holds])).toEqual([
      ['device', 'The device answers', true],
      ['standstill', 'Standstill, fresh position', true],
      ['motion', 'No motion', true],
      ['engineOff', 'Engine off', true],
      ['outputOff', 'OUT2 is off', false],
      ['noShort', 'No short on OUT2', false]
    ])
    const without = make({ output: undefined })
    await readTwice(without)
    expect(without.missing()).toEqual([])
  })

  it.each([
    [2_000, 'lines', []],
    [2_001, 'lines', ['an answer from the device']],
    [10_000, 'position', []],
    [10_001, 'position', ['a fresh position']]
  ])('are as old as their last reading: %d ms for the %s', async (ms, what, missing) => {
    const interlock = make()
    await readTwice(interlock)
    monotonicMs += ms
    if (what === 'position') sample = { ...sample!, atMs: monotonicMs }
    else await interlock.read()
    expect(interlock.missing().map(english)).toEqual(missing)
  })

  it.each([
    [5_000, []],
    [5_001, ['the device stopped answering']]
  ])('end an output that is on after %d ms of silence', async (ms, broken) => {
    const interlock = make()
    await interlock.read()
    monotonicMs += ms
    await interlock.read()
    expect(interlock.broken().map(english)).toEqual(broken)
  })

  it.each([
    [0.5, [], []],
    [0.6, ['standstill (0.6 km/h now)'], ['the vehicle moved']]
  ])('hold up to %d km/h', async (speed, missing, broken) => {
    position = () => at({ speed })
    const interlock = make()
    await readTwice(interlock)
    expect(words(interlock)).toEqual({ missing, broken })
    expect(interlock.state().speedKmh).toBe(speed)
  })

  it('a position that was asked for in vain makes the one before no newer', async () => {
    const interlock = make()
    await interlock.read()
    monotonicMs += 10_001
    sample = { ...sample!, atMs: monotonicMs }
    position = () => Promise.reject(new AppError('TIMEOUT', plainMessage('Nothing came.')))
    await interlock.read()
    expect(interlock.missing().map(english)).toEqual(['a fresh position'])
  })

  it('show the age of the fix in whole milliseconds', async () => {
    const interlock = make()
    await interlock.read()
    monotonicMs += 1_234.4
    expect(interlock.state().fixAgeMs).toBe(1_234)
  })
})

describe('A speed of 0', () => {
  const metre = 1 / 111_195

  it('is not believed while two fixes are apart, and again when the fixes of the last 20 s are at one place', async () => {
    let m = 0
    position = () => at({ latitude: 40 + m * metre })
    const interlock = make()
    await interlock.read()
    m = 20
    monotonicMs += 2_000
    sample = { ...sample!, atMs: monotonicMs }
    await interlock.read()
    expect(words(interlock)).toEqual({
      missing: ['standstill (the position changed by 20 m)'],
      broken: ['the vehicle moved']
    })
    expect(interlock.conditions().find(({ id }) => id === 'standstill')).toMatchObject({
      holds: false,
      value: { id: 'outputs.value.moved' },
      todo: { id: 'outputs.todo.standstill' }
    })
    for (let n = 0; n < 11; n++) await readTwice(interlock)
    expect(words(interlock)).toEqual({ missing: [], broken: [] })
  })

  it('of one fix that is read again and again is no standstill', async () => {
    const first = await at({})
    position = () => Promise.resolve(first)
    const interlock = make()
    await readTwice(interlock)
    expect(interlock.missing().map(english)).toEqual(['a second position at the same place'])
  })

  it.each([
    ['without satellites', {}, { satsActive: 0 }],
    ['with a HDOP of 99.99', {}, { hdop: 99.99 }],
    ['with an accuracy of 20 km', { accuracy: 20_000 }, {}]
  ])('of a fix %s proves no standstill', async (_name, coords, extras) => {
    position = async () => {
      const reading = await at(coords)
      return { ...reading, value: { ...reading.value, extras: { fix: 3, ...extras } } } as Reading<GpsPosition>
    }
    const interlock = make()
    await readTwice(interlock)
    expect(words(interlock)).toEqual({
      missing: ['a reliable position'],
      broken: ['the position is no longer reliable']
    })
  })
})

describe('Reading the position beside', () => {
  it('begins once at a time, and again when it is over', async () => {
    const interlock = make()
    interlock.beginRead()
    interlock.beginRead()
    expect(asked).toBe(1)
    await settled()
    expect(words(interlock)).toEqual({ missing: ['a second position at the same place'], broken: [] })
    monotonicMs += 2_000
    sample = { ...sample!, atMs: monotonicMs }
    interlock.beginRead()
    expect(asked).toBe(2)
    await settled()
    expect(words(interlock)).toEqual({ missing: [], broken: [] })
  })

  it('tells a fault of its own at the next look at the conditions, both before and while it is on', async () => {
    const fault = new TypeError('a fault inside Fitter')
    position = () => Promise.reject(fault)
    const interlock = make()
    interlock.beginRead()
    await settled()
    expect(() => interlock.missing()).toThrow(fault)
    expect(() => interlock.broken()).toThrow(fault)
  })

  it('tells nothing of a reading that was ended on purpose', async () => {
    position = () => Promise.reject(new AppError('CANCELLED', plainMessage('Cancelled.')))
    const interlock = make()
    interlock.beginRead()
    abort.abort()
    await settled()
    expect(interlock.missing().map(english)).toEqual(['a fresh position'])
  })
})

describe('The short of an output', () => {
  it.each([
    ['OUT1', 'SO1'],
    ['OUT2', 'SO2'],
    ['OUT3', 'SO3'],
    ['OUT4', 'SO4']
  ] as const)('%s is seen at %s', (output, line) => {
    expect(shortLine(output)).toBe(line)
  })
})
