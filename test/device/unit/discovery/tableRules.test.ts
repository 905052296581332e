import { describe, expect, test } from 'vitest'
import type { ProbeResult } from '../../../../main/device/discovery/probe.ts'
import {
  expectedName,
  isSameHost,
  liveSightings,
  type DeviceEntry,
  type Sighting
} from '../../../../main/device/discovery/sighting.ts'
import { SightingTable, rankAddresses, standingOf } from '../../../../main/device/discovery/table.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { imeiOf } from '../../../world/device/mdnsLab.ts'

const imei = imeiOf(1)
const name = `ft4-${imei}.local`
const own: ProbeResult = { kind: 'device', hostname: `ft4-${imei}`, osVersion: '4.2' }
const silent: ProbeResult = { kind: 'unreachable', detail: message('discovery.doesNotAnswer'), refused: false }
const refused: ProbeResult = {
  kind: 'unreachable',
  detail: message('discovery.portClosed', { port: 8080 }),
  refused: true
}
const at = { address: '10.9.1.1', port: 8080 }
let clockMs = 0

function newTable(find?: ConstructorParameters<typeof SightingTable>[0]['find']): SightingTable {
  return new SightingTable({ nowMs: () => clockMs, now: () => new Date(clockMs), find })
}

type Given = Partial<Omit<Sighting, 'addresses'>> & { addresses?: string[] }

function sighting({ addresses = ['10.9.1.1'], ...more }: Given = {}): Sighting {
  return {
    id: `eth0 ${more.hostname ?? name}`,
    hostname: name,
    card: 'eth0',
    via: 'mdns',
    addresses: addresses.map((address) => ({ address, heardAtMs: clockMs, isLeaving: false })),
    ports: [8080],
    heardAtMs: clockMs,
    isGone: false,
    ...more
  }
}

function see(table: SightingTable, given: Given = {}): DeviceEntry {
  const entry = table.see(sighting(given))
  if (!entry) throw new Error('The table took nothing in.')
  return entry
}

const place = (address: string, more: Given = {}): Given => ({
  id: `address ${address}`,
  hostname: null,
  card: null,
  via: 'address',
  addresses: [address],
  ...more
})

describe('A new device', () => {
  test('is counted from the start of the search, not signed in, and has not answered', () => {
    clockMs = 5000
    const table = newTable()
    clockMs = 5040.4
    const entry = see(table)
    expect(entry).toMatchObject({ firstSeenMs: 40, hasAnswered: false, isSignedIn: false, misses: 0, muteRounds: 0 })
    clockMs = 4000
    expect(see(table, { hostname: `ft4-${imeiOf(2)}.local` }).firstSeenMs).toBe(0)
  })

  test('that is a place alone has its address and port as key, and no IMEI', () => {
    const table = newTable()
    expect(see(table, place('10.9.1.5', { ports: [81, 8080] }))).toMatchObject({
      key: '10.9.1.5:81',
      imei: null,
      model: null
    })
    expect(see(table, place('10.9.1.6', { ports: [] })).key).toBe('10.9.1.6:8080')
    expect(table.show(see(table, place('', { addresses: [], id: 'nowhere' })))).toMatchObject({
      key: 'nowhere',
      addresses: [],
      port: 8080,
      card: null,
      via: 'mdns'
    })
    expect(table.show(see(table, place('10.9.1.5', { ports: [81, 8080] })))).toMatchObject({
      imei: null,
      model: null,
      hostname: null,
      card: null,
      via: 'address',
      port: 81,
      standing: 'found',
      verified: false
    })
  })

  test('takes the place of the placeholder with its address and port, and of no other', () => {
    clockMs = 1000
    const table = newTable()
    clockMs = 1500
    const mine = see(table, place('10.9.1.1', { ports: [8080, 81], addresses: ['10.9.7.7', '10.9.1.1'] }))
    table.setSignedIn(mine.key, true)
    // The same place, met a second time in another way.
    expect(see(table, place('10.9.7.7', { id: 'swept', ports: [8080], addresses: ['10.9.7.7'] }))).toBe(mine)
    see(table, place('10.9.1.1', { id: 'another port', ports: [9000] }))
    see(table, place('10.9.1.2', { id: 'another address', ports: [81] }))
    clockMs = 9000
    const entry = see(table, { ports: [81, 82] })
    expect(entry).toMatchObject({
      key: imei,
      firstSeenMs: 500,
      firstSeenAt: new Date(1500).toISOString(),
      isSignedIn: true
    })
    expect(table.entries().map(({ key }) => key)).toEqual(['10.9.1.1:9000', '10.9.1.2:81', imei])
  })

  test('with another IMEI at the same place takes no place of a device', () => {
    const table = newTable()
    see(table, { hostname: `ft4-${imeiOf(2)}.local` })
    see(table)
    expect(table.entries()).toHaveLength(2)
  })
})

