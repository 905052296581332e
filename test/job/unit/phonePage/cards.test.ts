import { expect, test } from 'vitest'
import { phoneCards } from '../../../../main/job/phonePage/phonePages.ts'
import type { Interfaces } from '../../../../main/device/discovery/cards.ts'

const card = (address: string, internal = false) => ({
  address,
  netmask: '255.255.255.0',
  family: 'IPv4' as const,
  mac: '00:00:00:00:00:00',
  internal,
  cidr: null
})

test('a phone is led only to addresses that its own network alone can use, the wireless card first', () => {
  const interfaces: Interfaces = {
    lo: [card('127.0.0.1', true)],
    tun0: [card('10.8.0.6')],
    eth0: [card('172.20.1.4'), card('203.0.113.9')],
    wlan0: [card('192.168.178.34'), { ...card('::1'), family: 'IPv6', address: 'fe80::1', scopeid: 3 }],
    eth1: [card('100.64.3.2'), card('8.8.8.8'), card('172.32.0.1'), card('192.169.0.1')],
    usb0: [card('169.254.7.7')]
  }
  expect(phoneCards(interfaces)).toEqual([
    { id: 'wlan0 192.168.178.34', name: 'wlan0', address: '192.168.178.34', kind: 'wifi' },
    { id: 'eth0 172.20.1.4', name: 'eth0', address: '172.20.1.4', kind: 'ethernet' },
    { id: 'tun0 10.8.0.6', name: 'tun0', address: '10.8.0.6', kind: 'other' },
    { id: 'usb0 169.254.7.7', name: 'usb0', address: '169.254.7.7', kind: 'other' }
  ])
})

test('a computer with public and loopback addresses alone has no card for a phone', () => {
  expect(
    phoneCards({
      lo: [card('127.0.0.1', true), card('10.0.0.1', true)],
      eth0: [card('198.51.100.7')],
      wlan0: undefined
    })
  ).toEqual([])
})
