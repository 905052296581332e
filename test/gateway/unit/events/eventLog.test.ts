import { expect, test } from 'vitest'
import { createColumn } from '../../../../main/gateway/events/columns.ts'
import { createBundleEvents } from '../../../../main/gateway/events/bundleSource.ts'
import { loadEvents } from '../../../../main/gateway/events/loading.ts'
import { createEventLog } from '../../../../main/gateway/events/log.ts'
import { createEventTable } from '../../../../main/gateway/events/table.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { filterText, meetsCondition } from '../../../../preload/gateway/events/filter.ts'
import { checkFilter } from '../../../../main/gateway/client/events/rawdataExpression.ts'

const atMs = Date.parse('2026-05-04T12:00:00Z')
const event = (id: number, minutesAgo: number, more: object = {}) => ({
  id,
  vid: 7,
  event_time: new Date(atMs - minutesAgo * 60_000).toISOString().slice(0, 19),
  system_time: new Date(atMs - minutesAgo * 60_000 + 3_000).toISOString(),
  type: 10,
  ...more
})
const all = { types: null, conditions: [] }

test('a column holds what came, whatever kind that is', () => {
  for (const values of [
    [1, null, 2.5, -3],
    [true, null, false],
    ['one', null, 'two', 'one'],
    [1, 'two', true, null],
    [{ a: 1 }, null]
  ]) {
    const column = createColumn()
    values.forEach((value, row) => column.set(row, value))
    column.set(5_000, values[0])
    expect(values.map((_, row) => column.at(row))).toEqual(
      values.map((value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value))
    )
    expect(column.at(4_999)).toBeNull()
  }
})

test('an event that two windows hold is there once; one without the time stands where it arrived', () => {
  const table = createEventTable()
  expect(table.add([event(1, 10), event(2, 5)], 3.6)).toBe(2)
  expect(table.add([event(2, 5), event(3, 7, { event_time: '1970-01-01T00:00:00' })], 3.6)).toBe(1)
  expect([...table.order].map((row) => table.value('id', row))).toEqual([1, 3, 2])
  const row = table.order[1] as number
  expect(table.happenedMs(row)).toBeNaN()
  expect(table.delayS(row)).toBeNaN()
})

test('the signal is told in dBm, speed in km/h, and what the engine bus says without being there is not told', () => {
  const table = createEventTable()
  table.add(
    [
      event(1, 1, { cf_rssi: 20, speed: 10, ecu_battery: 12_000, ecu_battery_flag: 'T' }),
      event(2, 2, { cf_rssi: 99, speed: 10, ecu_battery: 12_000, ecu_battery_flag: 'D' })
    ],
    3.6
  )
  expect([0, 1].map((row) => ['cf_rssi', 'speed', 'ecu_battery'].map((name) => table.value(name, row)))).toEqual([
    [-73, 36, 12_000],
    [null, 36, null]
  ])
  const other = createEventTable()
  other.add([event(1, 1, { speed: 10 })], null)
  expect(other.value('speed', 0)).toBeNull()
})

test('conditions mean the same here and in the filter of the gateway', () => {
  const conditions = [
    { field: 'type', is: 'notEqual', value: 100 },
    { field: 'cf_rssi', is: 'under', value: -100 },
    { field: 'speed', is: 'atLeast', value: 50 },
    { field: 'valid_position', is: 'equal', value: true },
    { field: 'label', is: 'equal', value: "harsh'brk" }
  ] as const
  const text = filterText({ types: [10, 13], conditions: [...conditions] }, 'mph')
  expect(text).toBe(
    "(type == 10 or type == 13) and type != 100 and cf_rssi < 6.5 and speed >= 31.069 and valid_position == True and label == 'harshbrk'"
  )
  expect(
    checkFilter(
      text,
      new Map([
        ['type', 'number'],
        ['cf_rssi', 'number'],
        ['speed', 'number'],
        ['valid_position', 'boolean'],
        ['label', 'string']
      ])
    )
  ).toBeNull()
  expect(meetsCondition(-101, conditions[1])).toBe(true)
  expect(meetsCondition(null, conditions[1])).toBe(false)
  expect(meetsCondition(null, conditions[0])).toBe(true)
  expect(filterText(all, 'kph')).toBe('')
})

