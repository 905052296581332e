import { expect, test } from 'vitest'
import { compareRows, type DeviceSays, type GatewaySays } from '../../../main/workspace/compareRows.ts'
import type { CompareId } from '../../../preload/contract/deviceCompare.ts'

const limits = { signalPassDbm: -90, signalWarnDbm: -100, satellitesPass: 6, satellitesWarn: 4, hdopPass: 1.5, delayPassS: 30, eventAgeWarnS: 300, apartPassM: 50, apartWarnM: 200 }
const nowMs = Date.parse('2026-11-21T12:00:00Z')
const place = { latitude: 4.711, longitude: -74.0721 }
const device: DeviceSays = {
  imei: '867698040023056',
  isNamed: true,
  simId: '8957000000000000001',
  place,
  satellites: 11,
  speedKmh: 0,
  lines: { PWR: true, IGN: true },
  lineSinceMs: new Map([['IGN', nowMs - 900_000]]),
  signalDbm: -80,
  clockOffS: 0
}
const event = { atMs: nowMs - 5_000, ageS: 5, place, satellites: 11, speedKmh: 0 }
const gateway: GatewaySays = { imei: device.imei, sim: { id: '89570000000000000019' }, event, signal: { dBm: -83, atMs: nowMs - 5_000, ageS: 5 }, lines: undefined, clockOffS: 0, drivenM: 84_120_000 }
const relation = (id: CompareId, here: Partial<DeviceSays>, there: Partial<GatewaySays>) => compareRows({ ...device, ...here }, { ...gateway, ...there }, limits).find((row) => row.id === id)?.relation
const ignitionOff = (ageS: number) => ({ lines: { values: new Map([['io_ign', false]]), atMs: nowMs - ageS * 1000, ageS } })

test.each([
  ['heard while it was so', { sinceS: 900, ageS: 5 }, 'differ'],
  ['heard while it was so, but too long ago to be about now', { sinceS: 900, ageS: 301 }, 'old'],
  ['heard before it changed here', { sinceS: 100, ageS: 200 }, 'old']
])('a line that the gateway shows otherwise, %s', (_, { sinceS, ageS }, expected) => {
  expect(relation('ignition', { lineSinceMs: new Map([['IGN', nowMs - sinceS * 1000]]) }, ignitionOff(ageS))).toBe(expected)
})

test('a SIM whose check digit one of both leaves out is the same, and one that the gateway only knows is no other one', () => {
  expect(relation('sim', {}, {})).toBe('agree')
  expect(relation('sim', {}, { sim: 'known' })).toBe('agree')
  expect(relation('sim', {}, { sim: { id: '8957000000000000999' } })).toBe('differ')
  expect(relation('sim', {}, { sim: undefined })).toBe('deviceOnly')
})

test('two places are one by the limit of the profile, and of a vehicle that drives they are of two moments', () => {
  const apart = { event: { ...event, place: { latitude: 4.7119, longitude: -74.0721 } } }
  expect(relation('position', {}, {})).toBe('agree')
  expect(relation('position', {}, apart)).toBe('differ')
  expect(relation('position', { speedKmh: 40 }, apart)).toBe('old')
  expect(relation('position', {}, { event: { ...event, ageS: 301 } })).toBe('old')
  expect(relation('position', { place: undefined }, {})).toBe('gatewayOnly')
})

test('a device whose own names are of another one differs from its record', () => {
  expect(relation('identity', {}, {})).toBe('agree')
  expect(relation('identity', { isNamed: false }, {})).toBe('differ')
  expect(relation('identity', {}, { imei: '867698040023064' })).toBe('differ')
})

test('what neither of both can say is no row of a mark', () => {
  expect(relation('satellites', { satellites: undefined }, { event: undefined })).toBe('neither')
  expect(relation('engine', { lines: { TIG: true } }, {})).toBe('deviceOnly')
})
