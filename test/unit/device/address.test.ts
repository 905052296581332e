import { describe, expect, it } from 'vitest'
import { isLocalAddress, parseAddress } from '../../../main/device/address.ts'

describe('An address of a device', () => {
  it.each([
    ['192.168.8.1', { host: '192.168.8.1', port: 8080, label: '192.168.8.1:8080' }],
    [' 192.168.8.1:9000 ', { host: '192.168.8.1', port: 9000, label: '192.168.8.1:9000' }],
    ['ft4-490154203237518.local', { host: 'ft4-490154203237518.local', port: 8080, label: 'ft4-490154203237518.local:8080' }],
    ['localhost:81', { host: 'localhost', port: 81, label: 'localhost:81' }],
    ['[fe80::1%eth0]:81', { host: 'fe80::1%eth0', port: 81, label: '[fe80::1%eth0]:81' }],
    ['fe80::1%eth0', { host: 'fe80::1%eth0', port: 8080, label: '[fe80::1%eth0]:8080' }],
    ['[::1]', { host: '::1', port: 8080, label: '[::1]:8080' }]
  ])('is read from "%s"', (text, wanted) => {
    expect(parseAddress(text)).toEqual(wanted)
  })

  it('takes the port that was given beside it, unless it names one', () => {
    expect(parseAddress('10.0.0.1', 90).port).toBe(90)
    expect(parseAddress('10.0.0.1:91', 90).port).toBe(91)
  })

  it.each(['', ' ', 'http://10.0.0.1', '10.0.0.1/x', '10.0.0.1:0', '10.0.0.1:65536', '10.0.0.1:x', 'user@host', '[10.0.0.1]', '[::1', '1.2.3', '127.1', '0x7f.1', '2130706433', 'a b', 'a..b', '-a', 'a'.repeat(254), '[::1]x'])(
    'is not read from "%s"',
    (text) => {
      expect(() => parseAddress(text)).toThrow(/is not an address/)
    }
  )

  it.each(['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.8.1:8080', '169.254.7.7', '127.0.0.1', '[::1]:8080', 'fe80::1%wlan0', '[febf::1]', 'fd00::5', '::ffff:192.168.0.1', 'localhost', 'FT4-490154203237518.LOCAL.'])(
    '%s is local',
    (text) => {
      expect(isLocalAddress(text)).toBe(true)
    }
  )

  it.each(['8.8.8.8', '172.15.0.1', '172.32.0.1', '192.169.0.1', '100.64.0.1', '0.0.0.0', '2001:db8::1', 'fec0::1', '::ffff:8.8.8.8', 'example.org', 'local', '10.0.0.1.example.org', '', '1.2.3'])(
    '%s is not local',
    (text) => {
      expect(isLocalAddress(text)).toBe(false)
    }
  )
})
