import { misuseCall, type Call } from '../call.ts'
import type { JsonRecord, RawEvent } from '../state.ts'
import { formatTime, offsetMinutes, utcMarkOf } from '../time.ts'
import type { Row } from './expression.ts'
import type { Column } from './fields.ts'

type Method = (values: number[]) => number | null

const sum: Method = (values) => values.reduce((total, value) => total + value, 0)
const mean: Method = (values) => (values.length === 0 ? null : (sum(values) ?? 0) / values.length)
const std: Method = (values) => {
  const middle = mean(values)
  if (middle === null || values.length < 2) return null
  return Math.sqrt(values.reduce((total, value) => total + (value - middle) ** 2, 0) / (values.length - 1))
}

const methods: Record<string, Method> = {
  sum,
  mean,
  std,
  sem: (values) => {
    const spread = std(values)
    return spread === null ? null : spread / Math.sqrt(values.length)
  },
  max: (values) => (values.length === 0 ? null : Math.max(...values)),
  min: (values) => (values.length === 0 ? null : Math.min(...values)),
  median: (values) => {
    const sorted = [...values].sort((a, b) => a - b)
    const half = sorted.length / 2
    return sorted.length === 0
      ? null
      : sorted.length % 2 === 1
        ? (sorted[Math.floor(half)] ?? null)
        : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2
  },
  first: (values) => values[0] ?? null,
  last: (values) => values.at(-1) ?? null,
  diff: (values) => (values.length === 0 ? null : Math.max(...values) - Math.min(...values))
}

/** The rows grouped in periods of `freq`; undefined when the request does not resample. */
export function resampleRows(
  call: Call,
  rows: { event: RawEvent; row: Row }[],
  columns: Column[]
): JsonRecord[] | undefined {
  const axis = call.query.get('resample')
  if (axis === null) {
    for (const name of ['freq', 'how', 'fill']) if (call.query.has(name)) call.note(`${name} without resample`)
    return undefined
  }
  if (axis !== 'event_time' && axis !== 'system_time')
    throw misuseCall(call, 'resample is neither event_time nor system_time')
  const period = readFrequency(call)
  const methodOf = readMethods(call, columns)
  const groupBy = readGroupBy(call, columns)
  const numbers = columns.filter(
    (column) => column.read.type === 'number' && !groupBy.includes(column) && column.name !== 'id'
  )
  const groups = new Map<string, { key: JsonRecord; bins: Map<number, Row[]> }>()
  for (const { event, row } of rows) {
    const key = Object.fromEntries(groupBy.map((column) => [column.name, column.read.evaluate(row)]))
    const text = JSON.stringify(key)
    const group = groups.get(text) ?? { key, bins: new Map<number, Row[]>() }
    groups.set(text, group)
    const start = period.startOf(axis === 'event_time' ? event.deviceTimeMs : event.systemTimeMs)
    group.bins.set(start, [...(group.bins.get(start) ?? []), row])
  }
  const fill = readFill(call)
  return [...groups.values()].flatMap(({ key, bins }) => {
    const made = listPeriods([...bins.keys()], period).map((start) => {
      const record: JsonRecord = { [axis]: formatTime(start, call.zone, undefined, utcMarkOf(call)), ...key }
      for (const column of numbers) {
        const values = (bins.get(start) ?? [])
          .map((row) => column.read.evaluate(row))
          .filter((value) => typeof value === 'number')
        record[column.name] = values.length === 0 ? null : methodOf(column)(values)
      }
      return record
    })
    if (fill)
      fillGaps(
        made,
        numbers.map((column) => column.name),
        fill
      )
    return made
  })
}

interface Period {
  startOf(ms: number): number
  next(startMs: number): number
}

function readFrequency(call: Call): Period {
  const match = /^(\d+)([MDHTS])$/.exec(call.query.get('freq') ?? '')
  const count = Number(match?.[1])
  if (!match || count < 1) throw misuseCall(call, 'freq is not <N><F> with N > 0 and F one of M, D, H, T, S')
  const offset = (ms: number): number => offsetMinutes(call.zone, ms) * 60_000
  if (match[2] === 'M') {
    const startOf = (ms: number): number => {
      const wall = new Date(ms + offset(ms))
      const month = wall.getUTCFullYear() * 12 + wall.getUTCMonth()
      return monthStart(month - (month % count), offset)
    }
    return { startOf, next: (start) => startOf(start + 31 * count * 86_400_000) }
  }
  const size = count * ({ D: 86_400, H: 3600, T: 60, S: 1 }[match[2] ?? 'S'] ?? 1) * 1000
  return { startOf: (ms) => Math.floor((ms + offset(ms)) / size) * size - offset(ms), next: (start) => start + size }
}

function monthStart(month: number, offset: (ms: number) => number): number {
  const wall = Date.UTC(Math.floor(month / 12), month % 12, 1)
  return wall - offset(wall)
}

/** Every period between the first and the last with an event, to fill gaps. */
function listPeriods(starts: number[], period: Period): number[] {
  if (starts.length === 0) return []
  const last = Math.max(...starts)
  const periods: number[] = []
  for (let start = Math.min(...starts); start <= last && periods.length < 100_000; start = period.next(start))
    periods.push(start)
  return periods
}

function readMethods(call: Call, columns: Column[]): (column: Column) => Method {
  const chosen = new Map<string, string>()
  let general = 'mean'
  for (const part of (call.query.get('how') ?? '').split(',')) {
    if (part === '') continue
    const [target, name] = part.includes(':') ? (part.split(':') as [string, string]) : [null, part]
    if (!(name in methods)) throw misuseCall(call, `how names ${name}, which is no method`)
    if (target === null) general = name
    else if (target.startsWith('$'))
      for (const column of columns.filter((one) => one.definition?.group === target.slice(1)))
        chosen.set(column.name, name)
    else chosen.set(target, name)
  }
  return (column) => methods[chosen.get(column.name) ?? general] ?? mean
}

function readGroupBy(call: Call, columns: Column[]): Column[] {
  return (call.query.get('group_by') ?? '')
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const column = columns.find((candidate) => candidate.name === name)
      if (!column) throw misuseCall(call, `group_by names ${name}, which is not among the fields`)
      return column
    })
}

function readFill(call: Call): 'forward' | 'back' | null {
  const text = call.query.get('fill')
  if (text === null) return null
  if (text === 'pad' || text === 'ffill') return 'forward'
  if (text === 'bfill') return 'back'
  throw misuseCall(call, 'fill is not one of pad, ffill, bfill')
}

function fillGaps(records: JsonRecord[], names: string[], direction: 'forward' | 'back'): void {
  const ordered = direction === 'forward' ? records : [...records].reverse()
  for (const name of names) {
    let known: unknown = null
    for (const record of ordered) {
      if (record[name] === null) record[name] = known
      else known = record[name]
    }
  }
}
