import type { RoadPoint } from '../../../../preload/contract/gateway/vehicles/vehicleRoad.ts'
import { distanceM } from '../../../../preload/base/maps/distance.ts'

/** The vehicle stood at one place. */
export interface Stop {
  kind: 'stop'
  fromMs: number
  toMs: number
  latitude: number
  longitude: number
  /** Indexes of its points, both included. */
  first: number
  last: number
}
/** The vehicle moved from one place to another. */
export interface Trip {
  kind: 'trip'
  fromMs: number
  toMs: number
  first: number
  last: number
  distanceM: number
  /** Null: no position had a speed. */
  maxKmh: number | null
  /** Times without a position: the way there is not known, and the distance is at least this. */
  gaps: { fromMs: number; toMs: number; after: number }[]
}
export type DayPart = Stop | Trip

/** Positions of a standing vehicle are this close together. */
const stillM = 60
const stillKmh = 10
/** A shorter stop is traffic. */
const leastStopMs = 3 * 60_000
/** A shorter way is the noise of a receiver at rest. */
const leastTripM = 100

const placeOf = ([, latitude, longitude]: RoadPoint) => ({ latitude, longitude })
const timeOf = (points: readonly RoadPoint[], index: number): number => points[index]?.[0] ?? 0

/** The stops and trips of a time, in order, by its positions alone. */
export function readDayParts(points: readonly RoadPoint[]): DayPart[] {
  if (points.length === 0) return []
  const stops = joinStops(points, findStops(points))
  // Too short to say that it stood, and it went nowhere either.
  if (stops.length === 0 && lengthM(points, 0, points.length - 1) < leastTripM)
    return [stopOf(points, 0, points.length - 1)]
  const parts: DayPart[] = []
  let from = 0
  for (const [first, last] of stops) {
    if (first > from) parts.push(tripOf(points, from, first))
    parts.push(stopOf(points, first, last))
    from = last
  }
  if (from < points.length - 1) parts.push(tripOf(points, from, points.length - 1))
  return parts
}

function findStops(points: readonly RoadPoint[]): [number, number][] {
  const stops: [number, number][] = []
  for (let first = 0; first < points.length;) {
    const anchor = points[first] as RoadPoint
    let last = first
    for (let next = last + 1; next < points.length; next++) {
      const point = points[next] as RoadPoint
      if ((point[3] ?? 0) > stillKmh || distanceM(placeOf(anchor), placeOf(point)) > stillM) break
      last = next
    }
    if (timeOf(points, last) - anchor[0] >= leastStopMs) {
      stops.push([first, last])
      first = last + 1
    } else first += 1
  }
  return stops
}

/** Stops without a way between them are one; so are the first and last positions with the stop beside them. */
function joinStops(points: readonly RoadPoint[], found: readonly [number, number][]): [number, number][] {
  const stops: [number, number][] = []
  for (const [first, last] of found) {
    const before = stops.at(-1)
    if (before && lengthM(points, before[1], first) < leastTripM) before[1] = last
    else stops.push([first, last])
  }
  const [begin, end] = [stops[0], stops.at(-1)]
  if (begin && lengthM(points, 0, begin[0]) < leastTripM) begin[0] = 0
  if (end && lengthM(points, end[1], points.length - 1) < leastTripM) end[1] = points.length - 1
  return stops
}

function lengthM(points: readonly RoadPoint[], first: number, last: number): number {
  let sum = 0
  for (let index = first + 1; index <= last; index++)
    sum += distanceM(placeOf(points[index - 1] as RoadPoint), placeOf(points[index] as RoadPoint))
  return sum
}

function stopOf(points: readonly RoadPoint[], first: number, last: number): Stop {
  return {
    kind: 'stop',
    fromMs: timeOf(points, first),
    toMs: timeOf(points, last),
    ...placeOf(points[Math.floor((first + last) / 2)] as RoadPoint),
    first,
    last
  }
}

function tripOf(points: readonly RoadPoint[], first: number, last: number): Trip {
  let maxKmh: number | null = null
  const gaps: Trip['gaps'] = []
  for (let index = first; index <= last; index++) {
    const [atMs, , , speedKmh, , isAfterSilence] = points[index] as RoadPoint
    if (speedKmh !== null) maxKmh = Math.max(maxKmh ?? 0, speedKmh)
    if (isAfterSilence && index > first) gaps.push({ fromMs: timeOf(points, index - 1), toMs: atMs, after: index - 1 })
  }
  return {
    kind: 'trip',
    fromMs: timeOf(points, first),
    toMs: timeOf(points, last),
    first,
    last,
    distanceM: lengthM(points, first, last),
    maxKmh,
    gaps
  }
}

export interface DaySums {
  trips: number
  stops: number
  drivenM: number
  movingMs: number
}
export function sumDay(parts: readonly DayPart[]): DaySums {
  const trips = parts.filter((part) => part.kind === 'trip')
  return {
    trips: trips.length,
    stops: parts.length - trips.length,
    drivenM: trips.reduce((sum, { distanceM }) => sum + distanceM, 0),
    movingMs: trips.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  }
}