describe('A device is found', () => {
  test('by its IMEI, also where a place said who it is', () => {
    const table = newTable()
    const other = see(table, { hostname: `ft4-${imeiOf(2)}.local` })
    const typed = see(table, place('10.9.1.9'))
    expect(table.byImei(imei)).toBeUndefined()
    table.answered(typed, own, { address: '10.9.1.9', port: 8080 })
    expect(typed).toMatchObject({ imei, model: 'ft4', osVersion: '4.2', isSignedIn: false })
    expect(table.byImei(imei)).toBe(typed)
    expect(table.byImei(imeiOf(2))).toBe(other)
    // Heard by name now, it stays the same device under the same key.
    expect(see(table, { addresses: ['10.9.1.77'] })).toBe(typed)
  })

  test('keeps its IMEI whatever it answers later', () => {
    const table = newTable()
    const entry = see(table)
    table.answered(entry, { kind: 'device', hostname: `ft5-${imeiOf(2)}`, osVersion: null }, at)
    expect(entry).toMatchObject({ imei, model: 'ft4' })
    const typed = see(table, place('10.9.1.9'))
    table.answered(typed, { kind: 'device', hostname: 'nas', osVersion: null }, { address: '10.9.1.9', port: 8080 })
    expect(typed).toMatchObject({ imei: null, model: null })
  })

  test('by one of its addresses, with the port or without, unless that sighting is gone', () => {
    const table = newTable()
    see(table, { hostname: `ft4-${imeiOf(2)}.local`, addresses: ['10.9.1.2'] })
    const entry = see(table, { addresses: ['10.9.1.1', '10.9.1.3'], ports: [8080, 81] })
    expect(table.byAddress('10.9.1.3')).toBe(entry)
    expect(table.byAddress('10.9.1.3', 81)).toBe(entry)
    expect(table.byAddress('10.9.1.3', 82)).toBeUndefined()
    expect(table.byAddress('10.9.1.4')).toBeUndefined()
    see(table, { id: 'wlan0', card: 'wlan0', addresses: ['10.8.1.1'] })
    expect(table.byAddress('10.8.1.1')).toBe(entry)
    table.leave(`eth0 ${name}`, 'silent')
    expect(table.byAddress('10.9.1.3')).toBeUndefined()
    expect(table.byAddress('10.8.1.1')).toBe(entry)
    table.leave('wlan0', 'silent')
    expect(table.byAddress('10.8.1.1')).toBeUndefined()
  })
})

