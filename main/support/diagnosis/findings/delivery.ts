import { message } from '../../../../preload/contract/messages.ts'
import { hasPosition } from '../../../../preload/base/maps/position.ts'
import { distanceM } from '../../../../preload/base/maps/distance.ts'
import { dateFaultOf, isPlaced, repeatsOfLatest } from '../../../base/reading/reportedEvents.ts'
import { sayLate, sayRepeats, steadySeconds } from '../../../base/reading/sayContradictions.ts'
import { delayOf, ownDelay } from '../events.ts'
import { sameApn } from '../../../device/client/facts.ts'
import { ageOf, type EvidenceView } from '../evidenceView.ts'
import { rhythmOf } from '../rhythm.ts'
import { clockOffS } from './clock.ts'
import { isoAt, type Found } from '../linkVerdict.ts'
import type { SeenEvent } from '../../../../preload/contract/support/evidence.ts'
import { trendOf } from './trend.ts'

const eventsForDelay = 5
/** After so many of its own intervals without an event nobody knows whether the next one will be late too. */
const missedIntervals = 2
/** So many events in a row that are late by the same time are late by the clock of their device. */
const eventsForClock = 3
/** Nothing on the road is faster: what moved since its event cannot be further away. */
const fastestMs = 45
const dayMs = 86_400_000

/** Late deliveries, deliveries with another position, and different APNs. */
export function findOfDelivery(sight: EvidenceView): Found[] {
  const repeated = ofRepeats(sight)
  return [...(repeated.length > 0 ? repeated : ofDelay(sight)), ...ofRecord(sight), ...ofPlace(sight), ...ofApn(sight)]
}

/** One event that arrives again and again gets older each time: it is not late. */
function ofRepeats(sight: EvidenceView): Found[] {
  const repeats = sight.isHeardNow ? repeatsOfLatest(sight.events) : null
  if (repeats === null) return []
  const sinceMs = Math.round((repeats.sinceMs - (sight.gateway?.aheadS ?? 0) * 1000) / 1000) * 1000
  return [
    {
      id: 'eventRepeated',
      ...sayRepeats({ ...repeats, sinceMs }),
      witness: 'gateway',
      readAt: sight.gateway?.events?.readAt ?? null,
      sinceAt: isoAt(sinceMs),
      link: 'gatewayEvent'
    }
  ]
}

/** The record says “just now”, and no event of a day is there: one of them is not of this device, or is not stored. */
function ofRecord({ gateway, heard, isHeardNow, evidence, gatewayNowMs }: EvidenceView): Found[] {
  const carried = gateway?.vehicle?.value?.imei
  if (
    !isHeardNow ||
    heard === null ||
    heard.event !== null ||
    !gateway?.events ||
    !carried ||
    carried !== (evidence.imei ?? carried)
  )
    return []
  const isOneOfDay = gateway.events.value.some(
    ({ arrivedAtMs, eventAtMs }) => gatewayNowMs - (arrivedAtMs ?? eventAtMs ?? 0) < dayMs
  )
  if (isOneOfDay || gateway.eventsSinceAt === null || gatewayNowMs - Date.parse(gateway.eventsSinceAt) < dayMs)
    return []
  return [
    {
      id: 'heardWithoutEvents',
      sentence: message('contradictions.heardWithoutEvents', { ageS: Math.round(heard.ageS) }),
      remedy: message('contradictions.findEvents'),
      witness: 'gateway',
      readAt: heard.readAt,
      link: 'gatewayEvent'
    }
  ]
}

/**
 * A slow clock looks like a delay and is distinguished only beside the device. An event that arrived in time ends it.
 */
