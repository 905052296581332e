import { formatTime } from '../../../../preload/base/messages/times.ts'
import type { Extent } from '../../../../preload/base/signals/points.ts'
import { reader } from '../../say.ts'
import { t } from '../../texts.ts'
import type { ChartLine } from './chartLines.ts'
import { formatShown, type ShownUnit } from './units.ts'

/** A value of a line with its unit; a word where there is none. */
export function sayReading(value: number | null, unit: ShownUnit): string {
  return value === null ? t('common.noReading') : formatShown(value * unit.factor, unit, reader.value)
}

/** One sentence about a line in the shown time range. */
export function sayLine({ name, series }: ChartLine, extent: Extent | null, unit: ShownUnit): string {
  if (!extent) return t('windowCharts.emptyLine', { name })
  const [now, least, greatest] = [extent.last, extent.min, extent.max].map((value) => sayReading(value, unit)) as [
    string,
    string,
    string
  ]
  const gaps = extent.gaps.length
  return series.isSilent
    ? t('windowCharts.silentLine', { name, last: now, least, greatest, gaps })
    : t('windowCharts.line', { name, now, least, greatest, gaps })
}

/** A time on the axis: as precise as the distance between marks requires. */
export function sayTick(atMs: number, stepMs: number): string {
  return formatTime(atMs, stepMs < 1_000 ? 'timeWithMs' : stepMs < 60_000 ? 'timeWithSeconds' : 'time', reader.value)
}
