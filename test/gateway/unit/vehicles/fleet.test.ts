import { expect, test } from 'vitest'
import type { CopiedState } from '../../../../main/gateway/localCopy/copiedState.ts'
import { kindsOfCopy, type Copied } from '../../../../main/gateway/localCopy/kinds.ts'
import { readDeviceState } from '../../../../main/gateway/client/vehicles/deviceState.ts'
import { noGaps } from '../../../../preload/gateway/reporting.ts'
import { readFleet, stateOfVehicle } from '../../../../main/gateway/vehicles/fleet.ts'

const at = (hours: number) => new Date(Date.parse('2026-11-20T12:00:00Z') + hours * 3_600_000).toISOString()
const state = (own: Partial<CopiedState>): CopiedState => ({
  readAt: at(0),
  gatewayAt: own.readAt ?? at(0),
  lastReportedAt: at(0),
  hasPower: true,
  hasPosition: true,
  signalDbm: -71,
  isDriving: null,
  gapsS: noGaps,
  rhythm: null,
  since: {},
  ...own
})
const vehicle = (id: number, imei: string | null, groups = [1]): Copied['vehicles'] => ({
  id,
  name: `Unit ${String(id)}`,
  plate: null,
  vin: null,
  imei,
  groups,
  info: {}
})

function fleetOf(vehicles: Copied['vehicles'][], devices: Record<string, CopiedState>) {
  const records = { vehicles, devices: Object.entries(devices).map(([imei, state]) => ({ imei, simIds: [], state })) }
  return readFleet({
    async *parts(kind) {
      yield records[kind as keyof typeof records] as never
    }
  })
}

test('what needs attention is sorted by since when, and each condition is counted', async () => {
  const fleet = await fleetOf(
    [vehicle(1, 'a'), vehicle(2, 'b', [2]), vehicle(3, 'c'), vehicle(4, null), vehicle(5, 'e')],
    {
      a: state({ since: { noPosition: at(-3) } }),
      b: state({ lastReportedAt: at(-90), since: { noPower: at(-90) } }),
      c: state({ lastReportedAt: at(-30) }),
      e: state({})
    }
  )
  expect(fleet.ids('attention', null)).toEqual([2, 3, 1])
  expect(fleet.counts(null)).toEqual({
    attention: 3,
    noPower: 1,
    silent: 2,
    noPosition: 1,
    weakSignal: 0,
    reports: 2,
    unknown: 0,
    noDevice: 1,
    all: 5
  })
  expect(fleet.ids('silent', 1)).toEqual([3])
  expect(fleet.counts(2)).toMatchObject({ attention: 1, all: 1 })
  expect(fleet.groups).toEqual([1, 2])
})

test('an unknown value is no condition: no record, a device that never reported', async () => {
  const fleet = await fleetOf([vehicle(1, 'a'), vehicle(3, 'c')], {
    c: state({ lastReportedAt: null, hasPower: null, hasPosition: null, signalDbm: null })
  })
  expect(fleet.counts(null)).toMatchObject({ attention: 0, reports: 0, unknown: 2, all: 2 })
  expect(fleet.isKnown).toBe(true)
  // A count of what no record shows would be a zero that nobody has seen.
  expect(fleet.known).toMatchObject({ attention: 1, silent: 0, reports: 0, noPower: 0, noPosition: 0, weakSignal: 0 })
  expect(fleet.unknown).toEqual({ notRead: 1, notShown: 1, noRhythm: 0 })
})

test('before a device was copied, nobody knows which vehicles need attention', async () => {
  expect((await fleetOf([vehicle(1, 'a')], {})).isKnown).toBe(false)
})

test('a copy that grows old makes nobody silent, and only silence knows since when', () => {
  expect(
    stateOfVehicle(
      { imei: 'a' },
      state({ readAt: '2020-01-02T00:00:00.000Z', lastReportedAt: '2020-01-01T23:00:00.000Z' })
    ).conditions
  ).toEqual([])
  expect(stateOfVehicle({ imei: 'a' }, state({ lastReportedAt: at(-50) }))).toMatchObject({
    conditions: ['silent'],
    since: at(-50),
    isSinceKnown: true
  })
  expect(stateOfVehicle({ imei: 'a' }, state({ since: { noPower: at(-2) } }))).toMatchObject({
    conditions: ['noPower'],
    since: at(-2),
    isSinceKnown: false
  })
})

test('the record of a device tells power, position, signal and last report, under documented names only', () => {
  const record = {
    imei: 1,
    last_reported: '2026-11-20T10:00:00',
    ios_state: { io_pwr: false, io_ign: false },
    latest: { loc: { valid_position: false } },
    network: { cf_rssi: 2 },
    connection: { online: true }
  }
  expect(readDeviceState(record)).toEqual({
    lastReportedAt: '2026-11-20T10:00:00.000Z',
    isOnline: true,
    isDriving: false,
    hasPower: false,
    hasPosition: false,
    signalDbm: -109
  })
  expect(readDeviceState({ imei: 1, latest: null, power: 'off', network: { rssi: 2 } })).toEqual({
    lastReportedAt: null,
    isOnline: null,
    isDriving: null,
    hasPower: null,
    hasPosition: null,
    signalDbm: null
  })
})

test('a condition keeps the time of the report that first showed it, until a copy does not show it', () => {
  const devices = kindsOfCopy.find(({ kind }) => kind === 'devices')
  const copy = (hour: number, power: boolean, before: unknown) =>
    (
      devices?.toRow(
        { imei: 7, last_reported: at(hour), ios_state: { io_pwr: power } },
        { at: at(hour), gatewayAt: at(hour), before: () => before }
      )?.record as Copied['devices']
    ).state
  const first = copy(-8, false, undefined)
  const second = copy(-4, false, { imei: '7', simIds: [], state: first })
  const third = copy(-2, true, { imei: '7', simIds: [], state: second })
  expect([first?.since, second?.since, third?.since]).toEqual([{ noPower: at(-8) }, { noPower: at(-8) }, {}])
})

test('silent vehicles are sorted and counted by how long they have been silent, whatever else is wrong with them', async () => {
  const nowMs = Date.parse(at(0))
  const fleet = await fleetOf([vehicle(1, 'a'), vehicle(2, 'b'), vehicle(3, 'c'), vehicle(4, 'd'), vehicle(5, null)], {
    a: state({ lastReportedAt: at(-30), since: { noPower: at(-2_000) } }),
    b: state({ lastReportedAt: at(-8 * 24) }),
    c: state({ lastReportedAt: at(-29 * 24) }),
    d: state({ since: { noPower: at(-90) } })
  })
  expect(fleet.silent('all', nowMs)).toEqual([3, 2, 1])
  expect(fleet.silentCounts(nowMs)).toEqual({ all: 3, week: 1, month: 1, longer: 1 })
  expect([fleet.silent('week', nowMs), fleet.silent('month', nowMs), fleet.silent('longer', nowMs)]).toEqual([
    [1],
    [2],
    [3]
  ])
})
