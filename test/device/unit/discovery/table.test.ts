import { describe, expect, test } from 'vitest'
import { placesOf } from '../../../../main/device/discovery/prober.ts'
import { readProbeAnswer, type ProbeResult } from '../../../../main/device/discovery/probe.ts'
import { readAnnouncedName } from '../../../../preload/contract/base/imei.ts'
import type { DeviceEntry, Sighting } from '../../../../main/device/discovery/sighting.ts'
import { SightingTable, mostDevices, standingOf } from '../../../../main/device/discovery/table.ts'
import { imeiOf } from '../../../world/device/mdnsLab.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { english } from '../../../world/window/english.ts'

const imei = imeiOf(1)
let clockMs = 0

function newTable(): SightingTable {
  clockMs = 0
  return new SightingTable({ nowMs: () => clockMs, now: () => new Date(clockMs) })
}

function sighting(args: Partial<Sighting> & { address?: string } = {}): Sighting {
  const { address = '10.9.1.1', ...rest } = args
  const hostname = rest.hostname === undefined ? `ft4-${imei}.local` : rest.hostname
  return {
    id: `${rest.card ?? 'eth0'} ${hostname}`,
    hostname,
    card: 'eth0',
    via: 'mdns',
    addresses: [{ address, heardAtMs: clockMs, isLeaving: false }],
    ports: [8080],
    heardAtMs: clockMs,
    isGone: false,
    ...rest
  }
}

function see(table: SightingTable, args: Partial<Sighting> & { address?: string } = {}): DeviceEntry {
  const entry = table.see(sighting(args))
  if (!entry) throw new Error('The table took nothing in.')
  return entry
}

const own: ProbeResult = { kind: 'device', hostname: `FT4-${imei}`, osVersion: '4.2' }
const at = { address: '10.9.1.1', port: 8080 }

