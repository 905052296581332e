import { csvLines, type CsvValue } from '../../../../preload/base/messages/csvFile.ts'
import { placeAt } from '../../../base/instruments/charts/lanes/measure.ts'
import { gapsOf, type LinesStory } from '../../../../preload/job/linesStory.ts'
import type { Span } from '../../../base/instruments/charts/lanes/view.ts'

type Row = readonly [atMs: number, ...cells: CsvValue[]]

/**
 * The shown lanes as a table for other programs: the initial state of each line, each change, times without readings,
 * and the minimum and maximum of each voltage. The first row has field names and units; times are UTC.
 */
export function lanesCsv(story: LinesStory, [fromMs, toMs]: Span): string {
  const rows: Row[] = []
  for (const [line, changes] of story.lines) {
    for (let index = Math.max(0, placeAt(changes, fromMs)); index < changes.length; index++) {
      const [atMs, on] = changes[index] ?? [Infinity, null]
      if (atMs > toMs) break
      rows.push([Math.max(atMs, fromMs), line, on === null ? 'unreadable' : on ? 'on' : 'off', null, null, null])
    }
  }
  for (const [gapFromMs, gapToMs] of gapsOf(story)) {
    if (gapToMs > fromMs && gapFromMs < toMs)
      rows.push([Math.max(gapFromMs, fromMs), null, 'no reading', null, null, iso(Math.min(gapToMs, toMs))])
  }
  for (const [name, points] of story.voltages) {
    for (const [atMs, leastMv, mostMv] of points.slice(Math.max(0, placeAt(points, fromMs - 1) + 1))) {
      if (atMs > toMs) break
      rows.push([atMs, name, leastMv === null ? 'unreadable' : null, leastMv, mostMv, null])
    }
  }
  rows.sort((a, b) => a[0] - b[0])
  return csvLines([
    ['at', 'line', 'state', 'least_mv', 'most_mv', 'until'],
    ...rows.map(([atMs, ...cells]) => [iso(atMs), ...cells])
  ])
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString()
}
