import type { TrackPoint } from '../../../../preload/contract/device/track.ts'
import { distanceM } from '../../../../preload/base/maps/distance.ts'
import type { GatewayDistance, RoadEvent } from '../engine/ports.ts'
import { placeAt, stretchOf } from './track.ts'

const minuteMs = 60_000
/** A distance is compared only if the device was read for nearly all of the time. */
const seenToCompare = 0.9
/** If a longer trip's distance differs by no more than this, the vehicle did not drive in the rest of its time. */
const standingPercent = 10
/** Smaller differences in metres come from the resolution of the measurement. */
const leastComparedM = 300

export interface TripAnswers {
  /** Only from the device, from the first to the last moment of the trip. */
  events: readonly RoadEvent[]
  /** From the trip record, and from the counters of these minutes; null if the gateway has none. */
  trip: GatewayDistance | null
  counter: GatewayDistance | null
}

export interface Spread {
  n: number
  median: number
  p95: number
}

export interface ComparedDistance {
  gatewayM: number
  deviceM: number
  differencePercent: number
}

/** The result of a trip. Null: there is no data for this value. */
export interface TripScores {
  beganMs: number
  endedMs: number
  drivenM: number
  /** 0..1: the share of the time in which the device was read. */
  seen: number
  minutes: number
  /** Minutes without an event at the gateway. */
  silentMinutes: number
  events: number
  placed: number
  delayS: Spread | null
  apartM: Spread | null
  speedApartKmh: Spread | null
  trip: ComparedDistance | null
  counter: ComparedDistance | null
}

/** Compares the gateway's data about a trip with the device's readings, minute by minute and event by event. */
export function scoreTrip(points: readonly TrackPoint[], { events, trip, counter }: TripAnswers): TripScores {
  const beganMs = points[0]?.[0] ?? 0
  const endedMs = points.at(-1)?.[0] ?? beganMs
  const { drivenM, seen } = stretchOf(points, beganMs, endedMs)
  // An incomplete last minute counts if it is longer than half a minute.
  const minutes = Math.max(1, Math.round((endedMs - beganMs) / minuteMs))
  const heard = new Set(
    events.map(({ eventAtMs }) => Math.min(minutes - 1, Math.max(0, Math.floor((eventAtMs - beganMs) / minuteMs))))
  )
  const placed = events.filter(
    (event) => event.isPositionValid === true && event.latitude !== null && event.longitude !== null
  )
  const compared = placed.flatMap((event) => {
    const here = placeAt(points, event.eventAtMs)
    return here ? [{ event, here }] : []
  })
  return {
    beganMs,
    endedMs,
    drivenM,
    seen,
    minutes,
    silentMinutes: minutes - heard.size,
    events: events.length,
    placed: placed.length,
    delayS: spreadOf(events.flatMap(({ delayS }) => (delayS === null ? [] : [delayS]))),
    apartM: spreadOf(
      compared.map(({ event, here }) =>
        distanceM(here, { latitude: event.latitude ?? 0, longitude: event.longitude ?? 0 })
      )
    ),
    speedApartKmh: spreadOf(
      compared.flatMap(({ event, here }) =>
        event.speedKmh === null || here.speedKmh === null ? [] : [Math.abs(event.speedKmh - here.speedKmh)]
      )
    ),
    trip: compareDistance(points, trip),
    counter: compareDistance(points, counter)
  }
}

function compareDistance(points: readonly TrackPoint[], there: GatewayDistance | null): ComparedDistance | null {
  if (there === null || there.distanceM === null || there.fromMs === null || there.untilMs === null) return null
  const here = stretchOf(points, there.fromMs, there.untilMs)
  if (here.drivenM < leastComparedM) return null
  const apart = {
    gatewayM: there.distanceM,
    deviceM: here.drivenM,
    differencePercent: (Math.abs(there.distanceM - here.drivenM) / here.drivenM) * 100
  }
  // A trip that began before the test, or continued after it, is another trip, unless the vehicle was parked in that
  // time: a trip begins with the key.
  if (here.seen < seenToCompare) return apart.differencePercent <= standingPercent ? apart : null
  // The vehicle may have driven while it was not seen.
  const unseenM = here.drivenM * (1 / here.seen - 1)
  const difference = Math.max(0, Math.abs(there.distanceM - here.drivenM - unseenM / 2) - unseenM / 2)
  return { gatewayM: there.distanceM, deviceM: here.drivenM, differencePercent: (difference / here.drivenM) * 100 }
}

function spreadOf(values: readonly number[]): Spread | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0
  return { n: sorted.length, median: at(0.5), p95: at(0.95) }
}
