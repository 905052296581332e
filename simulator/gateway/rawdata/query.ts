import { canSee, readNumber, refuseAccess } from '../access.ts'
import { misuseCall, okAnswer, Refusal, type Call, type Endpoint } from '../call.ts'
import { readIds } from '../records/directory.ts'
import type { JsonRecord, RawEvent } from '../state.ts'
import { readTimeRange } from '../time.ts'
import { readUnits, unitQuery, type Units } from '../records/units.ts'
import { listFields } from './catalogue.ts'
import type { Row } from './expression.ts'
import { compile, readColumns } from './fields.ts'
import { answerJobOrTable, jobEndpoints } from './jobs.ts'
import { resampleRows } from './resample.ts'
import { readRow } from './rows.ts'
import { readExport } from './table.ts'
import { labelRecords } from './labels.ts'

const rawdataQuery = [
  ...[
    'from',
    'to',
    'duration',
    'vehicles',
    'groups',
    'fields',
    'exclude',
    'excludes',
    'types',
    'labels',
    'codes',
    'raw',
    'filter'
  ],
  ...['resample', 'freq', 'how', 'fill', 'group_by', 'order', 'head', 'tail', 'export', 'async'],
  ...unitQuery
]

export const rawdataEndpoints: Endpoint[] = [
  {
    id: 'rawdata.keys',
    scopes: ['rawdata'],
    handle: (call) => {
      const entries = [...listFields(call.state).values()].map(({ name, short, type, group }) => [
        name,
        { short_desc: short, long_desc: `${short} (${name})`, type, group }
      ])
      return okAnswer({ keys: Object.fromEntries(entries) as JsonRecord })
    }
  },
  { id: 'rawdata.query', scopes: ['rawdata'], query: rawdataQuery, handle: answerRawdata },
  { id: 'labels.list', scopes: ['rawdata'], handle: (call) => okAnswer(labelRecords(call)) },
  ...jobEndpoints
]

function answerRawdata(call: Call): ReturnType<Endpoint['handle']> {
  const units = readUnits(call)
  const format = readExport(call, ['json', 'html', 'csv', 'tsv'])
  const fields = listFields(call.state)
  const columns = readColumns(call, fields)
  const rows = findEvents(call, units, readEventFilter(call))
  const ordered = cutRows(
    call,
    orderRows(call, rows, fields, ({ row }) => row)
  )
  const resampled = resampleRows(call, ordered, columns)
  const events =
    resampled ??
    ordered.map(({ row }) => Object.fromEntries(columns.map(({ name, read }) => [name, read.evaluate(row)])))
  return answerJobOrTable(call, {
    rows: events,
    columns: resampled?.[0] ? Object.keys(resampled[0]) : columns.map((column) => column.name),
    format,
    body: { units: units.shown, events }
  })
}

/**
 * The visible events in the vehicles and the time of a request that its `filter` accepts, each with the reader of its
 * fields.
 */
export function findEvents(
  call: Call,
  units: Units,
  isWanted: (event: RawEvent) => boolean
): { event: RawEvent; row: Row }[] {
  const fields = listFields(call.state)
  const range = readTimeRange(call)
  const vids = readVehicles(call)
  const text = call.query.get('filter')
  const filter =
    text === null ? null : compile(call, text, { typeOf: (name) => fields.get(name)?.type, areFieldsMarked: false })
  if (filter && filter.type !== 'boolean') throw misuseCall(call, 'filter is not true or false')
  return call.state.events.flatMap((event) => {
    const second = Math.floor(event.deviceTimeMs / 1000) * 1000
    if (
      event.visibleMs > call.nowMs ||
      !vids.has(event.vid) ||
      second < range.fromMs ||
      second > range.toMs ||
      !isWanted(event)
    )
      return []
    const row = readRow(call, event, units, fields)
    return filter?.evaluate(row) === false ? [] : [{ event, row }]
  })
}

/** The vehicles of `vehicles` and `groups`; without both, all that the user sees. */
export function readVehicles(call: Call): Set<number> {
  const ids = readIds(call, 'vehicles')
  const groups = readIds(call, 'groups')
  const seen = call.state.vehicles.filter((vehicle) => canSee(call, vehicle))
  if (!ids && !groups) return new Set(seen.map((vehicle) => vehicle.id))
  const chosen = new Set<number>()
  for (const id of ids ?? []) {
    if (!call.state.vehicles.some((vehicle) => vehicle.id === id)) throw new Refusal(404, `vehicle ${id} not found`)
    if (!seen.some((vehicle) => vehicle.id === id)) throw refuseAccess(call, `vehicle ${id}`)
    chosen.add(id)
  }
  for (const group of groups ?? []) {
    if (!call.groups.includes(group)) throw refuseAccess(call, `group ${group}`)
    for (const vehicle of seen) if (vehicle.groups.includes(group)) chosen.add(vehicle.id)
  }
  return chosen
}

function readEventFilter(call: Call): (event: RawEvent) => boolean {
  const types = readIds(call, 'types')
  const codes = readIds(call, 'codes')
  const labels = call.query.get('labels')?.split(',')
  return (event) =>
    (!types || types.includes(event.fields['type'] as number)) &&
    (!codes || codes.includes(event.fields['code'] as number)) &&
    (!labels || labels.includes(event.fields['label'] as string))
}

/** `order=-event_time,id`; without it, the order of arrival. */
export function orderRows<T>(
  call: Call,
  rows: T[],
  known: { has(name: string): boolean },
  rowOf: (item: T) => Row
): T[] {
  const order = call.query.get('order')
  if (order === null) return rows
  const keys = order.split(',').map((text) => ({ name: text.replace(/^-/, ''), sign: text.startsWith('-') ? -1 : 1 }))
  for (const { name } of keys) if (!known.has(name)) throw misuseCall(call, `order names ${name}, which is no field`)
  return [...rows].sort((a, b) => {
    for (const { name, sign } of keys) {
      const difference = compareValues(rowOf(a)(name), rowOf(b)(name))
      if (difference !== 0) return difference * sign
    }
    return 0
  })
}

function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === null || a === undefined) return -1
  if (b === null || b === undefined) return 1
  return (a as number) < (b as number) ? -1 : 1
}

/** `head` and `tail`: the first or last n; negative values remove that many from the other end. */
export function cutRows<T>(call: Call, rows: T[]): T[] {
  const readCut = (name: string) => readNumber(call, name, /^-?\d+$/, 'a whole number', null)
  const head = readCut('head')
  const tail = readCut('tail')
  const first = head === null ? rows : rows.slice(0, head)
  if (tail === null) return first
  return tail < 0 ? first.slice(-tail) : first.slice(Math.max(0, first.length - tail))
}
