import { formatAgo, formatSeconds } from '../../format.ts'
import { t } from '../../texts.ts'
import type { Shape } from '../../ui/status.ts'

/** A parked vehicle still tells now and then that it lives; who says nothing for a day is silent. */
const silentAfterMs = 86_400_000

/** Whether a vehicle reports: "reports, 4 s ago", "silent for 3 days", "never reported". */
export function reportingOf(lastReportedAt: string | null, nowMs: number): { shape: Shape; text: string } {
  if (lastReportedAt === null) return { shape: 'none', text: t('windowVehicle.neverReported') }
  const ageMs = nowMs - Date.parse(lastReportedAt)
  if (ageMs >= silentAfterMs) return { shape: 'warn', text: t('windowVehicle.silentFor', { time: formatSeconds(Math.floor(ageMs / 86_400_000) * 86_400) }) }
  return { shape: 'pass', text: t('windowVehicle.reports', { ago: formatAgo(lastReportedAt, nowMs) }) }
}
