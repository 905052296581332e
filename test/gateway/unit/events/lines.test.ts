import { expect, test } from 'vitest'
import { createEventLog } from '../../../../main/gateway/events/log.ts'
import { layLines, lineOf, mergeLines } from '../../../../main/gateway/events/eventLines.ts'
import { createEventTable } from '../../../../main/gateway/events/table.ts'
import type { Fields } from '../../../../main/gateway/client/decoders/fields.ts'

const startMs = Date.parse('2026-05-04T12:00:00Z')
const all = { types: null, conditions: [] }
const grouped = { opened: [], by: null }
const how = {
  columns: ['sv'],
  words: { labels: {}, names: new Map<number, string>(), fences: [] },
  whole: { fromMs: startMs, toMs: startMs + 7_200_000 }
}

/** One event a minute, from the first. */
function logOf(events: readonly Fields[]) {
  const table = createEventTable()
  const at = (index: number) => new Date(startMs + index * 60_000).toISOString()
  table.add(
    events.map((fields, index) => ({
      id: index + 1,
      vid: 7,
      event_time: at(index),
      system_time: at(index),
      type: 10,
      valid_position: true,
      lat: 40.4,
      lon: -3.7,
      speed: index,
      ...fields
    })),
    3.6
  )
  return createEventLog(table)
}
const repeat = (n: number, fields: Fields = {}): Fields[] => Array.from({ length: n }, () => fields)

test('equal events one after the other are one line, and another event between them parts them', () => {
  const log = logOf([...repeat(23), { type: 11, label: 'harshbrk' }, ...repeat(48)])
  const { rows, total, events } = log.page(all, { first: 0, n: 10, lines: grouped }, how)
  expect([total, events]).toEqual([3, 72])
  expect(rows.map(({ group }) => group)).toEqual([
    { n: 48, sinceMs: startMs + 24 * 60_000 },
    null,
    { n: 23, sinceMs: startMs }
  ])
  expect(rows[0]?.happenedMs).toBe(startMs + 71 * 60_000)
  expect(log.page(all, { first: 0, n: 100, lines: null }, how).rows.every(({ group }) => group === null)).toBe(true)
})

test('an opened group shows each of its events, and every row is found in its line', () => {
  const log = logOf([...repeat(4), { type: 100, valid_position: false }, ...repeat(3)])
  const newestOfOld = log.page(all, { first: 2, n: 1, lines: grouped }, how).rows[0]?.row ?? -1
  const opened = { opened: [newestOfOld], by: null }
  expect(log.page(all, { first: 0, n: 10, lines: opened }, how).rows.map(({ group }) => group?.n ?? 1)).toEqual([
    3, 1, 1, 1, 1, 1
  ])
  expect(log.find(all, { row: 0 }, grouped, how.whole)).toEqual({ index: 2, total: 3 })
  expect(log.find(all, { row: 0 }, opened, how.whole)).toEqual({ index: 5, total: 6 })
  expect(log.find(all, { ms: startMs + 60_000 }, grouped, how.whole).index).toBe(2)
})

test('a group can be parted by the values of a field, and a value is counted in the shown events', () => {
  const log = logOf([...repeat(3, { sv: 9 }), ...repeat(2, { sv: 0 })])
  expect(log.page(all, { first: 0, n: 10, lines: grouped }, how).total).toBe(1)
  expect(
    log.page(all, { first: 0, n: 10, lines: { opened: [], by: 'sv' } }, how).rows.map(({ values }) => values[0])
  ).toEqual([0, 9])
  expect(log.count(all, 'sv', 0)).toEqual({ n: 2, total: 5 })
  expect(log.count({ types: null, conditions: [{ field: 'sv', is: 'over', value: 1 }] }, 'sv', 0)).toEqual({
    n: 0,
    total: 3
  })
})

test('where GPS is lost and back is a line of its own, with the last valid position; a keep-alive says nothing about GPS', () => {
  const lost = { valid_position: false, lat: 0, lon: 0 }
  const log = logOf([
    ...repeat(3),
    { type: 100, valid_position: false },
    { lat: 40.5 },
    ...repeat(4, lost),
    ...repeat(2)
  ])
  const { rows } = log.page(all, { first: 0, n: 10, lines: grouped }, how)
  expect(rows.map(({ change, group }) => `${String(change)} ${String(group?.n ?? 1)}`)).toEqual([
    'null 1',
    'gpsBack 1',
    'null 3',
    'gpsLost 1',
    'null 1',
    'null 1',
    'null 3'
  ])
  expect(rows[3]?.lastPlace).toEqual({ latitude: 40.5, longitude: -3.7, atMs: startMs + 4 * 60_000, fences: [] })
  expect(rows[4]?.lastPlace).toBeNull()
  expect(rows[5]?.lastPlace).toBeNull()
  expect(log.stretches(how.whole).noFix).toEqual([
    { fromMs: startMs + 5 * 60_000, toMs: startMs + 9 * 60_000, open: null }
  ])
  expect(log.found(how.whole).found.noFix).toEqual({ n: 1, s: 240, sinceMs: null })
})

