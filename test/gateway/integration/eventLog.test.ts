import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { EventLogState } from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { addLongPast } from '../../world/time/longPast.ts'
import { openAccessoryBench, type AccessoryBench } from '../../world/device/accessoryBench.ts'
import { imei } from '../../world/data/parkedReport.ts'
import { english } from '../../world/window/english.ts'

let bench: AccessoryBench
const all = { types: null, conditions: [] }
const hourMs = 3_600_000
const nowMs = Math.floor(Date.now() / 60_000) * 60_000

beforeAll(async () => {
  bench = await openAccessoryBench()
})
afterAll(() => bench.stop())
beforeEach(() => {
  bench.gateway.state.events.length = 0
})

function past(change: Partial<Parameters<typeof addLongPast>[1]> = {}): void {
  const vehicle = bench.gateway.state.vehicles.find(({ id }) => id === bench.vehicleId)
  if (!vehicle) throw new Error('no vehicle')
  addLongPast(bench.gateway.state, { vehicle, imei: Number(imei), untilMs: nowMs - 60_000, n: 600, ...change })
}

async function load(hours: number, fields: string[] = []): Promise<EventLogState> {
  const { id } = await bench.call('eventLog.open', {
    vehicleId: bench.vehicleId,
    fromMs: nowMs - hours * hourMs,
    toMs: nowMs,
    fields
  })
  return until(id)
}

async function until(id: string): Promise<EventLogState> {
  for (;;) {
    const state = await bench.call('eventLog.state', { id })
    if (state.loading !== 'running') return state
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function rowsOf(
  id: string,
  filter: Parameters<typeof page>[1] = all
): Promise<CallOutput<'eventLog.rows'>['rows']> {
  const found = []
  for (let first = 0; ; first += 200) {
    const { rows, total } = await page(id, filter, first)
    found.push(...rows)
    if (found.length >= total) return found
  }
}
const page = (
  id: string,
  filter: {
    types: number[] | null
    conditions: { field: string; is: 'over' | 'notEqual' | 'under' | 'equal'; value: string | number | boolean }[]
  },
  first = 0
) => bench.call('eventLog.rows', { id, filter, first, n: 200, columns: ['speed', 'cf_rssi', 'ecu_battery'] })

test('each event of a range is loaded once, newest first, and none is left out between two windows of time', async () => {
  past({ n: 4_000, everyMs: 20_000 })
  const state = await load(24)
  expect(state).toMatchObject({ loading: 'whole', n: 4_000, problem: null })
  expect(state.calls).toBeGreaterThan(1)
  const rows = await rowsOf(state.id)
  const times = rows.map(({ happenedMs }) => happenedMs ?? 0)
  expect(times).toEqual([...times].sort((a, b) => b - a))
  expect(new Set(times).size).toBe(4_000)
})

test('kept stretches, silence and copies are found as they were made, and are the same in the list', async () => {
  past({
    outages: [{ endedMinutesAgo: 120, lastedMinutes: 47 }],
    silences: [{ endedMinutesAgo: 30, lastedMinutes: 14 }],
    twiceEvery: 199
  })
  const state = await load(11)
  const { kept, gaps } = await bench.call('eventLog.stretches', { id: state.id })
  expect(kept).toHaveLength(1)
  expect(kept[0]).toMatchObject({ kind: 'kept', n: 46 })
  expect(kept[0]?.longestS).toBeGreaterThan(45 * 60)
  expect(gaps.filter(({ open }) => open === null)).toEqual([
    { open: null, fromMs: nowMs - 45 * 60_000, toMs: nowMs - 31 * 60_000 }
  ])
  const marks = (await rowsOf(state.id)).map(({ mark }) => mark)
  expect(marks.filter((mark) => mark === 'kept')).toHaveLength(46)
  expect(marks.filter((mark) => mark === 'twice')).toHaveLength(state.found.twice)
  expect(state.found.twice).toBe(3)
})

test('units are those of the reader, places have the name of a geofence alone, words are those of the label', async () => {
  past({ n: 170 })
  bench.gateway.state.geofences.push({
    id: 77,
    owner: 1,
    type: 'Feature',
    geometry: { type: 'Circle', radius: 9_000_000, coordinates: [-3.7, 40.42] },
    properties: { name: 'The yard', visibility: 'all' }
  })
  const state = await load(3, ['ecu_battery'])
  const rows = await rowsOf(state.id)
  const moving = rows.find(({ values }) => typeof values[0] === 'number' && values[0] > 10)
  expect(moving?.values[0]).toBeLessThan(70)
  expect(
    rows.every(({ values }) => values[1] === null || (Number(values[1]) >= -113 && Number(values[1]) <= -51))
  ).toBe(true)
  expect(rows.find(({ latitude }) => latitude !== null)?.fences).toEqual(['The yard'])
  expect(rows.find(({ latitude }) => latitude === null)?.fences).toEqual([])
  expect(rows.some(({ type, what }) => type === 100 && english(what) === 'Keep-alive')).toBe(true)
})

test('conditions hide events from the list and the bars, and never make a silence', async () => {
  past({ n: 400 })
  const state = await load(8)
  const filter = {
    types: null,
    conditions: [
      { field: 'type', is: 'notEqual' as const, value: 100 },
      { field: 'speed', is: 'over' as const, value: 30 }
    ]
  }
  const rows = await rowsOf(state.id, filter)
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.every(({ type, values }) => type !== 100 && Number(values[0]) > 30)).toBe(true)
  const picture = await bench.call('eventLog.picture', {
    id: state.id,
    filter,
    fromMs: state.fromMs,
    toMs: state.toMs,
    columns: 100,
    points: 500,
    fields: ['speed']
  })
  expect(picture.happened.reduce((sum, n) => sum + n, 0)).toBe(rows.length)
  expect(picture.arrived.reduce((sum, n) => sum + n, 0)).toBe(rows.length)
  expect((await bench.call('eventLog.state', { id: state.id })).found.gaps).toBe(state.found.gaps)
})

test('what has not been yet is no silence', async () => {
  past({ n: 60 })
  const { id } = await bench.call('eventLog.open', {
    vehicleId: bench.vehicleId,
    fromMs: nowMs - 50 * 60_000,
    toMs: nowMs + 5 * hourMs,
    fields: []
  })
  expect((await until(id)).found.gaps).toBe(0)
})

test('a chart joins nothing over a silence', async () => {
  past({ n: 600, silences: [{ endedMinutesAgo: 60, lastedMinutes: 40 }] })
  const state = await load(10)
  const { series } = await bench.call('eventLog.picture', {
    id: state.id,
    filter: all,
    fromMs: state.fromMs,
    toMs: state.toMs,
    columns: 100,
    points: 900,
    fields: ['sv']
  })
  const [{ atMs, values }] = series as [(typeof series)[number]]
  const breaks = values.flatMap((value, index) => (value === null ? [atMs[index] ?? 0] : []))
  expect(breaks.some((at) => at > nowMs - 101 * 60_000 && at < nowMs - 60 * 60_000)).toBe(true)
})

test('a long stretch is asked for as a background job, and the event itself can be read whole', async () => {
  past({ n: 600, everyMs: hourMs })
  const state = await load(24 * 26)
  expect(state).toMatchObject({ loading: 'whole', n: 600 })
  expect(bench.gateway.state.jobs.length).toBeGreaterThan(0)
  const { rows } = await page(state.id, all)
  const detail = await bench.call('eventLog.event', { id: state.id, row: rows[0]?.row ?? 0, columns: [] })
  expect(detail.problem).toBeNull()
  expect(detail.fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['event_hour', 'type', 'system_epoch']))
})