describe('A device that leaves', () => {
  test('is lost with the last place where it was met, for the reason of that one', () => {
    const table = newTable()
    const entry = see(table)
    see(table, { id: 'wlan0', card: 'wlan0' })
    expect(table.leave('wlan0', 'goodbye')).toBe(entry)
    expect(entry.isLost).toBeNull()
    expect([...entry.sightings.keys()]).toEqual([`eth0 ${name}`])
    expect(table.leave(`eth0 ${name}`, 'silent')).toBe(entry)
    expect(standingOf(entry)).toEqual({ standing: 'lost', detail: message('discovery.stoppedAnswering') })
    // Where it was last stays known.
    expect([...entry.sightings.values()]).toMatchObject([{ isGone: true }])
    expect(table.show(entry)).toMatchObject({ addresses: ['10.9.1.1'], hostname: `ft4-${imei}`, card: 'eth0' })
    expect(table.leave(`eth0 ${name}`, 'goodbye')).toBeUndefined()
    expect(entry.isLost).toBe('silent')
    expect(table.leave('never met', 'goodbye')).toBeUndefined()
  })

  test('is lost although a place without any address is left', () => {
    const table = newTable()
    const entry = see(table)
    see(table, { id: 'empty', addresses: [] })
    expect(liveSightings(entry).map(({ id }) => id)).toEqual([`eth0 ${name}`])
    table.leave(`eth0 ${name}`, 'goodbye')
    expect(standingOf(entry)).toEqual({ standing: 'lost', detail: message('discovery.saidGoodbye') })
  })

  test('and comes back must answer anew; one that is only heard again keeps its answer', () => {
    const table = newTable()
    const entry = see(table)
    table.answered(entry, own, at)
    see(table)
    expect(entry.answer).not.toBeNull()
    table.answered(entry, silent, at)
    entry.isLost = 'silent'
    see(table)
    expect(entry).toMatchObject({ isLost: null, answer: null, hasAnswered: false, misses: 0, missedSinceMs: null })
  })
})

