import { expect, it } from 'vitest'
import { deviceOfEvent, isEventOfDevice } from '../../../../main/base/reading/eventOfDevice.ts'

const imei = '867698040023056'

it.each<[raw: unknown, named: string | null]>([
  [{ device_id: Number(imei) }, imei],
  [{ device_id: imei }, imei],
  [{ device_id: 356938035643809 }, '356938035643809'],
  [{ device_id: '' }, null],
  [{ device_id: null }, null],
  [{ device_id: { id: imei } }, null],
  [{ vid: 7 }, null],
  [null, null],
  ['text', null]
])('%j names the device %s', (raw, named) => {
  expect(deviceOfEvent(raw)).toBe(named)
  expect(isEventOfDevice({ raw }, imei)).toBe(named === imei)
  expect(isEventOfDevice({ imei: named }, imei)).toBe(named === imei)
})

it('nothing is of a device that nobody knows', () => {
  expect(isEventOfDevice({ imei: null }, null)).toBe(false)
  expect(isEventOfDevice({ raw: {} }, null)).toBe(false)
})
