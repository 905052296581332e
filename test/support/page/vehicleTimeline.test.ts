import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Association } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import {
  dayMs,
  lanesOf,
  percentAt,
  rangeOf,
  silentTimes,
  ticksOf,
  timesWithoutDevice,
  type AssetName
} from '../../../renderer/support/vehicle/timeline.ts'

const day = (n: number) => Date.UTC(2026, 0, 1) + n * dayMs
const iso = (ms: number) => new Date(ms).toISOString()
const within = { fromMs: day(0), untilMs: day(100) }
const device = (id: string, from: number | null, until: number | null): Association => ({
  kind: 'device',
  id,
  name: null,
  from: from === null ? null : iso(day(from)),
  until: until === null ? null : iso(day(until))
})
const asset = (id: number, from: number, until: number | null): Association => ({
  ...device(String(id), from, until),
  kind: 'asset'
})
const names = new Map<number, AssetName>([
  [5, { id: 5, name: 'Driver 05', type: 'driver' }],
  [9, { id: 9, name: 'Trailer 09', type: 'Trailer' }],
  [7, { id: 7, name: 'Crane 07', type: 'crane' }]
])

test('devices, trailers, drivers and others have a lane each, by name, cut to the time that is shown', () => {
  const lanes = lanesOf(
    [
      asset(7, 3, 4),
      asset(5, -20, 10),
      device('111', null, 40),
      asset(9, 60, null),
      asset(8, 90, 95),
      device('222', 50, null),
      asset(5, -30, -25)
    ],
    names,
    within
  )
  expect(lanes.map(({ kind, rows }) => [kind, rows.flat().map(({ text }) => text)])).toEqual([
    ['device', ['111', '222']],
    ['trailer', ['Trailer 09']],
    ['driver', ['Driver 05']],
    ['other', ['Crane 07', '8']]
  ])
  expect(lanes[0]?.rows.flat()).toEqual([
    { id: '111', text: '111', isPresent: false, fromMs: day(0), untilMs: day(40) },
    { id: '222', text: '222', isPresent: true, fromMs: day(50), untilMs: day(100) }
  ])
})

test('a time without a device is a gap from the end of one to the start of the next, and after the last', () => {
  expect(timesWithoutDevice([device('2', 63, 80), device('1', 0, 40)], within)).toEqual([
    { fromMs: day(40), untilMs: day(63) },
    { fromMs: day(80), untilMs: day(100) }
  ])
  expect(timesWithoutDevice([device('1', 20, null)], within)).toEqual([])
  expect(timesWithoutDevice([], within)).toEqual([])
})

test('days without a report are silent only from the second on, and never while there was no device', () => {
  const told = [0, 1, 3, 10, 30].map((n) => ({ day: iso(day(n)).slice(0, 10), reports: 4 }))
  const silent = silentTimes(
    [...told, { day: iso(day(2)).slice(0, 10), reports: 0 }],
    [{ fromMs: day(15), untilMs: day(28) }],
    day(31) + 5
  )
  expect(silent).toEqual([
    { fromMs: day(4), untilMs: day(10) },
    { fromMs: day(11), untilMs: day(15) },
    { fromMs: day(28), untilMs: day(30) }
  ])
})

test('a vehicle that fell silent is silent until today', () => {
  expect(silentTimes([{ day: iso(day(3)).slice(0, 10), reports: 1 }], [], day(9) + 7)).toEqual([
    { fromMs: day(4), untilMs: day(9) }
  ])
})

test('the range is three months, twenty-one, or from what is known first', () => {
  const nowMs = Date.UTC(2026, 10, 21, 18)
  expect(iso(rangeOf('months3', null, nowMs).fromMs)).toBe('2026-08-21T00:00:00.000Z')
  expect(iso(rangeOf('months21', null, nowMs).fromMs)).toBe('2025-02-21T00:00:00.000Z')
  expect(rangeOf('all', Date.UTC(2019, 4, 2), nowMs)).toEqual({ fromMs: Date.UTC(2019, 4, 2), untilMs: nowMs })
  expect(iso(rangeOf('all', null, nowMs).fromMs)).toBe('2026-10-21T00:00:00.000Z')
})

const entry = fc.record({
  kind: fc.constantFrom('device' as const, 'asset' as const),
  id: fc.constantFrom('5', '9', '7', '11'),
  name: fc.constant(null),
  from: fc.option(fc.integer({ min: -50, max: 150 }).map((n) => iso(day(n)))),
  until: fc.option(fc.integer({ min: -50, max: 150 }).map((n) => iso(day(n))))
})
const histories = fc.array(entry, { maxLength: 14 })

test('whatever the history, spans of a row never overlap and stay within the time that is shown', () => {
  fc.assert(
    fc.property(histories, (history) => {
      for (const { rows } of lanesOf(history, names, within)) {
        for (const row of rows) {
          for (const [index, span] of row.entries()) {
            expect(span.fromMs).toBeLessThan(span.untilMs)
            expect(span.fromMs).toBeGreaterThanOrEqual(within.fromMs)
            expect(span.untilMs).toBeLessThanOrEqual(within.untilMs)
            const next = row[index + 1]
            if (next) expect(span.untilMs).toBeLessThanOrEqual(next.fromMs)
          }
        }
      }
    })
  )
})

test('whatever the history, each moment since the first device is in a span or in a gap, never in both', () => {
  fc.assert(
    fc.property(histories, fc.integer({ min: 0, max: 99 }), (history, n) => {
      const atMs = day(n) + 1
      const covers = ({ fromMs, untilMs }: { fromMs: number; untilMs: number }) => fromMs <= atMs && atMs < untilMs
      const spans =
        lanesOf(history, names, within)
          .find(({ kind }) => kind === 'device')
          ?.rows.flat() ?? []
      const gaps = timesWithoutDevice(history, within)
      const real = history.filter(
        (one) => one.kind === 'device' && (one.from === null || one.until === null || one.from < one.until)
      )
      const isSinceFirst = real.some(({ from }) => from === null || Date.parse(from) <= atMs)
      expect(spans.some(covers) && gaps.some(covers)).toBe(false)
      expect(spans.some(covers) || gaps.some(covers)).toBe(isSinceFirst)
    })
  )
})

test('the axis has few marks, in order, each the first of a month within the time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 6000 }), (days) => {
      const range = { fromMs: day(0) - days * dayMs, untilMs: day(0) }
      const ticks = ticksOf(range, 8)
      expect(ticks.length).toBeLessThanOrEqual(9)
      expect(ticks.length).toBeGreaterThan(0)
      expect(ticks).toEqual([...ticks].sort((a, b) => a - b))
      for (const tick of ticks)
        expect([new Date(tick).getUTCDate(), tick >= range.fromMs && tick <= range.untilMs]).toEqual([1, true])
    })
  )
  expect(percentAt(day(25), within)).toBe(25)
})
