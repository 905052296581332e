import type { GatewayCopies } from '../../../preload/contract/gateway/copies.ts'
import { formatDuration, formatSeconds, formatWhen } from '../../base/format.ts'
import { language } from '../../base/say.ts'
import { t } from '../../base/texts.ts'

/** "Vehicles: 2,000 of 4,000, about 6 s left": the progress of copying. */
export function copyProgress({ kind, done, total, leftMs }: NonNullable<GatewayCopies['running']>): string {
  const what = t(`windowCopies.kind.${kind}`)
  const text =
    total === null
      ? t('windowCopies.copyingSome', { kind: what, done: numberText(done) })
      : t('windowCopies.copying', { kind: what, done: numberText(done), total: numberText(total) })
  return leftMs === null || leftMs < 1000
    ? text
    : `${text} · ${t('windowCopies.left', { time: formatDuration(leftMs) })}`
}

export function numberText(n: number): string {
  return n.toLocaleString(language.value)
}

/** "20 Nov 2026, 14:02, 3 days old": the age of a copy. */
export function copyAge(copiedAt: string, nowMs: number): string {
  const ageS = Math.max(0, Math.round((nowMs - Date.parse(copiedAt)) / 1_000))
  return t('windowCopies.age', { when: formatWhen(copiedAt), age: formatSeconds(ageS) })
}
