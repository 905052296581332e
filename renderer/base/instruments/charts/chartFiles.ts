import { formatWhen } from '../../format.ts'
import { saveFile } from '../../saveFile.ts'
import { t } from '../../texts.ts'
import { chartCsv } from './chartCsv.ts'
import type { ChartLine } from './chartLines.ts'
import { chartPicture } from './chartPicture.ts'
import type { ShownUnit } from './units.ts'

interface ChartFile {
  name: string
  lines: readonly ChartLine[]
  span: { fromMs: number; toMs: number }
}

function fileName({ name, span }: ChartFile, ending: string): string {
  const at = new Date(span.toMs).toISOString().slice(0, 19).replaceAll(':', '')
  return `${name} ${at}.${ending}`
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

/** Saves the chart as a picture, with its name, its time range and the values of its lines. */
export function savePicture(file: ChartFile, plot: HTMLCanvasElement, summary: readonly string[]): void {
  saveFile(
    fileName(file, 'png'),
    'image/png',
    chartPicture(plot, file.lines, {
      title: file.name,
      when: t('common.fromToTo', { from: formatWhen(file.span.fromMs), to: formatWhen(file.span.toMs) }),
      summary
    })
  )
}

/** Saves every stored reading of the shown time range, in the displayed unit. */
export function saveTable(file: ChartFile, { factor, symbol }: ShownUnit): void {
  const { fromMs, toMs } = file.span
  const columns = file.lines.map(({ name, series }) => {
    const { atMs, values } = series.points(fromMs, toMs)
    const inside = atMs.flatMap((at, index) => (at >= fromMs && at <= toMs ? [index] : []))
    const kept = inside.map((index) => values[index] ?? null)
    return {
      title: symbol ? `${name} (${symbol})` : name,
      points: {
        atMs: inside.map((index) => atMs[index] as number),
        values: kept.map((value) => (value === null ? null : value * factor))
      }
    }
  })
  const bytes = new TextEncoder().encode(chartCsv(t('windowCharts.timeUtc'), columns))
  saveFile(fileName(file, 'csv'), 'text/csv', btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')))
}
