import { expect, test } from 'vitest'
import { openTestStore } from '../../support/storedJobs.ts'
import { tempFolder } from '../../support/tempFolder.ts'

test('what is remembered of a device is added to, and what is not said again stays', () => {
  const { knownDevices } = openTestStore(tempFolder())
  knownDevices.remember({ imei: '356938035643809', model: 'ft4', lastSeenAt: '2026-03-01T10:00:00.000Z', lastVehicle: 'Truck 1' })
  knownDevices.remember({ imei: '356938035643809', model: 'ft4', lastSeenAt: '2026-03-02T10:00:00.000Z', lastAddress: '10.0.0.7:80' })
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
  expect(knownDevices.all().map(({ imei }) => imei)).toEqual(['490154203237518', '356938035643809'])
  expect(knownDevices.find('000000000000000')).toBeUndefined()
})
