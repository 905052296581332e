import { describe, expect, test } from 'vitest'
import { hostWithPort, isPrivateAddress, parseAddress } from '../../../main/discovery/address.ts'
import { isOnCard, listCards } from '../../../main/discovery/cards.ts'
import { readProcRoutes, readRouteListing } from '../../../main/discovery/gatewayRoutes.ts'
import { readNetstat, readOpenFiles, readSocketListing } from '../../../main/discovery/portHolders.ts'
import { subnetHosts } from '../../../main/discovery/sweep.ts'

describe('An address that a person types', () => {
  test.each([
    ['192.168.8.1', '192.168.8.1', 8080, false],
    [' 192.168.8.1:8081 ', '192.168.8.1', 8081, false],
    ['http://192.168.8.1:80/index.html', '192.168.8.1', 80, false],
    ['[fe80::1%eth0]:8080', 'fe80::1%eth0', 8080, false],
    ['[fe80::1]', 'fe80::1', 8080, false],
    ['fe80::1%eth0', 'fe80::1%eth0', 8080, false],
    ['FT4-861234000000011.local', 'ft4-861234000000011.local', 8080, true],
    ['device:9000', 'device', 9000, true]
  ])('%s is understood', (text, host, port, isName) => {
    expect(parseAddress(text)).toEqual({ host, port, isName })
  })

  test.each(['', ' ', '192.168.8', '300.1.1.1', '192.168.8.1:0', '192.168.8.1:70000', '[192.168.8.1]', 'a b', 'user@host', '-x', '[fe80::1', 'host:port'])('“%s” is refused', (text) => {
    expect(parseAddress(text)).toBeUndefined()
  })

  test('only local addresses count as private', () => {
    for (const address of ['10.1.2.3', '172.16.0.1', '172.31.9.9', '192.168.1.1', '169.254.3.4', '127.0.0.1', '100.64.0.1', 'fe80::1%eth0', 'fd00::1', '::1', '::ffff:10.0.0.1'])
      expect(isPrivateAddress(address), address).toBe(true)
    for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '100.1.2.3', '192.169.0.1', '2001:db8::1', '::ffff:8.8.8.8', 'example.org']) expect(isPrivateAddress(address), address).toBe(false)
  })

  test('an IPv6 address stands in brackets before a port', () => {
    expect(hostWithPort('fe80::1%eth0', 8080)).toBe('[fe80::1%eth0]:8080')
    expect(hostWithPort('10.0.0.1', 80)).toBe('10.0.0.1:80')
  })
})

describe('Network cards', () => {
  const ipv4 = { netmask: '255.255.255.0', family: 'IPv4' as const, mac: '00:00:00:00:00:01', internal: false, cidr: null }

  test('each IPv4 address is a card of its own, loopback last, IPv6 none', () => {
    const cards = listCards({
      lo: [{ ...ipv4, address: '127.0.0.1', netmask: '255.0.0.0', internal: true }],
      wlan0: [{ ...ipv4, address: '192.168.8.20' }],
      eth0: [
        { ...ipv4, address: '10.0.0.2' },
        { ...ipv4, address: '10.0.1.2' },
        { ...ipv4, address: 'fe80::5', family: 'IPv6', scopeid: 2 }
      ]
    })
    expect(cards.map((card) => [card.name, card.address, card.kind])).toEqual([
      ['wlan0', '192.168.8.20', 'wifi'],
      ['eth0', '10.0.0.2', 'ethernet'],
      ['eth0', '10.0.1.2', 'ethernet'],
      ['lo', '127.0.0.1', 'loopback']
    ])
  })

  test('an address belongs to the card whose subnet it is in', () => {
    expect(isOnCard('10.9.200.1', { address: '10.9.0.1', netmask: '255.255.0.0' })).toBe(true)
    expect(isOnCard('10.10.0.1', { address: '10.9.0.1', netmask: '255.255.0.0' })).toBe(false)
    expect(isOnCard('fe80::1', { address: '10.9.0.1', netmask: '255.255.0.0' })).toBe(false)
  })

  test('a sweep covers the own subnet, never more than a /24 and never the own address', () => {
    expect(subnetHosts({ address: '192.168.8.20', netmask: '255.255.255.248' })).toEqual(['192.168.8.17', '192.168.8.18', '192.168.8.19', '192.168.8.21', '192.168.8.22'])
    const wide = subnetHosts({ address: '10.9.7.1', netmask: '255.0.0.0' })
    expect(wide).toHaveLength(253)
    expect(wide.every((address) => address.startsWith('10.9.7.') && address !== '10.9.7.1')).toBe(true)
    expect(subnetHosts({ address: '10.0.0.1', netmask: '255.255.255.255' })).toEqual([])
  })
})

describe('What the system tells', () => {
  test('default gateways are read from /proc/net/route', () => {
    const text = 'Iface\tDestination\tGateway \tFlags\neth0\t00000000\t010200C0\t0003\neth0\t000200C0\t00000000\t0001\nwlan0\t00000000\t0108A8C0\t0003\n'
    expect(readProcRoutes(text)).toEqual(['192.0.2.1', '192.168.8.1'])
    expect(readProcRoutes('')).toEqual([])
  })

  test('default gateways are read from netstat and route print', () => {
    expect(readRouteListing('Destination Gateway Flags Netif\ndefault            192.168.8.1        UGScg  en0\ndefault link#12 UCSIg bridge\n')).toEqual(['192.168.8.1'])
    expect(readRouteListing('Network Destination Netmask Gateway Interface Metric\r\n   0.0.0.0    0.0.0.0   192.168.8.1   192.168.8.20   25\r\n   0.0.0.0 0.0.0.0 On-link 10.0.0.2 1\r\n')).toEqual(['192.168.8.1'])
  })

  test('the holders of a port are named, this process is not', () => {
    const ss = 'State Recv-Q Send-Q Local Peer\nUNCONN 0 0 0.0.0.0:5353 0.0.0.0:* users:(("avahi-daemon",pid=77,fd=12))\nUNCONN 0 0 0.0.0.0:5353 0.0.0.0:* users:(("node",pid=5,fd=20))\nUNCONN 0 0 0.0.0.0:53530 0.0.0.0:* users:(("x",pid=9,fd=1))\n'
    expect(readSocketListing(ss, 5353, 5)).toEqual(['avahi-daemon (process 77)'])
    expect(readOpenFiles('COMMAND PID USER\nmDNSRespo 203 _mdns 6u IPv4\nnode 5 me 20u IPv4\n', 5)).toEqual(['mDNSRespo (process 203)'])
    expect(readNetstat('  UDP    0.0.0.0:5353    *:*    1234\r\n  UDP 0.0.0.0:53 *:* 9\r\n  UDP [::]:5353 *:* 5\r\n', 5353, 5)).toEqual(['process 1234'])
  })
})
