import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TrackPoint } from '../../../preload/contract/device/track.ts'
import type { RoadPoint } from '../../../preload/contract/gateway/vehicles/vehicleRoad.ts'
import { distanceM } from '../../../preload/base/maps/distance.ts'
import { apartOverTime, delaysOverTime } from '../../../renderer/support/vehicle/road/apart.ts'

const startMs = Date.UTC(2026, 10, 22, 10)
/** A degree of latitude is 111.2 km. */
const here = (second: number, isAfterGap = false): TrackPoint => [
  startMs + second * 1_000,
  4.7 + second * 1e-5,
  -74,
  40,
  isAfterGap
]
const there = (second: number, latitude: number, delayS: number | null = 2): RoadPoint => [
  startMs + second * 1_000,
  latitude,
  -74,
  40,
  delayS,
  false
]

test('both places are held against each other at the same moment, and where nobody read the device nothing is told', () => {
  const session = [here(0), here(2), here(4), here(60, true), here(62)]
  expect(
    apartOverTime(session, [
      there(-60, 4.7),
      there(0, 4.7),
      there(3, 4.70003),
      there(4, 4.70104),
      there(30, 4.7),
      there(61, 4.70061),
      there(600, 4.7)
    ])
  ).toEqual([
    { atMs: startMs, value: 0 },
    { atMs: startMs + 3_000, value: 0 },
    { atMs: startMs + 4_000, value: 111 },
    { atMs: startMs + 30_000, value: null },
    { atMs: startMs + 61_000, value: 0 }
  ])
  expect(apartOverTime([], [there(0, 4.7)])).toEqual([])
  const late = there(900, 4.7, 3)
  late[5] = true
  expect(delaysOverTime([there(0, 4.7, 2), there(9, 4.7, null), late]).map(({ value }) => value)).toEqual([
    2,
    null,
    null,
    3
  ])
})

test('a distance is the same from both ends, none at the same place, and never more than half around the earth', () => {
  const place = fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true })
  })
  fc.assert(
    fc.property(place, place, (a, b) => {
      const apartM = distanceM(a, b)
      expect(apartM).toBeCloseTo(distanceM(b, a), 3)
      expect(apartM).toBeLessThanOrEqual(20_016_000)
      expect(distanceM(a, a)).toBe(0)
    })
  )
})
