import { message, type Message } from '../../../../preload/contract/messages.ts'
import { isFix } from '../../../../preload/base/maps/position.ts'
import { correctGpsEpoch, type EpochReading } from '../../../device/client/facts.ts'
import type { DateFault } from '../../../base/reading/contradictions.ts'
import { sayDateFault, steadySeconds } from '../../../base/reading/sayContradictions.ts'
import { dateFaultOf, isMisdated } from '../../../base/reading/reportedEvents.ts'
import { delayOf, ownDelay } from '../events.ts'
import type { EvidenceView } from '../evidenceView.ts'
import type { Found } from '../linkVerdict.ts'
import { beganAt, trendOf } from './trend.ts'

/** The clock of the device, and what it dates its events by. */
export function findOfClock(sight: EvidenceView): Found[] {
  const newest = sight.events.find((event) => delayOf(event) !== null)
  const by = { witness: 'gateway', readAt: sight.gateway?.events?.readAt ?? null } as const
  const fault = dateFaultOf(sight.events)
  const misdated =
    fault === null
      ? []
      : [{ id: findingOfDate[fault.kind], ...sayDateFault(fault), ...by, sinceAt: beganAt(sight, misdates) }]
  if (fault !== null && fault.kind !== 'wrong') return misdated
  const stamp = stampOf(sight)
  const ofDevice = { witness: 'device', readAt: sight.position.readAt, link: 'gatewayEvent' } as const
  if (stamp?.rolledWeeks !== undefined)
    return [
      {
        id: 'clockRolled',
        sentence: message('findings.clockRolled', {
          weeks: Math.abs(stamp.rolledWeeks),
          way: stamp.rolledWeeks > 0 ? 'behind' : 'ahead'
        }),
        remedy: message('clock.updateReceiver'),
        ...ofDevice
      }
    ]
  if (stamp?.isUnsure)
    return [
      {
        id: 'clockYearsOff',
        sentence: message('findings.clockYearsOff'),
        remedy: message('findings.clockSky'),
        ...ofDevice
      }
    ]
  const offS = clockOffS(sight)
  if (offS !== null && Math.abs(offS) > sight.limits.clockWarnS) {
    const isCompared = sight.gateway !== null && sight.gateway.aheadS !== null
    const sentence = message(isCompared ? 'findings.clockOff' : 'findings.clockOffHere', { apart: apart(offS) })
    const isWrong = (delayS: number) => Math.abs(delayS) > sight.limits.clockWarnS
    return [
      {
        id: 'clockOff',
        sentence,
        remedy: message(isCompared ? 'findings.clockSky' : 'findings.clockCompare'),
        witness: isCompared ? 'both' : 'device',
        readAt: sight.position.readAt,
        link: 'gatewayEvent',
        short: apart(offS),
        ...trendOf(sight, {
          measure: 'delayS',
          limit: sight.limits.clockWarnS,
          of: ownDelay,
          isWrong,
          isByArrival: true
        })
      }
    ]
  }
  if (misdated.length > 0) return misdated
  const aheadS = newest ? -(delayOf(newest) ?? 0) : 0
  if (aheadS <= sight.limits.clockWarnS) return []
  return [
    {
      id: 'eventsAhead',
      sentence: message('findings.eventsAhead', { apartS: steadySeconds(aheadS) }),
      remedy: message('findings.clockSky'),
      ...by,
      sinceAt: beganAt(sight, {
        of: delayOf,
        isWrong: (delayS) => -delayS > sight.limits.clockWarnS,
        isByArrival: true
      })
    }
  ]
}

/** Events whose date cannot be right. */
const misdates: Parameters<typeof beganAt>[1] = {
  of: (event) => (delayOf(event) === null ? null : Number(isMisdated(event))),
  isWrong: (wrong) => wrong === 1,
  isByArrival: true
}

const findingOfDate = {
  gpsEpoch: 'eventsByGpsEpoch',
  rollover: 'eventsRolled',
  wrong: 'eventsMisdated'
} as const satisfies Record<DateFault['kind'], string>

/**
 * The device's clock minus the gateway's, or minus ours while the gateway reports nothing; null without a position to
 * set it.
 */
export function clockOffS(sight: EvidenceView): number | null {
  const stamp = stampOf(sight)
  return stamp === null || stamp.isUnsure ? null : (stamp.unixMs - stamp.readMs) / 1000 - (sight.gateway?.aheadS ?? 0)
}

function stampOf({ position }: EvidenceView): (EpochReading & { readMs: number }) | null {
  const { timestamp, extras } = position.value ?? {}
  if (timestamp === undefined || position.readAt === null || !isFix(extras?.fix)) return null
  const readMs = Date.parse(position.readAt)
  return { ...correctGpsEpoch(timestamp, readMs), readMs }
}

function apart(offS: number): Message {
  return message('clock.apart', { apartS: steadySeconds(Math.abs(offS)), way: offS >= 0 ? 'ahead' : 'behind' })
}
