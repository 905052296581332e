import { expect, test } from 'vitest'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

test('what is remembered of a device is added to, and what is not said again stays', () => {
  const { knownDevices } = openTestStore(tempFolder())
  knownDevices.remember({
    imei: '356938035643809',
    model: 'ft4',
    lastSeenAt: '2026-03-01T10:00:00.000Z',
    lastVehicle: 'Truck 1'
  })
  knownDevices.remember({
    imei: '356938035643809',
    model: 'ft4',
    lastSeenAt: '2026-03-02T10:00:00.000Z',
    lastAddress: '10.0.0.7:80'
  })
  knownDevices.remember({ imei: '490154203237518', model: 'ft2', lastSeenAt: '2026-03-03T10:00:00.000Z' })

  expect(knownDevices.find('356938035643809')).toEqual({
    imei: '356938035643809',
    model: 'ft4',
    label: '',
    lastVehicle: 'Truck 1',
    lastAddress: '10.0.0.7:80',
    lastJobAt: null,
    lastSeenAt: '2026-03-02T10:00:00.000Z'
  })
  expect(knownDevices.page({ limit: 10, without: [] }).devices.map(({ imei }) => imei)).toEqual([
    '490154203237518',
    '356938035643809'
  ])
  expect(knownDevices.find('000000000000000')).toBeUndefined()
})

test('known devices are read by page, last seen first, without those that are here', () => {
  const { knownDevices } = openTestStore(tempFolder())
  const imeis = Array.from({ length: 7 }, (_, index) => `86123400000${index}000`)
  // Two of them were seen at the same moment.
  for (const [index, imei] of imeis.entries())
    knownDevices.remember({ imei, model: 'ft4', lastSeenAt: `2026-03-0${Math.max(2, index)}T10:00:00.000Z` })
  const without = [imeis[6] ?? '']
  const first = knownDevices.page({ limit: 4, without })
  expect(first).toMatchObject({
    devices: [5, 4, 3, 2].map((index) => ({ imei: imeis[index] })),
    total: 6,
    next: expect.any(String)
  })
  const second = knownDevices.page({ after: first.next ?? '', limit: 4, without })
  expect(second).toMatchObject({ devices: [{ imei: imeis[1] }, { imei: imeis[0] }], total: 6, next: null })
  expect(knownDevices.page({ limit: 6, without })).toMatchObject({ next: null })
})
