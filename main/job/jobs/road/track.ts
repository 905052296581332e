import type { TrackPoint } from '../../../../preload/contract/device/track.ts'
import { distanceM, type Position } from '../../../../preload/base/maps/distance.ts'

/** Readings further apart than this are not connected: the time between them is unknown. */
const joinedWithinMs = 3_500
/** A point this close to a straight line at steady speed adds no information. */
const straightM = 3
const steadyKmh = 3
const furthestApartMs = 10_000
/** The position of a parked receiver wanders by some metres: that is not driving. */
const leastStepM = 15

export interface Sample extends Position {
  atMs: number
  speedKmh: number | null
}

export type TripTrack = ReturnType<typeof createTripTrack>

/** Records the track of a device, sample by sample, with no more points than its bends need. Continues `earlier`. */
export function createTripTrack(earlier: readonly TrackPoint[] = []) {
  const kept: TrackPoint[] = [...earlier]
  let pending: Sample[] = []
  let last: Sample | undefined
  let anchor: Position | undefined
  let isBroken = earlier.length > 0
  let drivenM = drivenAt(earlier).at(-1) ?? 0

  function keep(sample: Sample, isAfterGap: boolean): void {
    kept.push([sample.atMs, sample.latitude, sample.longitude, sample.speedKmh, isAfterGap])
  }

  return {
    /** Times must increase; a point out of order is dropped. */
    add(sample: Sample): void {
      const latestMs = last?.atMs ?? kept.at(-1)?.[0] ?? -Infinity
      if (sample.atMs <= latestMs) return
      const isAfterGap = isBroken || (last !== undefined && sample.atMs - last.atMs > joinedWithinMs)
      isBroken = false
      if (last === undefined || isAfterGap) {
        const end = pending.at(-1)
        if (end) keep(end, false)
        pending = []
        keep(sample, isAfterGap)
        anchor = sample
      } else {
        const from = kept.at(-1) as TrackPoint
        const isOnTheWay =
          sample.atMs - from[0] <= furthestApartMs && pending.every((between) => isNear(between, from, sample))
        const end = pending.at(-1)
        if (!isOnTheWay && end) {
          keep(end, false)
          pending = []
        }
        pending.push(sample)
        const stepM = anchor === undefined ? 0 : distanceM(anchor, sample)
        if (stepM >= leastStepM) {
          drivenM += stepM
          anchor = sample
        }
      }
      last = sample
    },
    /** Thinned out; a point after a gap is marked. */
    points(): TrackPoint[] {
      const end = pending.at(-1)
      return end ? [...kept, [end.atMs, end.latitude, end.longitude, end.speedKmh, false]] : [...kept]
    },
    drivenM: (): number => drivenM,
    last: (): Sample | undefined => last
  }
}

function isNear(sample: Sample, from: TrackPoint, to: Sample): boolean {
  const there = between(from, [to.atMs, to.latitude, to.longitude, to.speedKmh, false], sample.atMs)
  const isSteady =
    there.speedKmh === null || sample.speedKmh === null || Math.abs(there.speedKmh - sample.speedKmh) <= steadyKmh
  return isSteady && distanceM(there, sample) <= straightM
}

function between(a: TrackPoint, b: TrackPoint, atMs: number): Sample {
  const part = b[0] === a[0] ? 0 : (atMs - a[0]) / (b[0] - a[0])
  const speedKmh = a[3] === null || b[3] === null ? null : a[3] + (b[3] - a[3]) * part
  return { atMs, latitude: a[1] + (b[1] - a[1]) * part, longitude: a[2] + (b[2] - a[2]) * part, speedKmh }
}

/** The position and speed of the device at a time; undefined without readings. */
export function placeAt(points: readonly TrackPoint[], atMs: number): Sample | undefined {
  const next = points.findIndex(([ms]) => ms >= atMs)
  const to = points[next]
  if (!to) return undefined
  if (to[0] === atMs) return between(to, to, atMs)
  const from = points[next - 1]
  return from && !to[4] ? between(from, to, atMs) : undefined
}

/** Metres since the first point, at each point; a gap adds nothing. */
function drivenAt(points: readonly TrackPoint[]): number[] {
  let drivenM = 0
  let anchor: Position | undefined
  return points.map(([, latitude, longitude, , isAfterGap]) => {
    const place = { latitude, longitude }
    const stepM = anchor === undefined || isAfterGap ? 0 : distanceM(anchor, place)
    if (anchor === undefined || isAfterGap || stepM >= leastStepM) anchor = place
    if (stepM >= leastStepM) drivenM += stepM
    return drivenM
  })
}

export interface Stretch {
  drivenM: number
  /** 0..1: the share of the time with readings. */
  seen: number
}

/** The distance between two times, and the share of that time with readings. */
export function stretchOf(points: readonly TrackPoint[], fromMs: number, untilMs: number): Stretch {
  if (untilMs <= fromMs) return { drivenM: 0, seen: 0 }
  const driven = drivenAt(points)
  let seenMs = 0
  let drivenM = 0
  for (let index = 1; index < points.length; index++) {
    const [from, to] = [points[index - 1] as TrackPoint, points[index] as TrackPoint]
    const overlapMs = Math.min(to[0], untilMs) - Math.max(from[0], fromMs)
    if (to[4] || overlapMs <= 0) continue
    seenMs += overlapMs
    drivenM += ((driven[index] ?? 0) - (driven[index - 1] ?? 0)) * (overlapMs / (to[0] - from[0]))
  }
  return { drivenM, seen: seenMs / (untilMs - fromMs) }
}

/** At most this many points, for drawing; gaps are preserved. */
export function thinTrack(points: readonly TrackPoint[], most: number): TrackPoint[] {
  let thinned = [...points]
  while (thinned.length > most) {
    const next: TrackPoint[] = []
    let isSkipping = false
    for (const [index, point] of thinned.entries()) {
      const isEnd = index === 0 || index === thinned.length - 1 || point[4] || thinned[index + 1]?.[4] === true
      isSkipping = !isEnd && !isSkipping
      if (!isSkipping) next.push(point)
    }
    // Only gaps: the latest points are shown.
    if (next.length === thinned.length) return thinned.slice(-most)
    thinned = next
  }
  return thinned
}
