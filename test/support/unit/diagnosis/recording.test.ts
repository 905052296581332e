import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Evidence, SeenEvent } from '../../../../preload/contract/support/evidence.ts'
import type { Json } from '../../../../preload/contract/define.ts'
import { applyChanges, changesBetween } from '../../../../main/support/diagnosis/changes.ts'
import { createRecording } from '../../../../main/support/diagnosis/recording.ts'

const startMs = Date.parse('2026-11-22T10:00:00Z')
const subject = { imei: '867698040023056', vehicleId: null }

function look(atMs: number, speed: number, events: number[] = []): Evidence {
  const readAt = new Date(atMs).toISOString()
  const event = (eventAtMs: number): SeenEvent => ({
    eventAtMs,
    arrivedAtMs: eventAtMs,
    type: 10,
    label: null,
    imei: subject.imei,
    vehicleId: 7,
    latitude: 4.7,
    longitude: -74,
    isPositionValid: true,
    speedKmh: 0,
    headingDeg: 0,
    satellites: 9,
    hdop: 1,
    signalDbm: -80,
    raw: { id: eventAtMs }
  })
  return {
    at: readAt,
    imei: subject.imei,
    vehicleText: null,
    expected: { apn: null, simId: null, from: null },
    device: {
      state: 'answers',
      why: null,
      host: '127.0.0.1:8080',
      lately: null,
      readings: {
        'gps.position': {
          value: { coords: { speed } },
          raw: { coords: { speed } },
          problems: [],
          readAt,
          elapsedMs: 3,
          failure: null
        }
      }
    },
    gateway: {
      state: 'answers',
      why: null,
      aheadS: 0,
      user: null,
      vehicle: null,
      elsewhere: null,
      stays: [],
      record: null,
      sim: null,
      lines: null,
      engineBus: null,
      distanceM: null,
      events: { value: events.map(event), readAt },
      eventsSinceAt: null,
      refused: {}
    }
  }
}

test('every moment of a session is shown again as it was, also after a way through a file', () => {
  const recording = createRecording()
  const looks = Array.from({ length: 450 }, (_, n) =>
    look(
      startMs + n * 3_000,
      n % 7,
      Array.from({ length: Math.min(200, n) }, (_, back) => n - back)
    )
  )
  for (const one of looks) recording.keep(subject, one)
  const other = createRecording()
  expect(other.take(JSON.parse(JSON.stringify(recording.give(subject))))).toBe(true)
  for (const kept of [recording, other]) {
    for (const n of [0, 1, 199, 200, 201, 202, 449])
      expect(kept.at(subject, startMs + n * 3_000 + 2_999)).toEqual(looks[n])
    expect(kept.at(subject, startMs - 1)).toEqual(looks[0])
    expect(kept.span(subject)).toMatchObject({ fromMs: startMs, toMs: startMs + 449 * 3_000, looks: 450 })
  }
  // An event that is there from look to look is kept once, not in each of them.
  expect(recording.span(subject)?.bytes).toBeLessThan(600_000)
})

test('the memory of a session is bounded: its beginning leaves, and what stays is whole', () => {
  const recording = createRecording({ bytes: 60_000 })
  const last = 2_000
  for (let n = 0; n <= last; n++) recording.keep(subject, look(startMs + n * 1_000, n))
  const span = recording.span(subject)
  expect(span?.bytes).toBeLessThan(60_000 + 20_000)
  expect(span?.fromMs).toBeGreaterThan(startMs)
  expect(recording.at(subject, startMs + last * 1_000)).toEqual(look(startMs + last * 1_000, last))
  expect(recording.at(subject, span?.fromMs ?? 0)?.at).toBe(new Date(span?.fromMs ?? 0).toISOString())
})

test('a clock that is set back begins anew, and the one that nobody looks at any more leaves', () => {
  const recording = createRecording()
  recording.keep(subject, look(startMs, 1))
  recording.keep(subject, look(startMs - 60_000, 2))
  expect(recording.span(subject)).toMatchObject({ fromMs: startMs - 60_000, looks: 1 })
  for (let n = 0; n < 5; n++) recording.keep({ imei: null, vehicleId: n }, look(startMs, n))
  expect(recording.span(subject)).toBeNull()
  expect(recording.at(subject, startMs)).toBeNull()
})

describe('What a file says of a session', () => {
  const session = () => {
    const recording = createRecording()
    recording.keep(subject, look(startMs, 1))
    recording.keep(subject, look(startMs + 1_000, 2))
    return JSON.parse(JSON.stringify(recording.give(subject))) as {
      parts: { atMs: number; first: Record<string, unknown>; steps: { atMs: number; changes: Json[] }[] }[]
    }
  }
  const broken: [string, (given: ReturnType<typeof session>) => unknown][] = [
    ['is nothing', () => null],
    ['is of another version', (given) => ({ ...given, version: 2 })],
    ['has no evidence', (given) => ({ ...given, parts: [{ ...given.parts[0], first: { at: 'then' } }] })],
    ['goes back in time', (given) => ({ ...given, parts: [{ ...given.parts[0], atMs: startMs + 5_000 }] })]
  ]
  it.each(broken)('is refused where it %s', (_, spoil) => expect(createRecording().take(spoil(session()))).toBe(false))

  it.each([
    ['leads nowhere', { at: ['no', 'such', 'way'], value: 1 }],
    ['makes no evidence', { at: ['device'], value: 'hello' }],
    ['makes a list of an object', { at: ['device'], front: [], kept: 0 }]
  ])('is not shown where a step %s', (_, change) => {
    const given = session()
    given.parts[0]?.steps[0]?.changes.push(change)
    const recording = createRecording()
    expect(recording.take(given)).toBe(true)
    expect(recording.at(subject, startMs + 1_000)).toBeNull()
    expect(recording.at(subject, startMs)).toEqual(look(startMs, 1))
  })

  it('reaches no prototype by the name of a step', () => {
    const given = session()
    given.parts[0]?.steps[0]?.changes.push(
      { at: ['__proto__'], value: { polluted: true } },
      { at: ['constructor', 'prototype'], value: {} }
    )
    const recording = createRecording()
    recording.take(given)
    expect(recording.at(subject, startMs + 1_000)).toBeNull()
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

test('changes make of one value any other', () => {
  const names = fc.constantFrom('a', 'b', '__proto__', 'c')
  const tree = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.integer(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(names, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries) as Json)
    )
  })).value
  fc.assert(
    fc.property(tree, tree, (before, after) => {
      expect(JSON.stringify(sorted(applyChanges(before, changesBetween(before, after))))).toBe(
        JSON.stringify(sorted(after))
      )
    })
  )
})

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.keys(value)
    .sort()
    .map((name) => [name, sorted(value[name] as Json)])
}