describe('An answer', () => {
  test('that is missing is counted from the first miss on, and what was known stays', () => {
    const table = newTable()
    const entry = see(table)
    table.answered(entry, own, at)
    clockMs = 20_000
    table.answered(entry, silent, { address: '10.9.1.1', port: 81 })
    clockMs = 25_000
    table.answered(entry, refused, at)
    expect(entry).toMatchObject({
      misses: 2,
      missedSinceMs: 20_000,
      lastMiss: { result: refused, ...at },
      answer: { result: own }
    })
    clockMs = 30_000
    table.answered(entry, own, at)
    expect(entry).toMatchObject({
      misses: 0,
      missedSinceMs: null,
      hasAnswered: true,
      lastSeenAt: new Date(30_000).toISOString()
    })
  })

  test('that never came is what is said of the device', () => {
    const table = newTable()
    const entry = see(table)
    table.answered(entry, silent, { address: '10.9.1.1', port: 81 })
    expect(entry.misses).toBe(1)
    expect(standingOf(entry).detail).toEqual(message('discovery.heardButApart', { where: '10.9.1.1:81' }))
    for (const one of [refused, { ...silent, isConnected: true as const }]) {
      const other = see(newTable())
      table.answered(other, one, { address: '10.9.1.1', port: 81 })
      expect(standingOf(other).detail).toEqual(
        message('discovery.heardButSilent', { where: '10.9.1.1:81', why: one.detail })
      )
    }
    expect(table.show(entry).port).toBe(81)
  })

  test('of a host that refuses is no miss before it ever answered, and no sign that it was seen', () => {
    clockMs = 1000
    const table = newTable()
    const entry = see(table)
    table.answered(entry, silent, at)
    clockMs = 3000
    table.answered(entry, refused, at)
    expect(entry).toMatchObject({
      misses: 0,
      missedSinceMs: null,
      hasAnswered: false,
      answer: { result: refused },
      lastSeenAt: new Date(1000).toISOString()
    })
  })

  test('brings a lost device back, and a mute one to its usual pace', () => {
    const table = newTable()
    const entry = see(table)
    table.answered(entry, own, at)
    table.answered(entry, silent, at)
    table.answered(entry, silent, { address: '10.9.1.1', port: 81 })
    table.markMute(entry)
    expect(entry).toMatchObject({
      misses: 0,
      missedSinceMs: null,
      hasAnswered: false,
      muteRounds: 1,
      answer: { result: silent, port: 81 }
    })
    table.markMute(entry)
    expect(entry.muteRounds).toBe(2)
    entry.isLost = 'silent'
    table.answered(entry, { kind: 'needsSignIn' }, at)
    expect(entry).toMatchObject({ isLost: null, muteRounds: 0, hasAnswered: true })
  })

  test('without a version keeps the one that is known, and one without credentials keeps who is signed in', () => {
    const table = newTable()
    const entry = see(table)
    table.answered(entry, { ...own, osVersion: null }, at)
    expect(entry.osVersion).toBeNull()
    table.answered(entry, { ...own, isSignedIn: true }, at)
    expect(entry).toMatchObject({ osVersion: '4.2', isSignedIn: true })
    table.answered(entry, { ...own, osVersion: null }, at)
    expect(entry).toMatchObject({ osVersion: '4.2', isSignedIn: true })
    table.answered(entry, { ...own, osVersion: '5.0' }, at)
    expect(entry.osVersion).toBe('5.0')
  })

  test.each<[ProbeResult, ReturnType<typeof standingOf>]>([
    [own, { standing: 'verified', detail: message('discovery.sameName') }],
    [
      { kind: 'device', hostname: 'FT4-1.local', osVersion: null },
      { standing: 'impostor', detail: message('discovery.otherName', { name: `ft4-${imei}`, ownName: 'FT4-1.local' }) }
    ],
    [{ kind: 'needsSignIn' }, { standing: 'needsSignIn', detail: message('discovery.wantsSignIn') }],
    [
      { kind: 'wrongService', detail: message('discovery.namesNoHost') },
      {
        standing: 'wrongService',
        detail: message('discovery.somethingElse', { where: '10.9.1.1:8080', why: message('discovery.namesNoHost') })
      }
    ]
  ])('%o is said as it is', (result, standing) => {
    const table = newTable()
    const entry = see(table)
    expect(standingOf(entry)).toEqual({ standing: 'found', detail: message('discovery.nameHeard') })
    table.answered(entry, result, at)
    expect(standingOf(entry)).toEqual(standing)
  })

  test('of a place that a person gave names the place and what it calls itself', () => {
    const table = newTable()
    const entry = see(table, place('10.9.1.9'))
    table.answered(entry, own, { address: '10.9.1.9', port: 81 })
    expect(standingOf(entry)).toEqual({
      standing: 'answering',
      detail: message('discovery.answersAs', { where: '10.9.1.9:81', name: `ft4-${imei}` })
    })
    expect(table.show(entry)).toMatchObject({ hostname: `ft4-${imei}`, port: 81 })
  })
})

describe('Whose name counts', () => {
  test('is the one that is heard now; the one that was heard last where none is', () => {
    const table = newTable()
    const entry = see(table, place('10.9.1.1', { id: 'typed' }))
    expect(expectedName(entry)).toBeNull()
    table.answered(entry, own, at)
    see(table)
    expect(expectedName(entry)).toBe(name)
    const both = see(table, { id: 'new', hostname: `ft5-${imei}.local`, addresses: ['10.9.1.1'] })
    expect(expectedName(both)).toBe(name)
    table.leave(`eth0 ${name}`, 'silent')
    expect(expectedName(both)).toBe(`ft5-${imei}.local`)
    table.leave('typed', 'silent')
    table.leave('new', 'silent')
    expect(expectedName(both)).toBe(`ft5-${imei}.local`)
    // Back under another name: what was heard before it was lost no longer counts.
    see(table, { id: 'newest', hostname: `ft6-${imei}.local` })
    expect(expectedName(both)).toBe(`ft6-${imei}.local`)
  })

  test('is compared without its end and in any letters', () => {
    expect(isSameHost('FT4-1.local.', 'ft4-1')).toBe(true)
    expect(isSameHost('ft4-1.LOCAL', 'FT4-1.')).toBe(true)
    expect(isSameHost('ft4.local-1', 'ft4-1')).toBe(false)
    expect(isSameHost('ft4-1', 'ft4-2')).toBe(false)
  })

  test('a verified device spells its own name and model; one that claims another is shown under the name that was heard', () => {
    const table = newTable()
    const entry = see(table)
    table.answered(entry, { kind: 'device', hostname: `FT4-${imei}.local.`, osVersion: null }, at)
    expect(table.show(entry)).toMatchObject({ standing: 'verified', hostname: `FT4-${imei}`, model: 'FT4' })
    table.answered(entry, { kind: 'device', hostname: `FT9-${imeiOf(2)}`, osVersion: null }, at)
    expect(table.show(entry)).toMatchObject({ standing: 'impostor', hostname: `ft4-${imei}`, model: 'ft4' })
  })
})

