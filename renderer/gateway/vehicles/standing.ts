import type { GatewayStatus } from '../../../preload/contract/gateway/gateway.ts'
import type { VehicleCondition, VehicleState } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import { gatewayTimeMs, isSilentAt } from '../../../preload/gateway/silence.ts'
import { formatAgo, formatDay, formatMoment, formatSeconds, formatTimeOfDay } from '../../base/format.ts'
import { t } from '../../base/texts.ts'
import type { Shape } from '../../base/ui/status.ts'
import { isOldWord } from './reporting.ts'
import type { VehicleReport } from './vehicles.store.ts'

/** The worst first. */
const vehicleConditions: readonly VehicleCondition[] = ['noPower', 'silent', 'noPosition', 'weakSignal']

/** A vehicle as its row shows it: by the gateway's own word while that is fresh, else by the copy. */
export interface FleetStanding {
  conditions: readonly VehicleCondition[]
  shape: Shape | null
  text: string
  since: string
  /** False: it may have started before. */
  isSinceKnown: boolean
  report: string
  /** The report is from the copy. */
  isOld: boolean
  signalDbm: number | null
  /** When the copy read it; null while it does not have the device. */
  readAt: string | null
}

export function standingOf(
  copied: VehicleState | undefined,
  report: VehicleReport | undefined,
  nowMs: number,
  status: GatewayStatus | null
): FleetStanding {
  const gatewayMs = gatewayTimeMs(nowMs, status?.clockDifferenceS)
  const isLive = report !== undefined && !isOldWord(report.readAt, nowMs, status)
  const [last = null] = [report?.lastReportedAt, copied?.lastReportedAt]
    .filter((at) => typeof at === 'string')
    .sort()
    .reverse()
  const isSilent =
    isLive && last !== null ? isSilentAt(last, gatewayMs) : (copied?.conditions.includes('silent') ?? false)
  const conditions = vehicleConditions.filter((condition) =>
    condition === 'silent' ? isSilent : copied?.conditions.includes(condition)
  )
  const since = isSilent && conditions.length === 1 ? last : conditions.length > 0 ? (copied?.since ?? last) : null
  const isSinceKnown = isSilent && since === last
  return {
    conditions,
    ...lookOf(conditions, isLive ? last : undefined),
    since: since === null ? '' : spanText((gatewayMs - Date.parse(since)) / 1000, isSinceKnown),
    isSinceKnown,
    report: last === null ? '' : ageText(last, gatewayMs),
    isOld: !isLive,
    signalDbm: copied?.signalDbm ?? null,
    readAt: copied?.readAt ?? null
  }
}

/** `last`: of a fresh answer. */
function lookOf(
  conditions: readonly VehicleCondition[],
  last: string | null | undefined
): { shape: Shape | null; text: string } {
  const [worst] = conditions
  if (worst)
    return {
      shape: worst === 'noPower' ? 'fail' : 'warn',
      text: conditions.map((condition) => t(`windowFleet.condition.${condition}`)).join(', ')
    }
  if (last === undefined) return { shape: null, text: '' }
  return last === null
    ? { shape: 'none', text: t('windowVehicle.neverReported') }
    : { shape: 'pass', text: t('windowFleet.reports') }
}

function ageText(at: string, nowMs: number): string {
  if (nowMs - Date.parse(at) < 3_600_000) return formatAgo(at, nowMs)
  return formatDay(at) === formatDay(nowMs) ? formatTimeOfDay(at) : formatMoment(at, nowMs)
}

/** How long, in two parts: "22 d 4 h", "3 h 56 min", "47 min"; in whole hours where the beginning is not known. */
export function spanText(seconds: number, isExact: boolean): string {
  if (!isExact && seconds >= 3_600 && seconds < 2 * 86_400) return formatSeconds(Math.floor(seconds / 3_600) * 3_600)
  if (seconds < 3_600) return formatSeconds(Math.max(60, Math.floor(seconds / 60) * 60))
  if (seconds < 2 * 86_400) return formatSeconds(seconds)
  return t('windowFleet.days', { d: Math.floor(seconds / 86_400), h: Math.floor((seconds % 86_400) / 3_600) })
}
