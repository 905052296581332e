import { describe, expect, test } from 'vitest'
import { isOnCard, listCards } from '../../../../main/device/discovery/cards.ts'
import { readProcRoutes, readRouteListing } from '../../../../main/device/discovery/gatewayRoutes.ts'
import { readNetstat, readOpenFiles, readSocketListing } from '../../../../main/device/discovery/portHolders.ts'
import { subnetHosts } from '../../../../main/device/discovery/sweep.ts'
import { message } from '../../../../preload/contract/messages.ts'

describe('Network cards', () => {
  const ipv4 = {
    netmask: '255.255.255.0',
    family: 'IPv4' as const,
    mac: '00:00:00:00:00:01',
    internal: false,
    cidr: null
  }

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
    expect(subnetHosts({ address: '192.168.8.20', netmask: '255.255.255.248' })).toEqual([
      '192.168.8.17',
      '192.168.8.18',
      '192.168.8.19',
      '192.168.8.21',
      '192.168.8.22'
    ])
    const wide = subnetHosts({ address: '10.9.7.1', netmask: '255.0.0.0' })
    expect(wide).toHaveLength(253)
    expect(wide.every((address) => address.startsWith('10.9.7.') && address !== '10.9.7.1')).toBe(true)
    expect(subnetHosts({ address: '10.0.0.1', netmask: '255.255.255.255' })).toEqual([])
  })
})

describe('What the system tells', () => {
  test('default gateways are read from /proc/net/route', () => {
    const text =
      'Iface\tDestination\tGateway \tFlags\neth0\t00000000\t010200C0\t0003\neth0\t000200C0\t00000000\t0001\nwlan0\t00000000\t0108A8C0\t0003\n'
    expect(readProcRoutes(text)).toEqual(['192.0.2.1', '192.168.8.1'])
    expect(readProcRoutes('')).toEqual([])
  })

  describe('A VPN that takes all traffic', () => {
    const linux = (...routes: string[]) =>
      `Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n${routes.map((route) => `${route}\t0\t0\t0\n`).join('')}`
    const ofCard = 'wlan0\t00000000\t0108A8C0\t0003\t0\t0\t600\t00000000'
    const low = 'tun0\t00000000\t0100080A\t0003\t0\t0\t0\t00000080'
    const high = 'tun0\t00000080\t0100080A\t0003\t0\t0\t0\t00000080'

    test.each([
      ['in two halves, ntop/n2n#258', linux(low, high, ofCard), ['10.8.0.1', '192.168.8.1']],
      ['the other half first', linux(high, ofCard, low), ['192.168.8.1', '10.8.0.1']],
      ['only half of it', linux(low, ofCard), ['192.168.8.1']],
      ['a quarter of it, jackpal/gateway#33', linux(low.replace(/80$/, 'C0'), ofCard), ['192.168.8.1']],
      [
        'halves over two cards',
        linux(low, high.replace('tun0', 'tun1').replace('0100080A', '0100090A'), ofCard),
        ['192.168.8.1']
      ],
      [
        'a card without a gateway, peacey/split-vpn#3',
        linux('wg0\t00000000\t00000000\t0001\t0\t0\t0\t00000000', ofCard),
        ['192.168.8.1']
      ],
      [
        'halves without a gateway',
        linux(low.replace('0100080A', '00000000'), high.replace('0100080A', '00000000'), ofCard),
        ['192.168.8.1']
      ]
    ])('Linux: %s', (_, text, gateways) => {
      expect(readProcRoutes(text)).toEqual(gateways)
    })

    test('macOS and Windows: two halves are a default route, one is not', () => {
      const mac = 'Destination Gateway Flags Netif\n0/1 10.8.0.1 UGSc utun3\ndefault 192.168.8.1 UGScg en0\n'
      expect(readRouteListing(mac)).toEqual(['192.168.8.1'])
      expect(readRouteListing(`${mac}128.0/1 10.8.0.1 UGSc utun3\n`)).toEqual(['10.8.0.1', '192.168.8.1'])
      const windows =
        '  0.0.0.0    0.0.0.0   192.168.8.1   192.168.8.20   25\r\n  0.0.0.0  128.0.0.0  10.8.0.1  10.8.0.6  281\r\n'
      expect(readRouteListing(windows)).toEqual(['192.168.8.1'])
      expect(readRouteListing(`${windows}  128.0.0.0  128.0.0.0  10.8.0.1  10.8.0.6  281\r\n`)).toEqual([
        '192.168.8.1',
        '10.8.0.1'
      ])
    })
  })

  test('default gateways are read from netstat and route print', () => {
    expect(
      readRouteListing(
        'Destination Gateway Flags Netif\ndefault            192.168.8.1        UGScg  en0\ndefault link#12 UCSIg bridge\n'
      )
    ).toEqual(['192.168.8.1'])
    expect(
      readRouteListing(
        'Network Destination Netmask Gateway Interface Metric\r\n   0.0.0.0    0.0.0.0   192.168.8.1   192.168.8.20   25\r\n   0.0.0.0 0.0.0.0 On-link 10.0.0.2 1\r\n'
      )
    ).toEqual(['192.168.8.1'])
  })

  test('the holders of a port are named, this process is not', () => {
    const ss =
      'State Recv-Q Send-Q Local Peer\nUNCONN 0 0 0.0.0.0:5353 0.0.0.0:* users:(("avahi-daemon",pid=77,fd=12))\nUNCONN 0 0 0.0.0.0:5353 0.0.0.0:* users:(("node",pid=5,fd=20))\nUNCONN 0 0 0.0.0.0:53530 0.0.0.0:* users:(("x",pid=9,fd=1))\n'
    expect(readSocketListing(ss, 5353, 5)).toEqual([
      message('selfTest.program', { name: 'avahi-daemon', processId: '77' })
    ])
    expect(readOpenFiles('COMMAND PID USER\nmDNSRespo 203 _mdns 6u IPv4\nnode 5 me 20u IPv4\n', 5)).toEqual([
      message('selfTest.program', { name: 'mDNSRespo', processId: '203' })
    ])
    expect(
      readNetstat(
        '  UDP    0.0.0.0:5353    *:*    1234\r\n  UDP 0.0.0.0:53 *:* 9\r\n  UDP [::]:5353 *:* 5\r\n',
        5353,
        5
      )
    ).toEqual([message('selfTest.process', { processId: '1234' })])
  })
})