describe('Two hosts with one IMEI', () => {
  const renamedTo = `ft4-${imei}-2.local`
  const rival = (addresses: string[], more: Given = {}): Given => ({ id: 'eth0 rival', renamedTo, addresses, ...more })

  test('are named in order, however they were heard', () => {
    const table = newTable()
    const entry = see(table, { hostname: `tx9-${imei}.local`, addresses: ['10.9.1.2'] })
    see(table)
    expect(standingOf(entry).detail).toEqual(message('discovery.twoHosts', { hosts: [`ft4-${imei}`, `tx9-${imei}`] }))
  })

  test('are one where the renamed one has an address of the first, two where it has none of them', () => {
    const table = newTable()
    const entry = see(table, { addresses: ['10.9.1.1', '10.9.1.3'] })
    expect(see(table, rival(['10.9.1.3', '10.9.9.9']))).toBe(entry)
    expect(standingOf(entry).standing).toBe('found')
    see(table, rival(['10.9.9.9']))
    expect(standingOf(entry)).toEqual({
      standing: 'conflict',
      detail: message('discovery.twoHosts', { hosts: [`ft4-${imei}`, `ft4-${imei}-2`] })
    })
    expect(rankAddresses(entry).map(({ address }) => address)).toEqual(['10.9.1.1', '10.9.1.3'])
  })

  test('are one where the first is known by its address alone and says the name that was heard', () => {
    const table = newTable()
    const typed = see(table, place('10.9.1.9'))
    table.answered(typed, own, { address: '10.9.1.9', port: 8080 })
    expect(see(table, rival(['10.9.1.2']))).toBe(typed)
    expect(standingOf(typed).standing).toBe('verified')
  })

  test('are one device where only changed names are heard: the latest name, on each network, and what shares an address with it', () => {
    const table = newTable()
    clockMs = 1000
    const entry = see(table, rival(['10.9.1.2'], { id: 'eth0 2' }))
    clockMs = 2000
    see(table, rival(['10.9.1.2'], { id: 'eth0 17', renamedTo: `ft4-${imei}-17.local` }))
    see(table, rival(['192.168.8.2'], { id: 'wlan0 17', renamedTo: `ft4-${imei}-17.local`, card: 'wlan0' }))
    expect(table.showAll()).toMatchObject([{ key: imei, hostname: `ft4-${imei}`, standing: 'found' }])
    table.answered(entry, own, { address: '10.9.1.2', port: 8080 })
    expect(standingOf(entry).standing).toBe('verified')
    table.answered(
      entry,
      { kind: 'device', hostname: `ft4-${imeiOf(2)}`, osVersion: null },
      { address: '10.9.1.2', port: 8080 }
    )
    expect(standingOf(entry).standing).toBe('impostor')
    see(table, rival(['10.9.1.5'], { id: 'eth0 3', renamedTo: `ft4-${imei}-3.local`, heardAtMs: 500 }))
    expect(standingOf(entry)).toEqual({
      standing: 'conflict',
      detail: message('discovery.twoHosts', { hosts: [`ft4-${imei}-17`, `ft4-${imei}-3`] })
    })
  })
})

