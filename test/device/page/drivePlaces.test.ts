import { expect, it } from 'vitest'
import { drivePlaces } from '../../../renderer/device/readings/useTrack.ts'

it('a trip is drawn with its holes, and with the last place of each witness', () => {
  const drive = drivePlaces({
    device: [
      [1_000, 40, -3, 30, false],
      [2_000, 40.1, -3, 30, false],
      [9_000, 40.2, -3, 30, true]
    ],
    gateway: [[1_500, 40.05, -3, null, false]]
  })
  expect(drive.track).toEqual([[40, -3], [40.1, -3], null, [40.2, -3]])
  expect([drive.device?.latitude, drive.gateway?.latitude]).toEqual([40.2, 40.05])
  expect(drivePlaces({ device: [], gateway: [] })).toEqual({ track: [], device: null, gateway: null })
})
