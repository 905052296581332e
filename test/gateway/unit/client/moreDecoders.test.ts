import { expect, test } from 'vitest'
import { assistanceLabels, readAssistance } from '../../../../main/gateway/client/decoders/assistance.ts'
import { readRouteState } from '../../../../main/gateway/client/vehicles/journeys.ts'
import { readTrip } from '../../../../main/gateway/client/decoders/trip.ts'

test('all 20 labels of the driver-assistance camera have a text in both languages', () => {
  expect(Object.keys(assistanceLabels)).toHaveLength(20)
  for (const { en, es } of Object.values(assistanceLabels)) expect([en.length > 3, es.length > 3]).toEqual([true, true])
})
test('values of the driver-assistance camera come with the units of the document', () => {
  expect(
    readAssistance({ adas_distance_from_front_vehicle: 32, adas_headway_measurement: 2.4, adas_speed: null })
  ).toEqual([
    { name: 'adas_distance_from_front_vehicle', value: 32, unit: 'm' },
    { name: 'adas_headway_measurement', value: 2.4, unit: 's' }
  ])
})
test.each([
  [null, 'neverOn'],
  [true, 'left'],
  [false, 'kept']
] as const)('exited_path %s is %s', (exited_path, path) => {
  expect(readRouteState({ exited_path, finalized: true, finalized_cpt: 2, start_epoch: 1_700_000_000 })).toMatchObject({
    path,
    isFinal: true,
    checkpointsDone: 2,
    startMs: 1_700_000_000_000
  })
})
test('a trip moves, a stop does not; the mean speed is distance over duration', () => {
  expect(readTrip({ moving: true, distance: 1_000, duration: 100 })).toMatchObject({ kind: 'trip', meanSpeedMs: 10 })
  expect(readTrip({ moving: false, duration: 0, distance: 0 })).toMatchObject({ kind: 'stop', meanSpeedMs: null })
  expect(readTrip({}).kind).toBe('unknown')
})
