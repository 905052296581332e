import { describe, expect, it } from 'vitest'
import { readFields } from '../../../../main/base/reading/fields.ts'
import { buildRequest } from '../../../../main/gateway/client/request/buildRequest.ts'
import { gatewayEndpoints, type Endpoint } from '../../../../main/gateway/client/request/endpointTable.ts'
import { vehicleCounters } from '../../../../main/gateway/client/records/data.ts'
import { associationsOf } from '../../../../main/gateway/client/vehicles/associations.ts'
import { hasLinkTo } from '../../../../main/gateway/client/vehicles/linkHistory.ts'
import { timeFromOutside } from '../../../../preload/gateway/events/timeFromOutside.ts'
import { readDeviceState } from '../../../../main/gateway/client/vehicles/deviceState.ts'
import { checkJson } from '../../../../main/base/reading/checkJson.ts'
import { simIdsOf } from '../../../../main/gateway/client/vehicles/installation.ts'
import { readTyres } from '../../../../main/gateway/client/decoders/tyrePressure.ts'
import { checkBaseAddress } from '../../../../main/gateway/client/transport/address.ts'
import { sameSim } from '../../../../main/base/reading/simNumber.ts'
import { speedFactor } from '../../../../main/gateway/client/decoders/fields.ts'

const atS = 1_795_867_200

describe('The last report in a device’s record at the gateway', () => {
  it('is told by the last message, the connection, the lines, the network or the arrival of the last event', () => {
    const at = (record: unknown) => readDeviceState(record).lastReportedAt
    const iso = '2026-11-28T12:00:00.410Z'
    expect(at({ lastrx: { msg_type: 10, value: atS, _epoch: atS + 0.41 } })).toBe(iso)
    expect(at({ connection: { online: true, _epoch: atS + 0.41 } })).toBe(iso)
    expect(at({ ios_state: { io_ign: false, _epoch: atS + 0.41 } })).toBe(iso)
    expect(at({ net_reg: { cf_rssi: 21, _epoch: atS + 0.41 } })).toBe(iso)
    expect(at({ latest: { loc: { evtime: atS - 2, systime: atS + 0.41 } } })).toBe(iso)
    expect(at({ latest: { loc: { event_time: '2026-11-28T11:59:58', system_time: '2026-11-28 12:00:00.410' } } })).toBe(
      iso
    )
    expect(at({ latest: { lastrx: { _epoch: atS + 0.41 } } })).toBe(iso)
    expect(at({ last_reported: '2026-11-28T12:00:00.410Z' })).toBe(iso)
    expect(at({ latest: { system_epoch: atS } })).toBe('2026-11-28T12:00:00.000Z')
  })

  it('is not the moment at which the gateway noticed that a device is gone', () => {
    expect(
      readDeviceState({ lastrx: { _epoch: atS }, connection: { online: false, _epoch: atS + 900 } })
    ).toMatchObject({ lastReportedAt: '2026-11-28T12:00:00.000Z', isOnline: false })
  })

  it('has the signal and the position of either form', () => {
    expect(
      readDeviceState({ net_reg: { cf_rssi: 21 }, latest: { loc: { valid: true, lat: 4.7, lon: -74.1 } } })
    ).toMatchObject({ signalDbm: -71, hasPosition: true })
    expect(
      readDeviceState({
        latest: { data: { cf_rssi: { value: '21', evtime: atS } }, loc: { valid: false, lat: 4.7, lon: -74.1 } }
      })
    ).toMatchObject({ signalDbm: -71, hasPosition: false })
    expect(readDeviceState({ latest: { loc: { valid_position: true, lat: 471_100, lon: -74.1 } } })).toMatchObject({
      hasPosition: false
    })
    expect(readDeviceState({ network: { cf_rssi: 99 } })).toMatchObject({
      signalDbm: null,
      hasPosition: null,
      lastReportedAt: null
    })
  })
})

