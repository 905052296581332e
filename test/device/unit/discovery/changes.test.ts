import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createChanges } from '../../../../main/device/discovery/changes.ts'
import type { DeviceEntry } from '../../../../main/device/discovery/sighting.ts'
import { SightingTable } from '../../../../main/device/discovery/table.ts'
import type { TableChange } from '../../../../preload/contract/device/discovery.ts'
import { imeiOf } from '../../../world/device/mdnsLab.ts'

let told: TableChange[]
let table: SightingTable
let changes: ReturnType<typeof createChanges>
let entries: DeviceEntry[]
let lastHeardAt: string | null

function see(number: number, address = `10.9.1.${number}`): DeviceEntry {
  const hostname = `ft4-${imeiOf(number)}.local`
  const entry = table.see({
    id: `eth0 ${hostname}`,
    hostname,
    card: 'eth0',
    via: 'mdns',
    addresses: [{ address, heardAtMs: 0, isLeaving: false }],
    ports: [8080],
    heardAtMs: 0,
    isGone: false
  })
  if (!entry) throw new Error('The table took nothing in.')
  return entry
}
const keys = (change: TableChange | undefined) => change?.devices.map(({ key }) => key)

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T10:00:00.000Z') })
  told = []
  lastHeardAt = null
  table = new SightingTable({ nowMs: () => performance.now(), now: () => new Date() })
  changes = createChanges({
    table: () => table,
    cards: () => [],
    lastHeardAt: () => lastHeardAt,
    nowMs: () => performance.now()
  })
  entries = Array.from({ length: 200 }, (_, index) => see(index + 1))
  changes.onChange((change) => told.push(change))
  changes.changed()
  vi.advanceTimersByTime(25)
})
afterEach(() => {
  changes.stop()
  vi.useRealTimers()
})

test('of 200 devices only the one that changed is told, under the next number', () => {
  expect(told).toHaveLength(1)
  expect(told[0]?.devices).toHaveLength(200)
  const entry = see(7, '10.9.2.7')
  changes.changed(entry)
  vi.advanceTimersByTime(25)
  expect(told[1]).toEqual({
    devices: [table.show(entry)],
    gone: [],
    cards: [],
    lastHeardAt: null,
    changeNumber: (told[0]?.changeNumber ?? 0) + 1
  })
  expect(changes.changeNumber()).toBe(told[1]?.changeNumber)
})

test('nothing is told where nothing looks different', () => {
  for (const entry of entries) changes.changed(entry)
  changes.changed()
  vi.advanceTimersByTime(1000)
  expect(told).toHaveLength(1)
})

test('a device that only answered again is told of once in 15 s', () => {
  vi.setSystemTime(Date.parse('2026-03-01T10:00:14.999Z'))
  changes.changed(see(7))
  vi.advanceTimersByTime(25)
  expect(told).toHaveLength(1)
  vi.setSystemTime(Date.parse('2026-03-01T10:00:15.000Z'))
  changes.changed(see(7))
  vi.advanceTimersByTime(25)
  expect(keys(told[1])).toEqual([imeiOf(7)])
})

test('a storm is told in steps of 25 ms', () => {
  for (let step = 0; step < 100; step += 1) {
    changes.changed(see(7, `10.9.3.${step + 1}`))
    vi.advanceTimersByTime(1)
  }
  vi.advanceTimersByTime(25)
  expect(told.length).toBeGreaterThanOrEqual(4)
  expect(told.length).toBeLessThanOrEqual(6)
  expect(told.at(-1)?.devices[0]?.addresses).toEqual(['10.9.3.100'])
})

test('a place that turned out to be a device is gone under its old key', () => {
  const place = table.see({
    id: 'address 10.9.9.9:8080',
    hostname: null,
    card: null,
    via: 'address',
    addresses: [{ address: '10.9.9.9', heardAtMs: 0, isLeaving: false }],
    ports: [8080],
    heardAtMs: 0,
    isGone: false
  })
  changes.changed(place)
  vi.advanceTimersByTime(25)
  expect(keys(told[1])).toEqual(['10.9.9.9:8080'])
  changes.changed(see(300, '10.9.9.9'))
  vi.advanceTimersByTime(25)
  expect(told[2]).toMatchObject({ devices: [{ key: imeiOf(300) }], gone: ['10.9.9.9:8080'] })
})

test('that the network was heard again is told, though no device changed', () => {
  lastHeardAt = '2026-03-01T10:00:01.000Z'
  changes.changed(entries[0])
  vi.advanceTimersByTime(25)
  expect(told[1]).toMatchObject({ devices: [], lastHeardAt })
})
