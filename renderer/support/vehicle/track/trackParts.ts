import type { TrackPoint } from '../../../../preload/contract/device/track.ts'
import type { RoadPoint } from '../../../../preload/contract/gateway/vehicles/vehicleRoad.ts'
import { kmPerMile } from '../../../../preload/base/messages/quantities.ts'
import type { Units } from '../../../../preload/base/messages/settings.ts'
import type { TrackPlace } from '../../../base/instruments/map/mapPositions.ts'
import type { SpeedPart } from '../../../base/instruments/map/speedTrack.ts'
import type { Trip } from './dayParts.ts'

/** The upper limits of the first three classes of speed, in the unit that the person reads. */
export function speedLimits(units: Units): [number, number, number] {
  return units === 'imperial' ? [15, 30, 50] : [20, 50, 80]
}

export function speedClass(speedKmh: number, units: Units): 0 | 1 | 2 | 3 {
  const speed = units === 'imperial' ? speedKmh / kmPerMile : speedKmh
  const found = speedLimits(units).findIndex((limit) => speed <= limit)
  return (found < 0 ? 3 : found) as 0 | 1 | 2 | 3
}

export interface DeviceOnly {
  fromMs: number
  toMs: number
  places: TrackPlace[]
}

/** Where the gateway has a gap on a trip, and the device was read: its own way there. */
export function findDeviceOnly(gaps: Trip['gaps'], session: readonly TrackPoint[]): DeviceOnly[] {
  return gaps.flatMap(({ fromMs, toMs }) => {
    const read = session.filter(([atMs]) => atMs >= fromMs && atMs <= toMs)
    const [first, last] = [read[0], read.at(-1)]
    return first && last && last[0] > first[0]
      ? [
          {
            fromMs: first[0],
            toMs: last[0],
            places: read.map(([, latitude, longitude]): TrackPlace => [latitude, longitude])
          }
        ]
      : []
  })
}

export interface DrawnTrip {
  trip: Trip
  isFaint: boolean
  deviceOnly: readonly DeviceOnly[]
}
interface Drawing {
  points: readonly RoadPoint[]
  units: Units
  sayDeviceOnly(ms: number): string
}

/** A trip as lines for the map: one for each stretch of the same class of speed; a gap is dotted. */
export function drawTrip(
  { trip, isFaint, deviceOnly }: DrawnTrip,
  { points, units, sayDeviceOnly }: Drawing
): SpeedPart[] {
  const parts: (SpeedPart & { places: TrackPlace[] })[] = []
  const placeAt = (index: number): TrackPlace => [points[index]?.[1] ?? 0, points[index]?.[2] ?? 0]
  for (let index = trip.first + 1; index <= trip.last; index++) {
    const [before, point] = [points[index - 1], points[index]]
    if (!before || !point) continue
    const speedKmh = point[3] ?? before[3]
    const kind = point[5] || speedKmh === null ? 'unknown' : speedClass(((before[3] ?? speedKmh) + speedKmh) / 2, units)
    const last = parts.at(-1)
    if (last && last.kind === kind) last.places.push(placeAt(index))
    else parts.push({ kind, places: [placeAt(index - 1), placeAt(index)], isFaint })
  }
  return [
    ...parts,
    ...deviceOnly.map(({ fromMs, toMs, places }): SpeedPart => ({
      kind: 'deviceOnly',
      places,
      isFaint,
      text: sayDeviceOnly(toMs - fromMs)
    }))
  ]
}
