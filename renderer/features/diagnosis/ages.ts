import { t } from '../../texts.ts'

/** An age in one short piece that fits a column: "4 s", "47 min", "3 h", "2 d". */
export function shortAge(at: string, nowMs: number): string {
  const ageS = Math.max(0, Math.round((nowMs - Date.parse(at)) / 1000))
  if (Number.isNaN(ageS)) return ''
  if (ageS < 60) return t('windowDiagnosis.age.s', { n: ageS })
  if (ageS < 3_600) return t('windowDiagnosis.age.min', { n: Math.floor(ageS / 60) })
  if (ageS < 172_800) return t('windowDiagnosis.age.h', { n: Math.floor(ageS / 3_600) })
  return t('windowDiagnosis.age.d', { n: Math.floor(ageS / 86_400) })
}