test('GPS that is still lost says since when, and one that was never there begins with the events', () => {
  const lost = { valid_position: false }
  const end = logOf([...repeat(3), ...repeat(2, lost)]).found(how.whole)
  expect(end.found.noFix.sinceMs).toBe(startMs + 3 * 60_000)
  expect(end.data).toEqual({ fromMs: startMs, toMs: startMs + 4 * 60_000 })
  expect(logOf([...repeat(2, lost), ...repeat(2)]).stretches(how.whole).noFix).toEqual([
    { fromMs: startMs, toMs: startMs + 2 * 60_000, open: 'start' }
  ])
  expect(logOf(repeat(2, lost)).found(how.whole).found.noFix).toEqual({ n: 1, s: 60, sinceMs: startMs })
  expect(logOf([]).found(how.whole).data).toBeNull()
})

test('the next change passes over what repeats: rare events, GPS, the end of a silence and of nothing else', () => {
  const log = logOf([
    ...repeat(60),
    { type: 11, label: 'harshbrk' },
    ...repeat(60),
    ...repeat(40, { valid_position: false })
  ])
  const next = (changeFrom: number | null, direction: 1 | -1 = 1) =>
    log.find(all, { changeFrom, direction }, grouped, how.whole).index
  const rows = log.page(all, { first: 0, n: 10, lines: grouped }, how).rows
  expect(rows.map(({ what, change }) => change ?? what.id)).toEqual([
    'events.position',
    'gpsLost',
    'events.position',
    'events.labelled',
    'events.position'
  ])
  expect(next(null)).toBe(1)
  expect(next(rows[1]?.row ?? 0)).toBe(3)
  expect(next(rows[3]?.row ?? 0)).toBe(-1)
  expect(next(rows[3]?.row ?? 0, -1)).toBe(1)
})

test('a group ends at a silence, and where an event does not say whether it had a fix', () => {
  const table = createEventTable()
  const at = (minute: number) => new Date(startMs + minute * 60_000).toISOString()
  table.add(
    [0, 1, 2, 40, 41].map((minute) => ({
      id: minute + 1,
      vid: 7,
      event_time: at(minute),
      system_time: at(minute),
      type: 10,
      valid_position: true
    })),
    3.6
  )
  expect(
    createEventLog(table)
      .page(all, { first: 0, n: 10, lines: grouped }, how)
      .rows.map(({ group }) => group?.n)
  ).toEqual([2, 3])
  const lost = { valid_position: false }
  expect(
    logOf([lost, lost, { valid_position: null }, lost])
      .page(all, { first: 0, n: 10, lines: grouped }, how)
      .rows.map(({ fix }) => fix)
  ).toEqual([false, null, false])
})

test('a place of 0, 0 is no fix, also where the event calls it valid', () => {
  const log = logOf([...repeat(3), { lat: 0, lon: 0 }])
  expect(log.page(all, { first: 0, n: 1, lines: grouped }, how).rows[0]).toMatchObject({
    fix: false,
    change: 'gpsLost',
    lastPlace: { latitude: 40.4, longitude: -3.7 }
  })
})

test('a copy that the gateway marks says nothing about GPS', () => {
  const log = logOf([...repeat(3), { type: 301, valid_position: false }, { type: 10, valid_position: true }])
  expect(log.stretches(how.whole).noFix).toEqual([])
  const table = createEventTable()
  const event = { vid: 7, event_time: new Date(startMs).toISOString(), type: 10, valid_position: false, lat: 1, lon: 1 }
  table.add(
    [
      { id: 1, ...event, system_time: new Date(startMs).toISOString() },
      { id: 2, ...event, system_time: new Date(startMs + 60_000).toISOString() }
    ],
    3.6
  )
  expect(createEventLog(table).found(how.whole).found.noFix).toEqual({ n: 1, s: 0, sinceMs: startMs })
  expect(
    createEventLog(table)
      .page(all, { first: 0, n: 5, lines: grouped }, how)
      .rows.map(({ mark }) => mark)
  ).toEqual(['twice', null])
})

test('the lines of two vehicles are one list by time, and an event without a time comes last', () => {
  const list = (times: readonly number[]) => ({ total: times.length, atMs: (line: number) => times[line] as number })
  const { of, line } = mergeLines(list([90, 50, 10, NaN]), list([100, 50, 20]))
  expect([...of].map((which, index) => `${which}:${line[index]}`)).toEqual([
    '1:0',
    '0:0',
    '0:1',
    '1:1',
    '1:2',
    '0:2',
    '0:3'
  ])
  expect(mergeLines(list([]), list([])).of.length).toBe(0)
})

test('lines of nothing are none', () => {
  const starts = layLines({ rows: new Uint32Array(0), isSame: () => true, opened: new Set() })
  expect([starts.length, lineOf(starts, 0)]).toEqual([0, -1])
})
