import { expect, test } from 'vitest'
import { associationsOf } from '../../../../main/gateway/client/vehicles/associations.ts'
import { isInsideFence } from '../../../../preload/base/maps/geofence.ts'
import { toVehicleLine } from '../../../../main/gateway/client/vehicles/vehicleLine.ts'
import { changedFields } from '../../../../main/gateway/client/vehicles/vehicles.ts'

const imei = '356938035643809'

test.each([
  [
    'lists by kind',
    {
      associations: [{ primary_id: 1, secondary_id: 9, start: 1_760_000_100, end: null }],
      devices: [{ imei: Number(imei), start: 1_760_000_000, end: 1_760_000_050 }]
    }
  ],
  [
    'one list',
    {
      history: [
        { device: Number(imei), from: '2025-10-09T08:53:20', to: '2025-10-09T08:54:10' },
        { entity: 9, from: '2025-10-09T08:55:00', to: null }
      ]
    }
  ],
  [
    'a record of lists',
    {
      association_history: {
        entities: [{ secondary: 9, associated_at: 1_760_000_100, deassociated_at: null }],
        device: [{ device_id: imei, associated_at: 1_760_000_000, deassociated_at: 1_760_000_050 }]
      }
    }
  ]
])('an association history in %s is read newest first', (_, more) => {
  const { entries, isKnown } = associationsOf({ id: 1, name: 'Unit 1', groups: [1], ...more })
  expect(isKnown).toBe(true)
  expect(entries).toEqual([
    { kind: 'asset', id: '9', name: null, from: '2025-10-09T08:55:00.000Z', until: null },
    { kind: 'device', id: imei, name: null, from: '2025-10-09T08:53:20.000Z', until: '2025-10-09T08:54:10.000Z' }
  ])
})

test('a record without a history is told apart from an empty one', () => {
  expect(associationsOf({ id: 1, info: { tags: [{ id: 3 }] } })).toEqual({ entries: [], isKnown: false })
  expect(associationsOf({ id: 1, association_history: { entities: [] } })).toEqual({ entries: [], isKnown: true })
})

test('plate, VIN, device and groups are found where they stand', () => {
  const line = toVehicleLine({
    id: 5,
    name: 'Unit 5',
    info: { 'license plate': 'AB 1', chassisNumber: 'YV2', VIN: 'YV2RT40A1' },
    device: { imei: Number(imei) },
    groups: [1, { id: 2 }]
  })
  expect(line).toMatchObject({ plate: 'AB 1', vin: 'YV2', imei, groups: [1, 2] })
  expect(toVehicleLine({ name: 'no id' } as never)).toBeUndefined()
})

test('what an update changed is told, without the device and the history', () => {
  const before = { id: 1, name: 'A', info: { a: 1 }, device: null, association_history: [] }
  expect(changedFields(before, { ...before, device: 7, association_history: [1] })).toEqual([])
  expect(changedFields(before, { ...before, name: 'B', info: {} })).toEqual([
    { field: 'name', before: 'A', after: 'B' },
    { field: 'info', before: { a: 1 }, after: {} }
  ])
})

test('a position is inside a polygon but not in its hole, inside a circle by meters, and near a line by its radius', () => {
  const square = (size: number): [number, number][] => [
    [-size, -size],
    [size, -size],
    [size, size],
    [-size, size],
    [-size, -size]
  ]
  const polygon = { type: 'Polygon', rings: [square(2), square(1)] } as const
  expect(
    [
      [1.5, 0],
      [0.5, 0],
      [2.5, 0]
    ].map((at) => isInsideFence(polygon, at as [number, number]))
  ).toEqual([true, false, false])
  const circle = { type: 'Circle', center: [0, 0], radiusM: 1000 } as const
  expect(isInsideFence(circle, [0.0089, 0])).toBe(true)
  expect(isInsideFence(circle, [0.0091, 0])).toBe(false)
  const line = {
    type: 'LineString',
    points: [
      [0, 0],
      [1, 0]
    ],
    radiusM: 100
  } as const
  expect(isInsideFence(line, [0.5, 0.0008])).toBe(true)
  expect(isInsideFence(line, [0.5, 0.001])).toBe(false)
  expect(isInsideFence(line, [-0.01, 0])).toBe(false)
})
