import type { GatewayStatus } from '../../../preload/contract/gateway/gateway.ts'
import { isSilentAt } from '../../../preload/gateway/silence.ts'
import { formatAgo, formatSeconds } from '../../base/format.ts'
import { t } from '../../base/texts.ts'
import type { Shape } from '../../base/ui/status.ts'

/** After this time the gateway's answer says nothing about now. */
const oldAfterMs = 5 * 60_000

/** An outdated answer of the gateway: it cannot be asked, or was not asked for a while. */
export function isOldWord(readAt: string, nowMs: number, status: GatewayStatus | null): boolean {
  return status?.state === 'unreachable' || status?.state === 'signedOut' || nowMs - Date.parse(readAt) > oldAfterMs
}

/** Whether a vehicle reports, by the gateway's clock: "reports, 4 s ago", "silent for 3 days", "never reported". */
export function reportingOf(lastReportedAt: string | null, gatewayMs: number): { shape: Shape; text: string } {
  if (lastReportedAt === null) return { shape: 'none', text: t('windowVehicle.neverReported') }
  const ageMs = gatewayMs - Date.parse(lastReportedAt)
  if (isSilentAt(lastReportedAt, gatewayMs))
    return {
      shape: 'warn',
      text: t('windowVehicle.silentFor', { time: formatSeconds(Math.floor(ageMs / 86_400_000) * 86_400) })
    }
  return { shape: 'pass', text: t('windowVehicle.reports', { ago: formatAgo(lastReportedAt, gatewayMs) }) }
}
