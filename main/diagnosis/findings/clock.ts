import { message, type Message } from '../../../preload/contract/messages.ts'
import { correctGpsEpoch } from '../../device/facts.ts'
import type { SeenEvent } from '../../../preload/contract/diagnosis/evidence.ts'
import { delayOf, isDatedByGpsEpoch, kindOf } from '../events.ts'
import type { EvidenceView } from '../evidenceView.ts'
import type { Found } from '../linkVerdict.ts'
import { trendOf } from './trend.ts'

/** The clock of the device, and what it dates its events by. */
export function findOfClock(sight: EvidenceView): Found[] {
  const newest = sight.events.find((event) => delayOf(event) !== null)
  const by = { witness: 'gateway', readAt: sight.gateway?.events?.readAt ?? null } as const
  if (newest && isDatedByGpsEpoch(newest))
    return [
      {
        id: 'eventsByGpsEpoch',
        sentence: message('findings.eventsByGpsEpoch'),
        remedy: message('clock.askForFirmware'),
        ...by
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
        ...trendOf(sight, { measure: 'delayS', limit: sight.limits.clockWarnS, of: ownDelay, isWrong })
      }
    ]
  }
  const aheadS = newest ? -(delayOf(newest) ?? 0) : 0
  if (aheadS <= sight.limits.clockWarnS) return []
  return [
    {
      id: 'eventsAhead',
      sentence: message('findings.eventsAhead', { apartS: steadySeconds(aheadS) }),
      remedy: message('findings.clockSky'),
      ...by
    }
  ]
}

/** Seconds as coarse as they are shown, so that the same difference gives the same words again. */
export function steadySeconds(seconds: number): number {
  const stepS = seconds < 60 ? 1 : seconds < 600 ? 10 : 60
  return Math.round(seconds / stepS) * stepS
}

/** The device's clock minus the gateway's, or minus ours while the gateway reports nothing; null without a position to set it. */
export function clockOffS({ position, gateway }: EvidenceView): number | null {
  const { timestamp, extras } = position.value ?? {}
  if (timestamp === undefined || position.readAt === null || (extras?.fix ?? 0) <= 0) return null
  const readMs = Date.parse(position.readAt)
  return (correctGpsEpoch(timestamp, readMs).unixMs - readMs) / 1000 - (gateway?.aheadS ?? 0)
}

/** Buffered events are late for another reason. */
function ownDelay(event: SeenEvent): number | null {
  return kindOf(event) === 'backlog' || isDatedByGpsEpoch(event) ? null : delayOf(event)
}

function apart(offS: number): Message {
  return message('clock.apart', { apartS: steadySeconds(Math.abs(offS)), way: offS >= 0 ? 'ahead' : 'behind' })
}
