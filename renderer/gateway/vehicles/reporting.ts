import type { GatewayStatus } from '../../../preload/contract/gateway/gateway.ts'
import { formatAgo, formatSeconds } from '../../base/format.ts'
import { t } from '../../base/texts.ts'
import type { Shape } from '../../base/ui/status.ts'

/** A parked vehicle still reports now and then; after a day without a report it is silent. */
export const silentAfterMs = 86_400_000

/** After this time the gateway's answer says nothing about now. */
const oldAfterMs = 5 * 60_000

/** An outdated answer of the gateway: it cannot be asked, or was not asked for a while. */
export function isOldWord(readAt: string, nowMs: number, status: GatewayStatus | null): boolean {
  return status?.state === 'unreachable' || status?.state === 'signedOut' || nowMs - Date.parse(readAt) > oldAfterMs
}

/** Whether a vehicle reports: "reports, 4 s ago", "silent for 3 days", "never reported". */
export function reportingOf(lastReportedAt: string | null, nowMs: number): { shape: Shape; text: string } {
  if (lastReportedAt === null) return { shape: 'none', text: t('windowVehicle.neverReported') }
  const ageMs = nowMs - Date.parse(lastReportedAt)
  if (ageMs >= silentAfterMs)
    return {
      shape: 'warn',
      text: t('windowVehicle.silentFor', { time: formatSeconds(Math.floor(ageMs / 86_400_000) * 86_400) })
    }
  return { shape: 'pass', text: t('windowVehicle.reports', { ago: formatAgo(lastReportedAt, nowMs) }) }
}
