import { expect, test } from 'vitest'
import { startingPointFor } from '../../../../main/gateway/accounts/connections.ts'
import type { Interfaces } from '../../../../main/device/discovery/cards.ts'

const card = (address: string, netmask: string, internal = false) => [
  { address, netmask, family: 'IPv4' as const, mac: '', internal, cidr: null }
]
const interfaces: Interfaces = {
  lo: card('127.0.0.1', '255.0.0.0', true),
  wlan0: card('192.168.1.20', '255.255.255.0'),
  eth0: card('192.168.1.30', '255.255.255.0'),
  usb0: card('10.64.0.2', '255.255.255.252'),
  vpn0: card('192.168.200.7', '255.255.255.255')
}

test('a device is asked from the card that it was heard on, also where two cards have the same network', () => {
  expect(startingPointFor('192.168.1.1', [{ addresses: ['192.168.1.1'], card: 'wlan0' }], interfaces)).toBe(
    '192.168.1.20'
  )
  expect(startingPointFor('192.168.1.1', [{ addresses: ['192.168.1.1'], card: 'eth0' }], interfaces)).toBe(
    '192.168.1.30'
  )
})

test('an address that nobody was heard at is asked from the only network that it lies in', () => {
  expect(startingPointFor('10.64.0.1', [], interfaces)).toBe('10.64.0.2')
  // Two may be meant: the system chooses.
  expect(startingPointFor('192.168.1.1', [], interfaces)).toBeUndefined()
})

test('beyond all networks, and for this computer itself, the system chooses', () => {
  expect(startingPointFor('172.16.0.9', [{ addresses: ['172.16.0.9'], card: 'wlan0' }], interfaces)).toBeUndefined()
  expect(startingPointFor('127.0.0.1', [], interfaces)).toBeUndefined()
  expect(startingPointFor('10.64.0.2', [], interfaces)).toBeUndefined()
  expect(startingPointFor('fe80::1%wlan0', [], interfaces)).toBeUndefined()
})
