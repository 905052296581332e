import { expect, test, vi } from 'vitest'
import { effectScope } from 'vue'
import type { RoadPoint } from '../../../preload/contract/gateway/vehicles/vehicleRoad.ts'
import { readDayParts, sumDay, type Trip } from '../../../renderer/support/vehicle/track/dayParts.ts'
import { drawTrip, findDeviceOnly, speedClass } from '../../../renderer/support/vehicle/track/trackParts.ts'
import { useTripReplay } from '../../../renderer/support/vehicle/track/useTripReplay.ts'

const startMs = Date.UTC(2026, 10, 22, 7)
/** A point so many minutes and metres from the first. */
const point = (minute: number, northM: number, speedKmh: number | null = 0, isAfterSilence = false): RoadPoint => [
  startMs + minute * 60_000,
  40 + northM / 111_195,
  -3.7,
  speedKmh,
  1,
  isAfterSilence
]
const stand = (from: number, to: number, northM: number, jitterM = 0): RoadPoint[] =>
  Array.from({ length: to - from + 1 }, (_, n) => point(from + n, northM + (n % 2) * jitterM))
const drive = (from: number, to: number, fromM: number, toM: number, speedKmh = 40): RoadPoint[] =>
  Array.from({ length: to - from }, (_, n) =>
    point(from + n, fromM + ((toM - fromM) * (n + 1)) / (to - from + 1), speedKmh)
  )

test('a day is read as stops and trips in turn', () => {
  const points = [
    ...stand(0, 10, 0),
    ...drive(11, 16, 0, 3_000, 52),
    ...stand(16, 40, 3_000),
    ...drive(41, 45, 3_000, 5_000),
    ...stand(45, 60, 5_000)
  ]
  const parts = readDayParts(points)
  expect(parts.map(({ kind }) => kind)).toEqual(['stop', 'trip', 'stop', 'trip', 'stop'])
  const [first, second] = parts.filter((part) => part.kind === 'trip')
  expect(first).toMatchObject({ fromMs: startMs + 10 * 60_000, toMs: startMs + 16 * 60_000, maxKmh: 52, gaps: [] })
  expect(Math.round(first?.distanceM ?? 0)).toBe(3_000)
  expect(Math.round(second?.distanceM ?? 0)).toBe(2_000)
  const sums = sumDay(parts)
  expect({ ...sums, drivenM: Math.round(sums.drivenM) }).toEqual({
    trips: 2,
    stops: 3,
    drivenM: 5_000,
    movingMs: 11 * 60_000
  })
})

test('an hour at one place is one stop and no trip, however the receiver wanders', () => {
  for (const jitterM of [0, 8, 45]) {
    const parts = readDayParts(stand(0, 60, 0, jitterM))
    expect(parts.map(({ kind }) => kind)).toEqual(['stop'])
    expect(sumDay(parts)).toEqual({ trips: 0, stops: 1, drivenM: 0, movingMs: 0 })
  }
  expect(readDayParts([point(0, 0)]).map(({ kind }) => kind)).toEqual(['stop'])
  expect(readDayParts([])).toEqual([])
})

test('a red light is no stop, and a stop that the vehicle only jumped within is one', () => {
  const light = [...drive(0, 5, 0, 2_000), ...stand(5, 7, 2_000), ...drive(8, 12, 2_000, 4_000)]
  expect(readDayParts(light).map(({ kind }) => kind)).toEqual(['trip'])
  const jumped = [...stand(0, 10, 0), point(11, 70), ...stand(12, 20, 70)]
  expect(readDayParts(jumped).map(({ kind }) => kind)).toEqual(['stop'])
})

test('a time without positions on a trip is a gap of it; at a stop it is standing', () => {
  const points = [
    ...stand(0, 5, 0),
    ...drive(6, 9, 0, 1_000),
    point(30, 8_000, 40, true),
    ...stand(31, 36, 8_500),
    point(300, 8_500, 0, true),
    ...stand(301, 305, 8_500)
  ]
  const parts = readDayParts(points)
  expect(parts.map(({ kind }) => kind)).toEqual(['stop', 'trip', 'stop'])
  expect((parts[1] as Trip).gaps).toEqual([{ fromMs: startMs + 8 * 60_000, toMs: startMs + 30 * 60_000, after: 8 }])
  expect(parts[2]?.toMs).toBe(startMs + 305 * 60_000)
})

test('the map gets one line for each class of speed, and none that joins a gap', () => {
  const points = [
    point(0, 0, 10),
    point(1, 100, 10),
    point(2, 900, 60),
    point(3, 1_800, 60),
    point(30, 9_000, 60, true)
  ]
  const trip: Trip = {
    kind: 'trip',
    fromMs: startMs,
    toMs: startMs + 30 * 60_000,
    first: 0,
    last: 4,
    distanceM: 9_000,
    maxKmh: 60,
    gaps: [{ fromMs: startMs + 180_000, toMs: startMs + 1_800_000, after: 3 }]
  }
  const session = [5, 6, 7, 40].map((minute): [number, number, number, number, boolean] => [
    startMs + minute * 60_000,
    40.01,
    -3.7,
    50,
    false
  ])
  const deviceOnly = findDeviceOnly(trip.gaps, session)
  const parts = drawTrip(
    { trip, isFaint: false, deviceOnly },
    { points, units: 'metric', sayDeviceOnly: (ms) => `${ms / 60_000} min` }
  )
  expect(parts.map(({ kind, places, text }) => [kind, places.length, text])).toEqual([
    [0, 2, undefined],
    [1, 2, undefined],
    [2, 2, undefined],
    ['unknown', 2, undefined],
    ['deviceOnly', 3, '2 min']
  ])
  expect([20, 20.1, 81].map((speedKmh) => speedClass(speedKmh, 'metric'))).toEqual([0, 1, 3])
  expect([24, 25].map((speedKmh) => speedClass(speedKmh, 'imperial'))).toEqual([0, 1])
})

test('a replay goes from trip to trip, and the stop between them takes no time', () => {
  vi.useFakeTimers()
  try {
    const trip = (fromS: number, toS: number): Trip => ({
      kind: 'trip',
      fromMs: startMs + fromS * 1_000,
      toMs: startMs + toS * 1_000,
      first: 0,
      last: 1,
      distanceM: 500,
      maxKmh: null,
      gaps: []
    })
    const trips = [trip(0, 60), trip(3_600, 3_660)]
    const scope = effectScope()
    const replay = scope.run(() => useTripReplay(() => trips))
    if (!replay) throw new Error('no replay')
    replay.toggle()
    expect(replay.at.value).toMatchObject({ index: 0, atMs: startMs })
    vi.advanceTimersByTime(5_900)
    expect(replay.at.value).toMatchObject({ index: 0, atMs: startMs + 59_000 })
    vi.advanceTimersByTime(200)
    expect(replay.at.value).toMatchObject({ index: 1, atMs: startMs + 3_600_000 })
    vi.advanceTimersByTime(10_000)
    expect(replay.at.value).toBeNull()
    expect(replay.isPlaying.value).toBe(false)
    replay.showTrip(trips[1] as Trip)
    expect(replay.at.value).toMatchObject({ index: 1, atMs: startMs + 3_600_000 })
    scope.stop()
  } finally {
    vi.useRealTimers()
  }
})