test('what was kept in a file is read as if the gateway told it', async () => {
  const events = Array.from({ length: 200 }, (_, index) => event(index, index, { sv: 9 }))
  const table = createEventTable()
  const source = createBundleEvents({ vehicleId: 7, events, labels: {}, knownFromMs: 0, atMs })
  const how = {
    source,
    fromMs: atMs - 100 * 60_000,
    toMs: atMs,
    fields: ['sv'],
    signal: new AbortController().signal,
    loaded: () => undefined
  }
  expect(await loadEvents({ ...how, vehicleId: 7, table })).toBe('whole')
  expect(table.size).toBe(101)
  expect(await loadEvents({ ...how, vehicleId: 8, table: createEventTable() })).toBe('whole')
})

test('a person waits for the first answer; what the screen loads after it leaves the last calls to others', async () => {
  const asked: string[] = []
  const kept = createBundleEvents({ vehicleId: 7, events: [event(1, 10)], labels: {}, knownFromMs: 0, atMs })
  const source: typeof kept = {
    ...kept,
    read(window, options) {
      asked.push(options.priority)
      if (asked.length === 1) return Promise.reject(new AppError('TIMEOUT', message('gateway.tooLarge')))
      return kept.read(window, options)
    }
  }
  await loadEvents({
    source,
    vehicleId: 7,
    fromMs: atMs - 86_400_000,
    toMs: atMs,
    fields: [],
    table: createEventTable(),
    signal: new AbortController().signal,
    loaded: () => undefined
  })
  expect(asked.slice(0, 3)).toEqual(['person', 'person', 'screen'])
  expect(new Set(asked.slice(2))).toEqual(new Set(['screen']))
})

test('a stretch that takes too long is asked for in smaller ones, and a gateway that never answers is not asked for ever', async () => {
  const spans: number[] = []
  const source = createBundleEvents({
    vehicleId: 7,
    events: [event(1, 10), event(2, 90)],
    labels: {},
    knownFromMs: 0,
    atMs
  })
  const late = (limitMs: number) => ({
    ...source,
    read(
      window: { vehicleId: number; fromMs: number; toMs: number; fields: readonly string[] },
      options: Parameters<typeof source.read>[1]
    ) {
      spans.push(window.toMs - window.fromMs)
      return window.toMs - window.fromMs > limitMs
        ? Promise.reject(new AppError('TIMEOUT', message('gateway.stillWorks'), { retryable: true }))
        : source.read(window, options)
    }
  })
  const how = {
    vehicleId: 7,
    fromMs: atMs - 2 * 3_600_000,
    toMs: atMs,
    fields: [],
    signal: new AbortController().signal,
    loaded: () => undefined
  }
  const table = createEventTable()
  await loadEvents({ ...how, source: late(3_000_000), table })
  expect(table.size).toBe(2)
  expect(
    spans.filter((ms) => ms > 3_000_000),
    'what was too long is asked for once'
  ).toHaveLength(1)
  spans.length = 0
  await expect(loadEvents({ ...how, source: late(-1), table: createEventTable() })).rejects.toThrow()
  expect(spans.length).toBeLessThan(6)
})

test('a moment and a row are found in the list, and a row that is hidden is not', () => {
  const table = createEventTable()
  table.add([event(1, 30), event(2, 20, { type: 100 }), event(3, 10)], 3.6)
  const log = createEventLog(table)
  const whole = { fromMs: atMs - 3_600_000, toMs: atMs }
  expect(log.find(all, { ms: atMs - 15 * 60_000 }, null, whole)).toEqual({ index: 1, total: 3 })
  expect(log.find(all, { row: 0 }, null, whole)).toEqual({ index: 2, total: 3 })
  expect(log.find({ types: [10], conditions: [] }, { row: 1 }, null, whole)).toEqual({ index: -1, total: 2 })
})
