import { csvFile } from '../../../../preload/base/messages/csvFile.ts'
import type { Points } from '../../../../preload/base/signals/points.ts'

export interface CsvColumn {
  /** The line's name with its unit. */
  title: string
  points: Points
}

/**
 * The readings of a chart as a table: a row for each time of a reading (ISO 8601, UTC), an empty cell where a
 * line has no reading, and an empty row for a gap. Numbers stay numbers, whatever their sign; titles that a spreadsheet
 * would evaluate as a formula are escaped.
 */
export function chartCsv(timeTitle: string, columns: readonly CsvColumn[]): string {
  const rows = new Map<number, (number | null)[]>()
  columns.forEach(({ points }, column) => {
    points.atMs.forEach((at, index) => {
      const row = rows.get(at) ?? columns.map(() => null)
      row[column] = points.values[index] ?? null
      rows.set(at, row)
    })
  })
  const lines = [...rows]
    .sort(([a], [b]) => a - b)
    .map(([at, values]) => [new Date(at).toISOString(), ...values.map(cell)])
  return csvFile([[timeTitle, ...columns.map(({ title }) => title)], ...lines])
}

function cell(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(12))
}
