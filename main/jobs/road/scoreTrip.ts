import type { TrackPoint } from '../../../preload/contract/device/track.ts'
import { distanceM } from '../../device/facts.ts'
import type { GatewayDistance, RoadEvent } from '../engine/ports.ts'
import { placeAt, stretchOf } from './track.ts'

const minuteMs = 60_000
/** A distance is compared where nearly all of its time was seen by the device. */
const seenToCompare = 0.9
/** A longer trip whose distance differs by no more was not driven in the rest of its time. */
const standingPercent = 10
/** Fewer metres than this differ by the steps in which they are measured. */
const leastComparedM = 300

export interface TripAnswers {
  /** Of the device alone, from the first to the last moment of the trip. */
  events: readonly RoadEvent[]
  /** Of the trip record, and of the counters of these minutes; null where the gateway has none. */
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
  /** What the device drove in the same time. */
  deviceM: number
  differencePercent: number
}

/** What a trip came to. Null: there is nothing of which it could be said. */
export interface TripScores {
  beganMs: number
  endedMs: number
  drivenM: number
  /** 0..1: how much of its time the device was read. */
  seen: number
  minutes: number
  /** Minutes in which the gateway has no event. */
  silentMinutes: number
  events: number
  /** Events that name a valid place. */
  placed: number
  delayS: Spread | null
  apartM: Spread | null
  speedApartKmh: Spread | null
  trip: ComparedDistance | null
  counter: ComparedDistance | null
}

/** Holds what the gateway says of a trip against what the device saw, minute by minute and event by event. */
export function scoreTrip(points: readonly TrackPoint[], { events, trip, counter }: TripAnswers): TripScores {
  const beganMs = points[0]?.[0] ?? 0
  const endedMs = points.at(-1)?.[0] ?? beganMs
  const { drivenM, seen } = stretchOf(points, beganMs, endedMs)
  // A last piece of a minute counts when it is the greater half.
  const minutes = Math.max(1, Math.round((endedMs - beganMs) / minuteMs))
  const heard = new Set(events.map(({ eventAtMs }) => Math.min(minutes - 1, Math.max(0, Math.floor((eventAtMs - beganMs) / minuteMs)))))
  const placed = events.filter((event) => event.isPositionValid === true && event.latitude !== null && event.longitude !== null)
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
    apartM: spreadOf(compared.map(({ event, here }) => distanceM(here, { latitude: event.latitude ?? 0, longitude: event.longitude ?? 0 }))),
    speedApartKmh: spreadOf(compared.flatMap(({ event, here }) => (event.speedKmh === null || here.speedKmh === null ? [] : [Math.abs(event.speedKmh - here.speedKmh)]))),
    trip: compareDistance(points, trip),
    counter: compareDistance(points, counter)
  }
}

function compareDistance(points: readonly TrackPoint[], there: GatewayDistance | null): ComparedDistance | null {
  if (there === null || there.distanceM === null || there.fromMs === null || there.untilMs === null) return null
  const here = stretchOf(points, there.fromMs, there.untilMs)
  if (here.drivenM < leastComparedM) return null
  const apart = { gatewayM: there.distanceM, deviceM: here.drivenM, differencePercent: (Math.abs(there.distanceM - here.drivenM) / here.drivenM) * 100 }
  // A trip that began before the test, or went on behind it, is another one, unless it only stood there: a trip begins with the key.
  if (here.seen < seenToCompare) return apart.differencePercent <= standingPercent ? apart : null
  // What was not seen may well have been driven.
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
