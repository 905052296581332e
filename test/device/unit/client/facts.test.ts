import { describe, expect, it } from 'vitest'
import { correctGpsEpoch, hasIp, readRegistration, readSignal, sameHost } from '../../../../main/device/client/facts.ts'
import { distanceM } from '../../../../preload/base/maps/distance.ts'

describe('The time stamp of a position', () => {
  const nowMs = Date.parse('2026-11-20T09:00:00Z')

  it('is read as Unix time where that is nearer to now', () => {
    expect(correctGpsEpoch(nowMs / 1000 - 3, nowMs)).toEqual({ unixMs: nowMs - 3_000, assumed: 'unix' })
  })

  it('is read as seconds since 1980, less 18 leap seconds, where that is nearer to now', () => {
    // 2026-11-20T09:00:00Z is GPS week 2445, 1 479 200 418 s after 1980-01-06.
    expect(correctGpsEpoch(1_479_200_418, nowMs)).toEqual({ unixMs: nowMs, assumed: 'gps' })
  })

  it('keeps a device clock that is years off visible', () => {
    expect(correctGpsEpoch(Date.parse('2024-11-20T09:00:00Z') / 1000, nowMs)).toEqual({
      unixMs: Date.parse('2024-11-20T09:00:00Z'),
      assumed: 'unix'
    })
  })
})

describe('A signal strength', () => {
  it.each([
    ['-71', { dBm: -71, assumed: 'dBm' }],
    [' -71.5 dBm ', { dBm: -71.5, assumed: 'dBm' }],
    [-60, { dBm: -60, assumed: 'dBm' }],
    ['0', { dBm: -113, assumed: 'csq' }],
    ['18', { dBm: -77, assumed: 'csq' }],
    ['18,99', { dBm: -77, assumed: 'csq' }],
    ['31', { dBm: -51, assumed: 'csq' }]
  ])('is read from %o', (text, wanted) => {
    expect(readSignal(text)).toEqual(wanted)
  })

  it.each(['99', '99,99', '32', '7.5', '', ' ', '-', '-151', '-999', 'good', '12 bars', undefined, NaN, '1e1', '0x10'])(
    'is not made up from %o',
    (text) => {
      expect(readSignal(text)).toBeUndefined()
    }
  )
})

describe('A registration', () => {
  it.each([
    ['1', '1', 'registered'],
    ['0,1', '0,1', 'registered'],
    ['+CREG: 2,1,"0AFF","01"', '', 'registered'],
    ['1,"0AFF","01"', '', 'registered'],
    ['5', '5', 'roaming'],
    ['0,5', undefined, 'roaming'],
    ['REGISTERED', 'REGISTERED', 'registered'],
    ['Registered, home network', '', 'registered'],
    ['registered_roaming', '', 'roaming'],
    ['Registered (not roaming)', '', 'registered'],
    ['not registered', 'not registered', 'notRegistered'],
    ['NOT_REGISTERED', '0', 'notRegistered'],
    ['Unregistered', '', 'notRegistered'],
    ['Not registered, searching', '', 'searching'],
    ['Not registered, not searching', '', 'notRegistered'],
    ['2', '0', 'searching'],
    ['3', '3', 'denied'],
    ['Registration denied', '', 'denied'],
    // The voice side is up, packet data is not.
    ['1', '3', 'denied'],
    // Data-only SIM, and a modem on LTE whose older registration is idle.
    ['0', '1', 'registered'],
    ['1', '0', 'registered'],
    ['1', '4', 'registered'],
    ['4', '4', 'unknown'],
    ['6', '', 'unknown'],
    ['SMS only, registered', '', 'unknown'],
    ['', '', 'unknown'],
    [undefined, undefined, 'unknown'],
    ['11', '', 'unknown'],
    ['ok', 'yes', 'unknown'],
    ['deregistered', '', 'unknown']
  ])('of %o and %o is %s', (gsm, gprs, wanted) => {
    expect(readRegistration(gsm, gprs)).toBe(wanted)
  })
})

describe('An IP address of the modem', () => {
  it.each(['10.64.1.2', '100.72.0.9', '"10.1.1.1"', '10.1.1.1/30', '2001:db8::5'])('%s counts', (text) => {
    expect(hasIp(text)).toBe(true)
  })

  it.each([
    '',
    '0.0.0.0',
    '127.0.0.1',
    '169.254.1.1',
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    'fe80::1',
    'none',
    '10.1.1',
    undefined
  ])('%s does not count', (text) => {
    expect(hasIp(text)).toBe(false)
  })
})

describe('The distance of two places', () => {
  it('is in metres', () => {
    expect(distanceM({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 1 })).toBeCloseTo(111_195, -1)
    expect(distanceM({ latitude: 52.52, longitude: 13.405 }, { latitude: 48.8566, longitude: 2.3522 })).toBeCloseTo(
      877_464,
      -3
    )
    expect(distanceM({ latitude: 40, longitude: -3 }, { latitude: 40, longitude: -3 })).toBe(0)
  })

  it('is right across the date line and at the far side of the earth', () => {
    expect(distanceM({ latitude: 0, longitude: 179.9995 }, { latitude: 0, longitude: -179.9995 })).toBeCloseTo(111.2, 0)
    expect(distanceM({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 })).toBeCloseTo(
      Math.PI * 6_371_008.8,
      0
    )
  })
})

describe('A host name', () => {
  const imei = '490154203237518'

  it.each([
    [`ft4-${imei}`, undefined, true],
    [`FT4-${imei}.local.`, 'ft4', true],
    [`ft-4-${imei}`, 'FT-4', true],
    [`ft5-${imei}`, 'ft4', false],
    ['ft4-356938035643809', undefined, false],
    [`ft4-${imei.slice(0, 14)}9`, undefined, false],
    [imei, undefined, false],
    [undefined, undefined, false]
  ])('%s with model %s belongs to the device: %s', (hostname, model, wanted) => {
    expect(sameHost(hostname, imei, model)).toBe(wanted)
  })
})