function ofDelay(sight: EvidenceView): Found[] {
  const { limits, gateway, isHeardNow } = sight
  const dated = sight.events.flatMap((event) => {
    const delay = ownDelay(event)
    return delay === null ? [] : [{ event, delay }]
  })
  const all = dated.map(({ delay }) => delay)
  const delays = sinceClockWasSet(all, limits.delayPassS)
    .slice(0, eventsForDelay)
    .sort((a, b) => a - b)
  const delayS = delays[Math.floor(delays.length / 2)]
  const inTime = all.findIndex((delay) => delay <= limits.delayPassS)
  // A clock that is always off by the same time delivers nothing late.
  if (dateFaultOf(sight.events) !== null) return []
  if (!isHeardNow || delayS === undefined || delayS <= limits.delayPassS || inTime === 0) return []
  const offS = clockOffS(sight)
  if (offS !== null && Math.abs(offS) > limits.clockWarnS) return []
  const readAt = gateway?.events?.readAt ?? null
  const about = {
    ...trendOf(sight, {
      measure: 'delayS',
      limit: limits.delayPassS,
      of: ownDelay,
      isWrong: (one) => one > limits.delayPassS,
      isByArrival: true
    }),
    id: 'late',
    remedy: message('findings.checkSignal'),
    witness: 'gateway',
    readAt,
    link: 'gatewayEvent',
    short: message('chain.short.late', { delayS: steadySeconds(delayS) })
  } as const
  const last = dated[0]?.event
  const lastAt = last && last === sight.events[0] ? arrivedAt(last, sight) : null
  if (lastAt !== null && readAt !== null && Date.parse(readAt) - Date.parse(lastAt) > pauseMs(sight)) {
    return [{ ...about, sentence: message('findings.wereLate', { delayS: steadySeconds(delayS), arrivedAt: lastAt }) }]
  }
  return [{ ...about, ...sayLate(delayS, offS === null ? 'lateOrClock' : 'late') }]
}

/** A pause that is more than its rhythm; as long as it counts as reporting, where it has none. */
function pauseMs(sight: EvidenceView): number {
  const everyS = rhythmOf(sight.events, sight)
  return (everyS === null ? sight.limits.reportsS : Math.max(60, missedIntervals * everyS)) * 1000
}

/** By our clock, to the second; the comparison of the clocks differs a little each time. */
function arrivedAt({ arrivedAtMs }: SeenEvent, { gateway }: EvidenceView): string | null {
  return arrivedAtMs === null ? null : isoAt(Math.round((arrivedAtMs - (gateway?.aheadS ?? 0) * 1000) / 1000) * 1000)
}

/** Delays, the newest first: those from before a clock was set say nothing about now. */
function sinceClockWasSet(delays: readonly number[], passS: number): readonly number[] {
  const before = delays.findIndex((delayS, n) => {
    const alike = delays.slice(n, n + eventsForClock)
    return (
      n > 0 &&
      alike.length === eventsForClock &&
      delayS - (delays[n - 1] ?? 0) > passS &&
      Math.max(...alike) - Math.min(...alike) <= passS
    )
  })
  return before === -1 ? delays : delays.slice(0, before)
}

function ofPlace(sight: EvidenceView): Found[] {
  const { position, io, limits } = sight
  const { latitude, longitude, speed } = position.value?.coords ?? {}
  const newest = sight.events.find(isPlaced)
  const ageS = newest ? ageOf(newest, sight) : null
  if (!newest || ageS === null || ageS > limits.reportsS || latitude === undefined || longitude === undefined) return []
  if (!hasPosition(position.value) || speed === undefined || speed > limits.parkedKmh || io.value?.MOT === true)
    return []
  const apartOf = (event: SeenEvent) =>
    isPlaced(event)
      ? distanceM({ latitude, longitude }, { latitude: event.latitude ?? 0, longitude: event.longitude ?? 0 })
      : null
  const apartM = apartOf(newest) ?? 0
  // By its own date it is as old as it says.
  const movedS = Math.max(ageS, ageS + (delayOf(newest) ?? 0))
  if (apartM <= limits.apartWarnM + movedS * fastestMs) return []
  return [
    {
      id: 'otherPlace',
      sentence: message('findings.otherPlace', { distanceM: Math.round(apartM) }),
      remedy: message('findings.checkIdentity'),
      witness: 'both',
      readAt: position.readAt,
      link: 'fix',
      short: message('chain.short.apart', { distanceM: Math.round(apartM) }),
      ...trendOf(sight, {
        measure: 'apartM',
        limit: limits.apartWarnM,
        of: apartOf,
        isWrong: (oneM) => oneM > limits.apartWarnM
      })
    }
  ]
}

/** A different APN than ordered, but events arrive. */
function ofApn({ configuration, evidence, isHeardNow }: EvidenceView): Found[] {
  const apn = configuration.value?.APN?.trim()
  const { apn: wanted } = evidence.expected
  if (!apn || wanted === null || sameApn(apn, wanted) || !isHeardNow) return []
  return [
    {
      id: 'apnDiffers',
      sentence: message('findings.apnDiffers', { apn, wanted }),
      remedy: message('chain.apn.set', { apn: wanted }),
      witness: 'device',
      readAt: configuration.readAt,
      link: 'apn'
    }
  ]
}
