import { describe, expect, it } from 'vitest'
import { message } from '../../../../preload/contract/messages.ts'
import {
  hostWithPort,
  isLocalIp,
  isLoopback,
  parseAddress,
  whyNoAddress
} from '../../../../main/base/addresses/address.ts'

describe('An address', () => {
  it.each([
    ['192.168.8.1', { host: '192.168.8.1', port: 8080, isName: false, label: '192.168.8.1:8080' }],
    [' 192.168.8.1:9000 ', { host: '192.168.8.1', port: 9000, isName: false, label: '192.168.8.1:9000' }],
    [
      'ft4-490154203237518.local',
      { host: 'ft4-490154203237518.local', port: 8080, isName: true, label: 'ft4-490154203237518.local:8080' }
    ],
    ['localhost:81', { host: 'localhost', port: 81, isName: true, label: 'localhost:81' }],
    ['[fe80::1%eth0]:81', { host: 'fe80::1%eth0', port: 81, isName: false, label: '[fe80::1%eth0]:81' }],
    ['fe80::1%eth0', { host: 'fe80::1%eth0', port: 8080, isName: false, label: '[fe80::1%eth0]:8080' }],
    [
      'FT4-490154203237518.LOCAL.',
      { host: 'ft4-490154203237518.local', port: 8080, isName: true, label: 'ft4-490154203237518.local:8080' }
    ],
    ['[::1]', { host: '::1', port: 8080, isName: false, label: '[::1]:8080' }]
  ])('is read from "%s"', (text, wanted) => {
    expect(parseAddress(text)).toEqual(wanted)
  })

  it.each([
    ['https://10.0.0.1:8443/x', message('device.onlyHttp', { host: '10.0.0.1' })],
    ['https://a b', message('device.noAddress', { address: 'https://a b' })],
    ['10.0.0.0/24', message('device.noAddress', { address: '10.0.0.0/24' })]
  ])('that is none is refused with the reason: %s', (text, reason) => {
    expect(whyNoAddress(text)).toEqual(reason)
  })

  it('takes the port that was given beside it, unless it names one', () => {
    expect(parseAddress('10.0.0.1', 90)?.port).toBe(90)
    expect(parseAddress('10.0.0.1:91', 90)?.port).toBe(91)
  })

  it.each([
    '',
    ' ',
    'https://10.0.0.1',
    'ftp://10.0.0.1',
    'http://',
    'http://user@10.0.0.1',
    'http://10.0.0.1\\@10.0.0.2',
    '10.0.0.0/24',
    '10.0.0.1:0',
    '10.0.0.1:65536',
    '10.0.0.1:x',
    'user@host',
    '[10.0.0.1]',
    '[::1',
    '1.2.3',
    '127.1',
    '0x7f.1',
    '2130706433',
    'a b',
    'a..b',
    '300.1.1.1',
    'host:port',
    'user@host',
    '-x',
    '-a',
    'a'.repeat(254),
    '[::1]x'
  ])('is not read from "%s"', (text) => {
    expect(parseAddress(text)).toBeUndefined()
  })

  it.each([
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.8.1',
    '169.254.7.7',
    '127.0.0.1',
    '::1',
    'fe80::1%wlan0',
    'febf::1',
    'fd00::5',
    '::ffff:192.168.0.1'
  ])('%s is of the own network', (ip) => {
    expect(isLocalIp(ip)).toBe(true)
  })

  it.each([
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '192.169.0.1',
    '100.64.0.1',
    '100.127.255.254',
    '0.0.0.0',
    '2001:db8::1',
    'fec0::1',
    '::ffff:8.8.8.8',
    'example.org',
    'localhost',
    '',
    '1.2.3'
  ])('%s is not of the own network', (ip) => {
    expect(isLocalIp(ip)).toBe(false)
  })

  it('names this computer itself', () => {
    expect(['localhost', '127.0.0.1', '127.9.9.9', '::1'].every(isLoopback)).toBe(true)
    expect(['10.0.0.1', 'localhost.example', '::2'].some(isLoopback)).toBe(false)
  })

  it('stands in brackets before a port when it is IPv6', () => {
    expect(hostWithPort('fe80::1%eth0', 8080)).toBe('[fe80::1%eth0]:8080')
    expect(hostWithPort('10.0.0.1', 80)).toBe('10.0.0.1:80')
  })
})