test('a gateway that goes away leaves what was loaded, and says why no more came', async () => {
  past({ n: 200 })
  const state = await load(4)
  expect(state.n).toBe(200)
  bench.gateway.setOnline(false)
  const next = await load(4)
  expect(next).toMatchObject({ loading: 'failed', n: 0 })
  expect(next.problem).not.toBeNull()
  expect((await bench.call('eventLog.last', { vehicleId: bench.vehicleId })).state?.id).toBe(state.id)
  expect((await page(state.id, all)).rows).toHaveLength(200)
  bench.gateway.setOnline(true)
})

test('a file holds what the filter shows, and gives no spreadsheet a formula', async () => {
  past({ n: 50 })
  const [event] = bench.gateway.state.events
  if (event) event.fields['label'] = '=cmd'
  const state = await load(2)
  for (const format of ['csv', 'json'] as const) {
    const file = await bench.call('eventLog.export', { id: state.id, filter: all, format, columns: ['label', 'speed'] })
    const { base64, next } = await bench.call('eventLog.exportPart', { id: file.id, from: 0 })
    expect(next).toBeNull()
    const text = Buffer.from(base64, 'base64').toString('utf8')
    if (format === 'json') {
      expect(JSON.parse(text)).toHaveLength(50)
      continue
    }
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(51)
    expect(text.startsWith('\uFEFF')).toBe(true)
    expect(lines[0]).toBe('id,event_time,system_time,delay_s,label,speed_kmh')
    expect(text).toContain(",'=cmd,")
    await bench.call('eventLog.endExport', { id: file.id })
    await expect(bench.call('eventLog.exportPart', { id: file.id, from: 0 })).rejects.toThrow()
  }
})

test('two logs are one list by time, equal events are one line in each, and a value is counted', async () => {
  past({ n: 120 })
  const [one, other] = [await load(3), await load(1)]
  const found: CallOutput<'eventLog.merged'>['rows'] = []
  const merged = async (first: number) =>
    bench.call('eventLog.merged', { ids: [one.id, other.id], filter: all, first, n: 50, columns: ['speed'] })
  const { total, events } = await merged(0)
  for (let first = 0; first < total; first += 50) found.push(...(await merged(first)).rows)
  expect(total).toBe(one.n + other.n)
  expect(events).toBe(total)
  const times = found.map(({ happenedMs }) => happenedMs ?? 0)
  expect(times).toEqual([...times].sort((a, b) => b - a))
  expect(found.filter(({ of }) => of === 1)).toHaveLength(other.n)
  const lines = { opened: [], by: null }
  const grouped = await bench.call('eventLog.merged', {
    ids: [one.id, other.id],
    filter: all,
    lines,
    first: 0,
    n: 200,
    columns: []
  })
  expect(grouped.total).toBeLessThan(total)
  expect(grouped.rows.reduce((sum, { group }) => sum + (group?.n ?? 1), 0)).toBe(grouped.events)
  const valid = (await rowsOf(one.id)).filter(({ validPosition }) => validPosition === true).length
  expect(await bench.call('eventLog.count', { id: one.id, filter: all, field: 'valid_position', value: true })).toEqual(
    { n: valid, total: one.n }
  )
})
