import { describe, expect, it } from 'vitest'
import {
  brokenConditions,
  conditionsOf,
  missingConditions,
  type SeenVehicle
} from '../../../../main/job/outputs/conditions.ts'
import { english } from '../../../world/window/english.ts'

const limits = {
  standstillKmh: 0.5,
  fixAgeS: 10,
  linesFreshS: 2,
  stillS: 2,
  silenceS: 5,
  engineOff: true,
  output: 'OUT1'
}
const parked: SeenVehicle = {
  linesAgeMs: 2_000,
  isMoving: false,
  isEngineOn: false,
  isOutputOn: false,
  isShort: false,
  hasFix: true,
  isFixDoubted: false,
  movedM: null,
  stillMs: 2_000,
  positionAgeMs: 10_000,
  fixAgeMs: 10_000,
  speedKmh: 0.5
}

describe('Before an output goes on', () => {
  it('nothing is missing while every condition is just fulfilled', () => {
    expect(missingConditions(parked, limits)).toEqual([])
  })

  it.each<[string, Partial<SeenVehicle>]>([
    ['an answer from the device', { linesAgeMs: 2_001 }],
    ['a fresh position', { hasFix: false }],
    ['a fresh position', { positionAgeMs: 10_001 }],
    ['a fresh position', { fixAgeMs: 10_001 }],
    ['a readable speed', { speedKmh: undefined }],
    ['standstill (0.6 km/h now)', { speedKmh: 0.6 }],
    ['a reliable position', { isFixDoubted: true }],
    ['standstill (the position changed by 16 m)', { movedM: 16 }],
    ['a second position at the same place', { stillMs: 1_999 }],
    ['no motion', { isMoving: true }],
    ['no motion', { isMoving: undefined }],
    ['the engine off', { isEngineOn: true }],
    ['the engine off', { isEngineOn: undefined }],
    ['OUT1 off', { isOutputOn: true }],
    ['OUT1 off', { isOutputOn: undefined }],
    ['no short on OUT1', { isShort: true }],
    ['no short on OUT1', { isShort: undefined }]
  ])('%s is missing with %o, and nothing else', (missing, change) => {
    expect(missingConditions({ ...parked, ...change }, limits).map(english)).toEqual([missing])
  })

  it('the engine may run where the relay has nothing to do with the starter', () => {
    expect(missingConditions({ ...parked, isEngineOn: true }, { ...limits, engineOff: false })).toEqual([])
  })
})

it('an output that is on goes off when its place moves, whatever the speed says, and when its fix is contradicted', () => {
  expect(brokenConditions({ ...parked, movedM: 16 }, limits).map(english)).toEqual(['the vehicle moved'])
  expect(brokenConditions({ ...parked, isFixDoubted: true }, limits).map(english)).toEqual([
    'the position is no longer reliable'
  ])
})

describe('What a person sees of each condition', () => {
  const shown = (change: Partial<SeenVehicle> = {}, more: Partial<typeof limits> = {}) =>
    conditionsOf({ ...parked, ...change }, { ...limits, ...more }).map(({ id, what, value, todo }) => [
      id,
      english(what),
      value && english(value),
      todo && english(todo)
    ])
  const one = (id: string, change: Partial<SeenVehicle>) =>
    shown(change)
      .find(([own]) => own === id)
      ?.slice(2)

  it('is its name and what was read, and nothing to do while it is met', () => {
    expect(shown({ linesAgeMs: 1_340 })).toEqual([
      ['device', 'The device answers', 'read 1.3 s ago', null],
      ['standstill', 'Standstill, fresh position', '0.5 km/h', null],
      ['motion', 'No motion', 'MOT off', null],
      ['engineOff', 'Engine off', 'TIG off', null],
      ['outputOff', 'OUT1 is off', 'OUT1 off', null],
      ['noShort', 'No short on OUT1', 'SO1 off', null]
    ])
    expect(shown({}, { engineOff: false, output: null as never }).map(([id]) => id)).toEqual([
      'device',
      'standstill',
      'motion'
    ])
  })

  it.each<[string, Partial<SeenVehicle>, string | null, string]>([
    ['device', { linesAgeMs: 2_340 }, 'read 2.3 s ago', 'The device does not answer. Check its power and your Wi-Fi.'],
    ['device', { linesAgeMs: Infinity }, null, 'The device does not answer. Check its power and your Wi-Fi.'],
    ['standstill', { speedKmh: 12 }, '12 km/h', 'Stop the vehicle first.'],
    ['standstill', { speedKmh: undefined }, 'no reading', 'Wait for a fresh position, with a clear view of the sky.'],
    [
      'standstill',
      { speedKmh: 12, hasFix: false },
      'no fresh position',
      'Wait for a fresh position, with a clear view of the sky.'
    ],
    ['motion', { isMoving: true }, 'MOT on', 'Wait until the vehicle stands still.'],
    ['motion', { isMoving: undefined }, 'no reading', 'Wait until the vehicle stands still.'],
    ['engineOff', { isEngineOn: true }, 'TIG on', 'Turn the engine off first.'],
    ['outputOff', { isOutputOn: true }, 'OUT1 on', 'The output is already on. Switch it off first.'],
    ['noShort', { isShort: true }, 'SO1 on', 'Find the short in its wire first.']
  ])('%s with %o: %s', (id, change, value, todo) => {
    expect(one(id, change)).toEqual([value, todo])
  })
})

describe('While an output is on', () => {
  const on = { ...parked, linesAgeMs: 5_000, isOutputOn: true, isEngineOn: true }

  it('it may stay on while everything just holds; the key may be turned', () => {
    expect(brokenConditions(on, limits)).toEqual([])
  })

  it.each<[string, Partial<SeenVehicle>]>([
    ['the vehicle moved', { isMoving: true }],
    ['the vehicle moved', { speedKmh: 0.6 }],
    ['standstill can no longer be read', { isMoving: undefined }],
    ['standstill can no longer be read', { speedKmh: undefined }],
    ['the position is no longer fresh', { hasFix: false }],
    ['the position is no longer fresh', { positionAgeMs: 10_001 }],
    ['the position is no longer fresh', { fixAgeMs: 10_001 }],
    ['the device stopped answering', { linesAgeMs: 5_001 }]
  ])('%s with %o: off', (broken, change) => {
    expect(brokenConditions({ ...on, ...change }, limits).map(english)).toEqual([broken])
  })

  it('position and lines are lost one without the other: each of them alone ends it', () => {
    const lost: Partial<SeenVehicle>[] = [
      { hasFix: false },
      { positionAgeMs: 60_000 },
      { fixAgeMs: 60_000 },
      { speedKmh: undefined },
      { isMoving: undefined },
      { linesAgeMs: 60_000 }
    ]
    for (const one of lost)
      for (const other of [{}, ...lost]) expect(brokenConditions({ ...on, ...one, ...other }, limits)).not.toEqual([])
  })
})