describe('The table of devices', () => {
  test('one device heard on two cards is shown once, with both addresses, the one that answered first', () => {
    const table = newTable()
    see(table)
    const entry = see(table, { card: 'wlan0', address: '192.168.8.1' })
    table.answered(entry, own, { address: '192.168.8.1', port: 8080 })
    expect(table.showAll()).toHaveLength(1)
    expect(table.showAll()[0]).toMatchObject({
      key: imei,
      standing: 'verified',
      card: 'wlan0',
      addresses: ['192.168.8.1', '10.9.1.1']
    })
  })

  test('two hosts with one IMEI are a conflict, named, until one of them is gone', () => {
    const table = newTable()
    const entry = see(table)
    see(table, { hostname: `ft5-${imei}.local`, address: '10.9.1.2' })
    table.answered(entry, own, at)
    expect(table.show(entry)).toMatchObject({
      standing: 'conflict',
      verified: false,
      detail: message('discovery.twoHosts', { hosts: [`ft4-${imei}`, `ft5-${imei}`] })
    })
    table.leave(`eth0 ft5-${imei}.local`, 'goodbye')
    expect(table.show(entry).standing).toBe('verified')
  })

  test('two devices with one name at two addresses of one card are a conflict before anyone signed in', () => {
    const table = newTable()
    const entry = see(table, { competing: ['10.9.1.1', '10.9.1.2'] })
    table.answered(entry, { kind: 'needsSignIn' }, at)
    expect(table.show(entry)).toMatchObject({
      standing: 'conflict',
      verified: false,
      detail: message('discovery.twoAddresses', { addresses: ['10.9.1.1', '10.9.1.2'] })
    })
    see(table, { competing: [] })
    expect(table.show(entry).standing).toBe('needsSignIn')
  })

  test('a host that had to rename itself because of the IMEI is a conflict, before and after the first is seen', () => {
    const table = newTable()
    const renamedTo = `ft4-${imei}-2.local`
    see(table, { id: 'eth0 rival', renamedTo, address: '10.9.1.2' })
    expect(table.showAll()).toMatchObject([{ imei, standing: 'found', addresses: ['10.9.1.2'] }])
    const entry = see(table)
    expect(table.show(entry)).toMatchObject({ standing: 'conflict', addresses: ['10.9.1.1'] })
    table.leave('eth0 rival', 'goodbye')
    expect(table.show(entry).standing).toBe('found')
    see(table, { id: 'eth0 rival', renamedTo, address: '10.9.1.1' })
    expect(table.showAll()).toMatchObject([{ standing: 'found', addresses: ['10.9.1.1'] }])
  })

  test.each<[ProbeResult, string]>([
    [own, 'verified'],
    [{ kind: 'device', hostname: `ft4-${imeiOf(2)}`, osVersion: null }, 'impostor'],
    [{ kind: 'needsSignIn' }, 'needsSignIn'],
    [{ kind: 'wrongService', detail: message('discovery.otherStatus', { status: 404 }) }, 'wrongService'],
    [{ kind: 'unreachable', detail: message('discovery.portClosed', { port: 8080 }), refused: true }, 'found']
  ])('an answer %o makes it %s', (result, standing) => {
    const table = newTable()
    const entry = see(table)
    expect(standingOf(entry).standing).toBe('found')
    table.answered(entry, result, at)
    expect(table.show(entry)).toMatchObject({ standing, verified: standing === 'verified' })
    expect(english(table.show(entry).detail)).toMatch(/\.$/)
  })

  test('a verified device is shown as it spells its own name', () => {
    const table = newTable()
    const entry = see(table, { hostname: `tx-9-${imei}.local` })
    table.answered(entry, { kind: 'device', hostname: `TX-9-${imei}`, osVersion: null }, at)
    expect(table.show(entry)).toMatchObject({ standing: 'verified', hostname: `TX-9-${imei}`, model: 'TX-9' })
  })

  test('an answer from an address that a person gave is answering, not verified: no name was there to hold it against', () => {
    const table = newTable()
    const entry = see(table, { id: 'address 10.9.1.1:8080', hostname: null, via: 'address' })
    table.answered(entry, own, at)
    expect(table.show(entry)).toMatchObject({ key: '10.9.1.1:8080', imei, standing: 'answering', verified: false })
  })

  test('an address entry becomes the device when its name is heard', () => {
    const table = newTable()
    const entry = see(table, { id: 'address 10.9.1.1:8080', hostname: null, via: 'address' })
    table.answered(entry, { kind: 'needsSignIn' }, at)
    clockMs = 4000
    see(table)
    expect(table.showAll().map((item) => [item.key, item.firstSeenMs])).toEqual([[imei, 0]])
  })

  test('a device that came back is found again, and must answer anew', () => {
    const table = newTable()
    const entry = see(table)
    table.answered(entry, own, at)
    table.leave(`eth0 ft4-${imei}.local`, 'goodbye')
    expect(table.show(entry)).toMatchObject({ standing: 'lost', verified: false })
    see(table)
    expect(table.show(entry).standing).toBe('found')
  })

  test('a new address goes before the one that it replaces, although that one answered', () => {
    const table = newTable()
    const entry = see(table)
    table.answered(entry, own, at)
    see(table, {
      addresses: [
        { address: '10.9.1.1', heardAtMs: 0, isLeaving: true },
        { address: '10.9.1.2', heardAtMs: 10, isLeaving: false }
      ]
    })
    expect(table.show(entry).addresses).toEqual(['10.9.1.2', '10.9.1.1'])
    expect(placesOf(entry)[0]).toEqual({ address: '10.9.1.2', port: 8080 })
  })

  test('link-local IPv6 is used only where there is no IPv4', () => {
    const table = newTable()
    const entry = see(table, { addresses: [{ address: 'fe80::1%eth0', heardAtMs: 1, isLeaving: false }] })
    expect(table.show(entry).addresses).toEqual(['fe80::1%eth0'])
    see(table, {
      addresses: [
        { address: 'fe80::1%eth0', heardAtMs: 1, isLeaving: false },
        { address: '10.9.1.1', heardAtMs: 1, isLeaving: false }
      ]
    })
    expect(table.show(entry).addresses).toEqual(['10.9.1.1'])
  })

  test('a public address that was only announced is never asked, one that a person gave is', () => {
    const table = newTable()
    expect(placesOf(see(table, { address: '8.8.8.8' }))).toEqual([])
    expect(
      placesOf(see(table, { id: 'address 9.9.9.9:8080', hostname: null, via: 'address', address: '9.9.9.9' }))
    ).toEqual([{ address: '9.9.9.9', port: 8080 }])
  })

  test('the announced port comes before 8080, and on this machine it is the only one', () => {
    const table = newTable()
    expect(placesOf(see(table, { ports: [9000] })).map((place) => place.port)).toEqual([9000, 8080])
    expect(
      placesOf(
        see(table, { hostname: `ft4-${imeiOf(2)}.local`, address: '127.0.0.1', card: 'lo', ports: [41000] })
      ).map((place) => place.port)
    ).toEqual([41000])
  })

  test('a flood of names ends at the limit of the table', () => {
    const table = newTable()
    for (let number = 0; number < mostDevices + 50; number += 1)
      table.see(sighting({ hostname: `ft4-${imeiOf(number)}.local` }))
    expect(table.entries()).toHaveLength(mostDevices)
  })

  test('what is known of a device is shown with it', () => {
    const table = new SightingTable({
      nowMs: () => 0,
      now: () => new Date(0),
      find: (asked) =>
        asked === imei
          ? {
              model: 'ft4',
              lastVehicle: 'Truck 12',
              lastJobAt: '2026-10-01T08:00:00.000Z',
              lastAddress: null,
              label: '',
              imei,
              lastSeenAt: '2026-10-01T08:00:00.000Z'
            }
          : undefined
    })
    expect(table.show(see(table))).toMatchObject({ lastVehicle: 'Truck 12', lastJobAt: '2026-10-01T08:00:00.000Z' })
  })
})

test('a number behind the IMEI is a rename, anything else is not', () => {
  expect(readAnnouncedName(`ft4-${imei}.local`)).toEqual({ model: 'ft4', imei, isRenamed: false })
  expect(readAnnouncedName(`FT4-${imei}-2.local`)).toEqual({ model: 'FT4', imei, isRenamed: true })
  for (const name of [
    `ft4-${imei}-a.local`,
    `ft4-${imei}2.local`,
    `ft4-${imeiOf(1).slice(0, 14)}-2.local`,
    'printer-2.local'
  ])
    expect(readAnnouncedName(name), name).toBeUndefined()
})

describe('An answer of /system-info', () => {
  test.each<[number, string, ProbeResult['kind']]>([
    [200, JSON.stringify({ hostname: `ft4-${imei}`, osVersion: '1' }), 'device'],
    [200, '{"uptime":1}', 'wrongService'],
    [200, '<html></html>', 'wrongService'],
    [200, '[]', 'wrongService'],
    [
      401,
      '{"error":{"error":{"killed":false,"code":1,"signal":null,"cmd":"x"},"errorText":"","output":""}}',
      'needsSignIn'
    ],
    [401, '<h1>Unauthorized</h1>', 'wrongService'],
    [401, '"Unauthorized"', 'wrongService'],
    [404, '{}', 'wrongService'],
    [500, '{"hostname":"x"}', 'wrongService']
  ])('%i %s means %s', (status, body, kind) => {
    expect(readProbeAnswer(status, body).kind).toBe(kind)
  })
})
