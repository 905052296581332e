import type { EventPicture } from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import { createThinner } from '../../../preload/base/signals/points.ts'
import { stretchAt, type Analysis, type Span } from './analysis.ts'
import type { EventTable } from './table.ts'

/** The size of a chart, and the fields with a curve. */
export interface PictureForm {
  columns: number
  points: number
  fields: readonly string[]
}

export interface PictureEvents {
  table: EventTable
  /** Newest first. */
  rows: Uint32Array
  analysis: Analysis
  /** By row: its place in the order of happening. */
  placeOf: Uint32Array
  /** The oldest place in `rows` that is needed: the last event before the span. */
  firstRow: number
}

/** What a chart shows of a span: counts for each column of its width, and thinned curves. */
export function drawPicture(
  { table, rows, analysis: { silentFromS, stretches }, placeOf, firstRow }: PictureEvents,
  { fromMs, toMs }: Span,
  { columns, points, fields }: PictureForm
): EventPicture {
  const columnMs = Math.max(1, (toMs - fromMs) / columns)
  const [happened, kept, arrived, under, delays] = Array.from({ length: 5 }, () => new Float64Array(columns)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array
  ]
  const add = (to: Float64Array, atMs: number, by = 1): void => {
    const column = Math.floor((atMs - fromMs) / columnMs)
    if (column >= 0 && column < columns) to[column] = (to[column] as number) + by
  }
  const thinners = fields.map(() => createThinner(fromMs, toMs, points))
  const before = fields.map(() => NaN)
  // The events of the span, oldest first, with one before it so that a line reaches the edge.
  for (let place = firstRow; place >= 0; place--) {
    const row = rows[place] as number
    const at = table.atMs(row)
    if (Number.isNaN(at)) continue
    fields.forEach((field, index) => {
      const thinner = thinners[index]
      const value = table.value(field, row)
      if (typeof value !== 'number' || !thinner?.wantsMore) return
      const last = before[index] as number
      const isGap = at - last > silentFromS * 1000
      thinner.take(at, value, isGap ? last : NaN, isGap ? at : NaN)
      before[index] = at
    })
    if (at > toMs) {
      if (thinners.every(({ wantsMore }) => !wantsMore) || at > toMs + (toMs - fromMs)) break
      continue
    }
    if (Number.isNaN(table.happenedMs(row))) continue
    add(happened, at)
    const stretch = stretchAt(stretches, placeOf[row] ?? 0)
    if (stretch?.kind === 'kept') add(kept, at)
    else {
      add(under, at)
      add(delays, at, table.delayS(row) * 1000 || 0)
    }
  }
  for (const row of rows) {
    const at = table.arrivedMs(row)
    if (at >= fromMs && at <= toMs) add(arrived, at)
  }
  return {
    fromMs,
    toMs,
    happened: [...happened],
    kept: [...kept],
    arrived: [...arrived],
    delayMs: [...under].map((n, index) => (n === 0 ? null : (delays[index] as number) / n)),
    series: fields.map((field, index) => ({ field, ...(thinners[index]?.end(false) ?? { atMs: [], values: [] }) }))
  }
}