describe('The order of addresses', () => {
  const ranked = (entry: DeviceEntry): string[] => rankAddresses(entry).map(({ address }) => address)

  test('is the one that answered, then the newest, each once', () => {
    const table = newTable()
    clockMs = 1000
    const entry = see(table, { addresses: ['10.9.1.1', '10.9.1.2'] })
    clockMs = 2000
    see(table, { id: 'wlan0', card: 'wlan0', addresses: ['10.9.1.3', '10.9.1.2'] })
    expect(ranked(entry)).toEqual(['10.9.1.3', '10.9.1.2', '10.9.1.1'])
    table.answered(entry, own, at)
    expect(ranked(entry)).toEqual(['10.9.1.1', '10.9.1.3', '10.9.1.2'])
    // One that missed is no better than the others.
    table.answered(entry, silent, at)
    expect(ranked(entry)).toEqual(['10.9.1.3', '10.9.1.2', '10.9.1.1'])
  })

  test('puts one that is leaving behind the others, and one of a place that is gone behind that', () => {
    const table = newTable()
    const entry = see(table, { addresses: ['10.9.1.1', '10.9.1.2'] })
    const [first] = [...entry.sightings.values()]
    if (first?.addresses[0]) first.addresses[0].isLeaving = true
    table.answered(entry, own, at)
    expect(ranked(entry)).toEqual(['10.9.1.2', '10.9.1.1'])
    const gone = see(table, { id: 'gone', addresses: ['10.9.1.4'] })
    for (const item of gone.sightings.values()) if (item.id === 'gone') item.isGone = true
    expect(ranked(entry)).toEqual(['10.9.1.2', '10.9.1.1', '10.9.1.4'])
  })

  test('leaves link-local IPv6 out beside IPv4, and puts it last among others', () => {
    const table = newTable()
    clockMs = 0
    const entry = see(table, { addresses: ['fe80::1%eth0', '10.9.1.1', 'fd00::fe80:1'] })
    expect(ranked(entry)).toEqual(['10.9.1.1', 'fd00::fe80:1'])
    const six = see(table, { hostname: `ft4-${imeiOf(2)}.local`, addresses: ['FE80::1%eth0', 'fd00::1'] })
    expect(ranked(six)).toEqual(['fd00::1', 'FE80::1%eth0'])
  })
})

describe('Who is signed in', () => {
  test('is news only where it changes, and of a device that is there', () => {
    const table = newTable()
    const entry = see(table)
    expect(table.setSignedIn('nobody', true)).toBe(false)
    expect(table.setSignedIn(imei, false)).toBe(false)
    expect(table.setSignedIn(imei, true)).toBe(true)
    expect(entry.isSignedIn).toBe(true)
    expect(table.setSignedIn(imei, true)).toBe(false)
    expect(table.setSignedIn(imei, false)).toBe(true)
    expect(table.show(entry).signedIn).toBe(false)
  })
})

test('what is remembered is shown with the device that it is about, and with no other', () => {
  const known = {
    imei,
    model: 'ft4',
    label: 'Bench',
    lastVehicle: 'Truck 12',
    lastAddress: null,
    lastJobAt: '2026-10-01T08:00:00.000Z',
    lastSeenAt: '2026-10-01T08:00:00.000Z'
  }
  const table = newTable((asked) => (asked === imei ? known : undefined))
  expect(table.show(see(table))).toMatchObject({
    label: 'Bench',
    lastVehicle: 'Truck 12',
    lastJobAt: '2026-10-01T08:00:00.000Z'
  })
  expect(table.show(see(table, place('10.9.1.5')))).toMatchObject({ label: null, lastVehicle: null, lastJobAt: null })
  expect(table.showAll().map(({ key }) => key)).toEqual([imei, '10.9.1.5:8080'])
})
