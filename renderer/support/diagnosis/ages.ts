import { formatAgo, formatMoment, formatSecond } from '../../base/format.ts'
import { t } from '../../base/texts.ts'
import { isReadOnly } from '../../base/ui/readOnly.ts'

/** An age in one short piece that fits a column: "4 s", "47 min", "3 h", "2 d". */
export function shortAge(at: string, nowMs: number): string {
  const ageS = Math.max(0, Math.round((nowMs - Date.parse(at)) / 1000))
  if (Number.isNaN(ageS)) return ''
  if (ageS < 60) return t('windowDiagnosis.age.s', { n: ageS })
  if (ageS < 3_600) return t('windowDiagnosis.age.min', { n: Math.floor(ageS / 60) })
  if (ageS < 172_800) return t('windowDiagnosis.age.h', { n: Math.floor(ageS / 3_600) })
  return t('windowDiagnosis.age.d', { n: Math.floor(ageS / 86_400) })
}

const dayMs = 86_400_000

/**
 * The age of a reading; in a support bundle, and where nothing is read any more, its time of day: that does not grow.
 */
export function ageOrClock(at: string, nowMs: number, isStill: boolean): string {
  if (!isStill && !isReadOnly.value) return shortAge(at, nowMs)
  return nowMs - Date.parse(at) < dayMs ? formatSecond(at) : formatMoment(at, nowMs)
}

/** The same within a sentence: "12 s ago", or its time in a support bundle. */
export function readTime(at: string, nowMs: number): string {
  return isReadOnly.value ? formatMoment(at, nowMs) : formatAgo(at, nowMs)
}
