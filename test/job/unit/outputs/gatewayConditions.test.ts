import { describe, expect, it, test } from 'vitest'
import { judgeOutput } from '../../../../main/job/outputs/gatewayConditions.ts'
import type { GatewayOutputLimits } from '../../../../main/job/outputs/limits.ts'
import type { LineState } from '../../../../preload/contract/gateway/accessories.ts'
import { english } from '../../../world/window/english.ts'
import { expander, startMs, type View } from '../../../world/gateway/gatewayOutputBench.ts'
import { shippedLimits } from '../../../world/device/outputs.ts'

describe('The conditions of “on”, in words', () => {
  const event = {
    at: '2026-11-20T08:59:30.400Z',
    ageS: 30,
    type: 10,
    label: 'prdtst',
    speedKmh: 0 as number | null,
    validPosition: true as boolean | null,
    speedAt: '2026-11-20T08:59:30.400Z' as string | null,
    ignition: null,
    ignitionAt: null
  }
  const bus = (isEngineOn: boolean, isDetected = true) => ({
    protocol: '',
    firmware: '',
    isDetected,
    isEngineOn,
    isUpgrading: false,
    updatedAt: null,
    raw: null
  })
  const ignition = (on: boolean | null): LineState[] => [
    expander(true),
    { name: 'IGN', kind: 'ignition', number: 0, on, isShorted: null }
  ]
  const parked: View = { event, engineBus: null, lines: ignition(false), linesAt: event.at }
  const judge = (view: View, isBusy = false) => judgeOutput(view, { isBusy, nowMs: startMs, limits: shippedLimits })

  it('say what holds of a parked vehicle', () => {
    expect(judge(parked).map(({ id, holds, what }) => [id, holds, english(what)])).toEqual([
      ['fresh', true, 'The latest event is 30 s old (limit 60 s). An offline device would run the command later.'],
      ['standing', true, 'Speed 0 km/h; it must be 0.'],
      ['engineOff', true, 'The ignition is off.'],
      ['idle', true, 'No other output of this vehicle is being watched.']
    ])
  })

  it.each<[string, string, boolean, View]>([
    ['fresh', 'The vehicle sent no event in the last 6 hours.', false, { ...parked, event: null }],
    [
      'fresh',
      'The latest event is 6 s in the future: the device’s or the gateway’s clock is wrong.',
      false,
      { ...parked, event: { ...event, at: '2026-11-20T09:00:06.400Z' } }
    ],
    [
      'fresh',
      'The latest event is −5 s old (limit 60 s). An offline device would run the command later.',
      true,
      { ...parked, event: { ...event, at: '2026-11-20T09:00:05.400Z' } }
    ],
    ['standing', 'The gateway shows no speed.', false, { ...parked, event: null }],
    ['standing', 'The gateway shows no speed.', false, { ...parked, event: { ...event, speedKmh: null } }],
    ['standing', 'The gateway shows no speed.', false, { ...parked, event: { ...event, speedAt: null } }],
    [
      'standing',
      'The latest speed is 61 s old (limit 60 s).',
      false,
      { ...parked, event: { ...event, speedAt: '2026-11-20T08:58:59.400Z' } }
    ],
    [
      'standing',
      'The latest event is 6 s in the future: the device’s or the gateway’s clock is wrong.',
      false,
      { ...parked, event: { ...event, speedAt: '2026-11-20T09:00:06.400Z' } }
    ],
    [
      'standing',
      'The position is not valid, so the speed cannot be trusted.',
      false,
      { ...parked, event: { ...event, validPosition: null } }
    ],
    [
      'standing',
      'The position is not valid, so the speed cannot be trusted.',
      false,
      { ...parked, event: { ...event, isFixDoubted: true } }
    ],
    [
      'standing',
      'The speed is 0, but the latest positions are 600 m apart. Stop the vehicle and wait for the next events.',
      false,
      { ...parked, event: { ...event, movedM: 600 } }
    ],
    ['standing', 'Speed 3 km/h; it must be 0.', false, { ...parked, event: { ...event, speedKmh: 3, movedM: 600 } }],
    ['standing', 'Speed 3 km/h; it must be 0.', false, { ...parked, event: { ...event, speedKmh: 3 } }],
    ['engineOff', 'The gateway shows no ignition state from the last 60 s.', false, { ...parked, lines: [] }],
    [
      'engineOff',
      'The gateway shows no ignition state from the last 60 s.',
      false,
      { ...parked, lines: ignition(null) }
    ],
    [
      'engineOff',
      'The ignition is on. Turn it off.',
      false,
      { ...parked, lines: ignition(true), engineBus: bus(true) }
    ],
    ['engineOff', 'The engine bus reports that the engine is running.', false, { ...parked, engineBus: bus(true) }],
    ['engineOff', 'The ignition is off.', true, { ...parked, engineBus: bus(false) }],
    ['engineOff', 'The ignition is off.', true, { ...parked, engineBus: bus(true, false) }]
  ])('%s: %s', (id, words, holds, view) => {
    const found = judge(view).find((condition) => condition.id === id)
    expect(found && [english(found.what), found.holds]).toEqual([words, holds])
  })

  it('say that another output is being watched', () => {
    expect(
      judge(parked, true)
        .map(({ what }) => english(what))
        .at(-1)
    ).toBe('Another output of this vehicle is being watched.')
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
const broken = (view: View, isBusy = false, limits: GatewayOutputLimits = shippedLimits) =>
  judgeOutput(view, { isBusy, nowMs, limits })
    .filter(({ holds }) => !holds)
    .map(({ id }) => id)

test('a parked vehicle whose inputs are all of the last 60 s may be switched', () => {
  expect(broken(parked)).toEqual([])
  expect(broken({ ...parked, event: { ...event, at: at(-5), speedAt: at(-5) }, linesAt: at(-5) })).toEqual([])
})
test.each<[string, View, string[]]>([
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
