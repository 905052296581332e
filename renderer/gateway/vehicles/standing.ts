import type { GatewayStatus } from '../../../preload/contract/gateway/gateway.ts'
import type { VehicleCondition, VehicleState } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import { gatewayTimeMs, oldStatusMs } from '../../../preload/gateway/reporting.ts'
import { formatAgo, formatDay, formatMoment, formatSeconds, formatTimeOfDay } from '../../base/format.ts'
import { t } from '../../base/texts.ts'
import type { Shape } from '../../base/ui/status.ts'

/** A vehicle as every screen shows it: one word with one shape, and the faults behind it. */
export interface FleetStanding {
  conditions: readonly VehicleCondition[]
  /** Null: not read yet. */
  shape: Shape | null
  /** "reports, no power"; with the time of its reading if that is old. */
  text: string
  /** With the last report, the begin of the silence, or the reason: "reports, 4 s ago", "silent since 18:56". */
  whole: string
  since: string
  /** False: it may have started before. */
  isSinceKnown: boolean
  report: string
  /** What was read says nothing about now. */
  isOld: boolean
  signalDbm: number | null
  /** When it was read; null while the copy does not have the device. */
  readAt: string | null
}

const words = {
  reports: 'windowFleet.reports',
  silent: 'windowFleet.condition.silent',
  unknown: 'common.unknown',
  noDevice: 'common.noDeviceJobs'
} as const
const faults = ['noPower', 'noPosition', 'weakSignal'] as const satisfies readonly VehicleCondition[]

/** What was read last of these: the copy, and what a screen has just asked. */
export function latestState(...states: readonly (VehicleState | undefined)[]): VehicleState | undefined {
  const [latest] = states
    .filter((state) => state !== undefined)
    .sort((a, b) => (b.readAt ?? '').localeCompare(a.readAt ?? ''))
  return latest
}

export function standingOf(
  state: VehicleState | undefined,
  nowMs: number,
  status: GatewayStatus | null
): FleetStanding {
  const gatewayMs = gatewayTimeMs(nowMs, status?.clockDifferenceS)
  const { lastReportedAt = null, readAt = null, since = null, isSinceKnown = false, signalDbm = null } = state ?? {}
  const isOld = readAt !== null && isOldStatus(readAt, nowMs, status)
  const { shape, text, whole } = wordsOf(state, gatewayMs)
  const withTime = (status: string): string =>
    isOld && status !== '' ? t('windowFleet.readWhen', { words: status, when: momentText(readAt, nowMs) }) : status
  return {
    conditions: state?.conditions ?? [],
    shape,
    text: withTime(text),
    whole: withTime(whole),
    since: since === null ? '' : spanText((gatewayMs - Date.parse(since)) / 1000, isSinceKnown),
    isSinceKnown,
    report: lastReportedAt === null ? '' : ageText(lastReportedAt, gatewayMs),
    isOld,
    signalDbm,
    readAt
  }
}

/** The gateway cannot be asked, or was not asked for a while. */
export function isOldStatus(readAt: string, nowMs: number, status: GatewayStatus | null): boolean {
  return status?.state === 'unreachable' || status?.state === 'signedOut' || nowMs - Date.parse(readAt) > oldStatusMs
}

/** The status in words, without the time of its reading: also for a file. */
export function statusText(state: VehicleState | undefined): string {
  if (!state) return ''
  const { reporting, conditions } = state
  return [
    t(words[reporting.is]),
    ...faults.filter((fault) => conditions.includes(fault)).map((fault) => t(`windowFleet.condition.${fault}`))
  ].join(', ')
}

function wordsOf(
  state: VehicleState | undefined,
  gatewayMs: number
): { shape: Shape | null; text: string; whole: string } {
  if (!state) return { shape: null, text: '', whole: '' }
  const { reporting, conditions, lastReportedAt } = state
  const text = statusText(state)
  const own = faults.filter((fault) => conditions.includes(fault))
  const faultShape = own.includes('noPower') ? 'fail' : own.length > 0 ? 'warn' : null
  const first = (status: string): string =>
    [status, ...own.map((fault) => t(`windowFleet.condition.${fault}`))].join(', ')
  switch (reporting.is) {
    case 'noDevice':
      return { shape: 'none', text, whole: text }
    case 'silent':
      return {
        shape: 'fail',
        text,
        whole: first(t('windowFleet.silentSince', { when: momentText(reporting.since ?? '', gatewayMs) }))
      }
    case 'unknown':
      return {
        shape: faultShape === 'fail' ? 'fail' : 'unknown',
        text,
        whole: reporting.why === null ? text : first(whyUnknown(reporting.why))
      }
    case 'reports':
      return {
        shape: faultShape ?? 'pass',
        text,
        whole: first(t('windowVehicle.reports', { ago: formatAgo(lastReportedAt ?? '', gatewayMs) }))
      }
  }
}

function whyUnknown(why: NonNullable<VehicleState['reporting']['why']>): string {
  return t('windowFleet.unknownWhy', {
    why: why === 'notRead' ? t('common.notReadYet') : t(`windowFleet.why.${why}`)
  })
}

function ageText(at: string, nowMs: number): string {
  return nowMs - Date.parse(at) < 3_600_000 ? formatAgo(at, nowMs) : momentText(at, nowMs)
}

/** "18:56", or with its day if that is another one. */
function momentText(at: string, nowMs: number): string {
  return formatDay(at) === formatDay(nowMs) ? formatTimeOfDay(at) : formatMoment(at, nowMs)
}

/** How long, in two parts: "22 d 4 h", "3 h 56 min", "47 min"; in whole hours where the beginning is not known. */
export function spanText(seconds: number, isExact: boolean): string {
  if (!isExact && seconds >= 3_600 && seconds < 2 * 86_400) return formatSeconds(Math.floor(seconds / 3_600) * 3_600)
  if (seconds < 3_600) return formatSeconds(Math.max(60, Math.floor(seconds / 60) * 60))
  if (seconds < 2 * 86_400) return formatSeconds(seconds)
  return t('windowFleet.days', { d: Math.floor(seconds / 86_400), h: Math.floor((seconds % 86_400) / 3_600) })
}
