import { timeFromOutside } from '../../../preload/gateway/events/timeFromOutside.ts'
import type { RawdataTable } from '../../../preload/contract/gateway/vehicles/rawdata.ts'

export interface Chart {
  name: string
  points: { x: number; y: number }[]
  /** Runs of points without a gap, as SVG polylines in a box of 1000 x 240. */
  lines: string[]
  low: number
  high: number
  fromMs: number
  toMs: number
}

export const chartWidth = 1000
export const chartHeight = 240

const timeColumns = ['event_epoch', 'event_time', 'system_epoch', 'system_time']

/** Columns with numbers, other than ids and times. */
export function numericColumns({ columns, rows }: RawdataTable): string[] {
  const leave = ['id', 'vid', 'aid', 'device_id', 'pid', 'type', 'code', ...timeColumns]
  return columns.filter((name, index) => !leave.includes(name) && rows.some((row) => typeof row[index] === 'number'))
}

/** One column over time; undefined when fewer than two values have a time. */
export function chartOf({ columns, rows }: RawdataTable, name: string): Chart | undefined {
  const valueAt = columns.indexOf(name)
  const timeAt = timeColumns.map((column) => columns.indexOf(column)).find((index) => index >= 0) ?? -1
  if (valueAt < 0 || timeAt < 0) return undefined
  const all = rows
    .map((row) => ({ ms: timeFromOutside(row[timeAt]), value: row[valueAt] }))
    .filter((one): one is { ms: number; value: RawdataTable['rows'][number][number] } => one.ms !== undefined)
    .sort((a, b) => a.ms - b.ms)
  const known = all.filter((one): one is { ms: number; value: number } => typeof one.value === 'number')
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last || known.length < 2 || first.ms === last.ms) return undefined
  const low = Math.min(...known.map(({ value }) => value))
  const high = Math.max(...known.map(({ value }) => value))
  const x = (ms: number): number => Math.round(((ms - first.ms) / (last.ms - first.ms)) * chartWidth * 10) / 10
  const y = (value: number): number => Math.round((1 - (value - low) / (high - low || 1)) * chartHeight * 10) / 10
  const lines: string[] = []
  let run: string[] = []
  for (const { ms, value } of all) {
    if (typeof value === 'number') run.push(`${String(x(ms))},${String(y(value))}`)
    else if (run.length > 0) {
      lines.push(run.join(' '))
      run = []
    }
  }
  if (run.length > 0) lines.push(run.join(' '))
  return {
    name,
    points: known.map(({ ms, value }) => ({ x: x(ms), y: y(value) })),
    lines,
    low,
    high,
    fromMs: first.ms,
    toMs: last.ms
  }
}
