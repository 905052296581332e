import type { TrackPoint } from '../../../../preload/contract/device/track.ts'

/** The speeds of a session in the available number of columns, the highest of each; null where nobody read it. */
export function speedColumns(
  points: readonly TrackPoint[],
  range: { fromMs: number; toMs: number },
  columns: number
): (number | null)[] {
  const { fromMs, toMs } = range
  const found = new Array<number | null | undefined>(columns)
  const columnOf = (atMs: number) =>
    Math.min(columns - 1, Math.max(0, Math.floor(((atMs - fromMs) / Math.max(1, toMs - fromMs)) * columns)))
  for (const [atMs, , , speedKmh, isAfterGap] of points) {
    const column = columnOf(atMs)
    // A gap narrower than a column cannot be drawn, but must not be bridged either.
    if (isAfterGap && column > 0) found[column - 1] ??= null
    if (speedKmh !== null) found[column] = Math.max(found[column] ?? 0, speedKmh)
  }
  const gaps = points.flatMap(([atMs, , , , isAfterGap], index) =>
    isAfterGap ? [[columnOf(points[index - 1]?.[0] ?? fromMs), columnOf(atMs)] as const] : []
  )
  const isInGap = (column: number) => gaps.some(([from, to]) => column > from && column < to)
  let last: number | null = null
  return Array.from(found, (value, column) => {
    if (value === undefined) return isInGap(column) ? (last = null) : last
    return (last = value)
  })
}

/** The outline of the columns and the area below it, as paths of a picture `columns` wide and `height` high. */
export function speedPaths(
  columns: readonly (number | null)[],
  height: number,
  mostKmh: number
): { line: string; area: string } {
  const y = (speedKmh: number) => (height - (speedKmh / mostKmh) * (height - 3) - 1).toFixed(1)
  let [line, area] = ['', '']
  let begunAt: number | null = null
  const close = (column: number) => {
    if (begunAt !== null) area += `L${column} ${height}L${begunAt} ${height}z`
    begunAt = null
  }
  for (const [column, speedKmh] of columns.entries()) {
    if (speedKmh === null) close(column - 1)
    else {
      const point = `${begunAt === null ? 'M' : 'L'}${column} ${y(speedKmh)}`
      begunAt ??= column
      line += point
      area += point
    }
  }
  close(columns.length - 1)
  return { line, area }
}