describe('A time of the gateway', () => {
  it.each([
    ['2026-11-27 10:04:05', '2026-11-27T10:04:05.000Z'],
    ['2026-11-27T10:04:05', '2026-11-27T10:04:05.000Z'],
    ['2026-11-27T10:04:05.747017', '2026-11-27T10:04:05.747Z'],
    ['2026-11-27 10:04:05.7', '2026-11-27T10:04:05.700Z'],
    ['2026-11-27T10:04:05Z', '2026-11-27T10:04:05.000Z'],
    ['2026-11-27T10:04:05+00:00', '2026-11-27T10:04:05.000Z'],
    ['2026-11-27 05:04:05-0500', '2026-11-27T10:04:05.000Z'],
    ['2026-11-27 05:04:05 -05', '2026-11-27T10:04:05.000Z'],
    ['2026-11-27 10:04:05 UTC', '2026-11-27T10:04:05.000Z'],
    ['2026-11-27', '2026-11-27T00:00:00.000Z'],
    [atS + 0.41, '2026-11-28T12:00:00.410Z'],
    [atS * 1000, '2026-11-28T12:00:00.000Z'],
    [String(atS), '2026-11-28T12:00:00.000Z']
  ])('%s is %s in the zone of every computer', (told, read) => {
    const zone = process.env['TZ']
    try {
      for (const tz of ['UTC', 'America/Bogota', 'Asia/Kathmandu', 'Pacific/Chatham']) {
        process.env['TZ'] = tz
        expect(new Date(timeFromOutside(told) ?? NaN).toISOString()).toBe(read)
      }
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  })

  it.each([
    '2026-13-01 10:00:00',
    '2026-02-30T10:00:00',
    '2026-11-27 25:00:00',
    '2026-11-27T10:04:05 tomorrow',
    'soon',
    '',
    null,
    12,
    Infinity,
    {}
  ])('%j is none', (told) => {
    expect(timeFromOutside(told)).toBeUndefined()
  })
})

describe('The history of a vehicle with a flag for each change', () => {
  const fitted = 1_790_812_800
  const removed = 1_791_590_400
  const other = 1_791_763_200
  const rows = [
    { device: 861234000000011, time: fitted, id: 80, association: true, vehicle: 1007 },
    { device: 861234000000011, time: removed, id: 86, association: false, vehicle: 1007 },
    { device: 861234000000029, time: other, id: 90, association: true, vehicle: 1007 }
  ]
  const iso = (s: number) => new Date(s * 1000).toISOString()

  it('has an end where the flag is false', () => {
    expect(associationsOf({ associations: rows })).toEqual({
      isKnown: true,
      entries: [
        { kind: 'device', id: '861234000000029', name: null, from: iso(other), until: null },
        { kind: 'device', id: '861234000000011', name: null, from: iso(fitted), until: iso(removed) }
      ]
    })
  })

  it('is the same in any order, with the names vehicle_id and device_id, and with flags as text', () => {
    const renamed = rows.map(({ device, vehicle, association, ...row }) => ({
      ...row,
      device_id: device,
      vehicle_id: vehicle,
      association: String(association)
    }))
    expect(associationsOf({ associations: renamed.toReversed() })).toEqual(associationsOf({ associations: rows }))
  })

  it('keeps a removal whose beginning is not told', () => {
    expect(associationsOf({ associations: rows.slice(1, 2) }).entries).toEqual([
      { kind: 'device', id: '861234000000011', name: null, from: null, until: iso(removed) }
    ])
  })

  it('ends each of several stays of one device by its own removal', () => {
    const again = [
      ...rows,
      { device: 861234000000011, time: other + 500, id: 91, association: true, vehicle: 1007 },
      { device: 861234000000011, time: other + 900, id: 92, association: false, vehicle: 1007 }
    ]
    expect(
      associationsOf({ associations: again })
        .entries.filter(({ id }) => id === '861234000000011')
        .map(({ from, until }) => [from, until])
    ).toEqual([
      [iso(other + 500), iso(other + 900)],
      [iso(fitted), iso(removed)]
    ])
  })

  it('a removed asset is not linked', () => {
    expect(
      hasLinkTo({ associations: [{ secondary_id: 71, time: fitted, association: false }] }, 71, fitted * 1000)
    ).toMatchObject({ found: false })
    expect(
      hasLinkTo({ associations: [{ secondary_id: 71, time: fitted, association: true }] }, 71, fitted * 1000)
    ).toMatchObject({ found: true, sure: true })
  })
})

describe('Two numbers of a SIM', () => {
  it.each([
    ['8901260852291475879', '8901260852291475879'],
    ['890126085229147587', '8901260852291475879'],
    ['8901260852291475879F', '8901260852291475879'],
    ['8901260852291475879f', '890126085229147587'],
    ['981062802592415778F9', '8901260852291475879'],
    ['898600C5B72212345678', '898600c5b72212345678'],
    ['8901 2608-5229 1475879', '8901260852291475879'],
    ['89011005500000123453', '8901100550000012345']
  ])('%s and %s are of one card', (one, other) => {
    expect([sameSim(one, other), sameSim(other, one)]).toEqual([true, true])
  })

  it.each([
    ['898600B5C72212345678', '898600C5B72212345678'],
    ['890126085229147587', '8901260852291475887'],
    ['8901260852291475879', '8901260852291475887'],
    ['89011005500000123453', '890110055000001234'],
    ['', ''],
    ['NOT INSERTED', 'NOT INSERTED']
  ])('%s and %s are not', (one, other) => {
    expect([sameSim(one, other), sameSim(other, one)]).toEqual([false, false])
  })

  it('as a number in JSON keeps all its digits', () => {
    const read = checkJson('{"sim": {"iccid": 8901260852291475879}}')
    expect(simIdsOf(read.kind === 'json' ? read.value : null)).toEqual(['8901260852291475879'])
  })

  it('in every form is found in a device’s record', () => {
    expect(
      simIdsOf({
        network: { sim: '890126085229147587', imsi: '732101234567890' },
        sim: { iccid: '8901260852291475879F' },
        other: { sim_id: '898600C5B72212345678' }
      })
    ).toEqual(['890126085229147587', '8901260852291475879F', '898600C5B72212345678'])
  })
})

describe('Tyres of a monitor that pads nothing', () => {
  const event = {
    ecu_tires_psi: '019107,018103,03472,0335',
    ecu_tires_tmp: '01920,01819,03433,033-4',
    ecu_tpms_provision: '100404,01919,01818,03434,0335',
    ecu_tpms_conditions: '0341030141'
  }

  it('have every pressure and every sensor, also the under-inflated one', () => {
    const { pressuresPsi, temperaturesC, provision, unreadable } = readTyres(event)
    expect(pressuresPsi.map(({ location, psi }) => [location, psi])).toEqual([
      [19, 107],
      [18, 103],
      [34, 72],
      [33, 5]
    ])
    expect(temperaturesC.map(({ location, celsius }) => [location, celsius])).toEqual([
      [19, 20],
      [18, 19],
      [34, 33],
      [33, -4]
    ])
    expect(provision?.sensors.map(({ location, sensorId }) => [location, sensorId])).toEqual([
      [19, '19'],
      [18, '18'],
      [34, '34'],
      [33, '5']
    ])
    expect(unreadable).toEqual([])
  })

  it('have an alarm at the tyre that their conditions name, without a meaning that nobody documented', () => {
    expect(readTyres(event).warnings).toMatchObject([{ location: 34, axle: 2, position: 2, isAlarming: true }])
    expect(readTyres({ ...event, ecu_tpms_conditions: '0340000000' }).warnings).toMatchObject([
      { location: 34, isAlarming: false }
    ])
  })
})

describe('The address of a gateway', () => {
  it.each([
    ['https://fleet.example/api', 'https://fleet.example/api'],
    ['https://fleet.example/api/', 'https://fleet.example/api'],
    ['https://fleet.example', 'https://fleet.example/api'],
    ['https://fleet.example/', 'https://fleet.example/api'],
    ['https://api.fleet.example', 'https://api.fleet.example'],
    ['https://api.fleet.example/', 'https://api.fleet.example'],
    ['https://api.fleet.example/api', 'https://api.fleet.example/api']
  ])('%s is read as %s', (typed, base) => {
    expect(checkBaseAddress(typed, '/api')).toBe(base)
  })

  it('with another path is asked about', () => {
    expect(() => checkBaseAddress('https://fleet.example/login', '/api')).toThrow()
  })
})

describe('The unit of speeds in an answer', () => {
  it.each([
    [undefined, 3.6],
    ['meter/second', 3.6],
    ['m/s', 3.6],
    ['kph', 1],
    ['km/h', 1],
    ['km/hour', 1],
    ['mph', 1.609344],
    ['mile/hour', 1.609344],
    ['knot', null]
  ])('%s', (speed, factor) => {
    expect(speedFactor(speed === undefined ? undefined : { speed })).toBe(factor)
  })
})

describe('Counters with null', () => {
  it('have no value, and no problem', () => {
    const read = readFields(vehicleCounters, {
      user: null,
      vehicle: { plain: { dev_dist: 519_344_026, ecu_dist: null }, calculated: null, counters: null }
    })
    expect(read).toEqual({
      value: {
        user: null,
        vehicle: { plain: { dev_dist: 519_344_026, ecu_dist: null }, calculated: null, counters: null }
      },
      problems: []
    })
    expect(
      readFields(vehicleCounters, {
        user: [{ id: null, counter: null, description: null, value: null, offset: null, set_at: null }],
        vehicle: null
      })
    ).toMatchObject({ problems: [] })
  })
})

describe('A range of days that begins where it ends', () => {
  it('is sent from every zone', () => {
    const zone = process.env['TZ']
    try {
      for (const tz of ['UTC', 'America/Bogota', 'Asia/Kathmandu']) {
        process.env['TZ'] = tz
        expect(
          buildRequest(gatewayEndpoints.get('trips.list') as Endpoint, {
            from: '2026-11-28',
            to: '2026-11-28T03:00:00'
          }).query
        ).toContain('to=')
      }
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  })
})
