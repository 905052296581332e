import { describe, expect, it } from 'vitest'
import { formatNumber, formatQuantity, unitOf, type Unit } from '../../../../preload/base/messages/quantities.ts'
import type { ReaderSettings } from '../../../../preload/base/messages/settings.ts'

const metric: ReaderSettings = { language: 'en', units: 'metric', timeZone: 'UTC' }
const imperial: ReaderSettings = { ...metric, units: 'imperial' }
const spanish: ReaderSettings = { ...metric, language: 'es' }

describe('A quantity', () => {
  it.each<[Unit, number, string]>([
    ['Ms', 0, '0 ms'],
    ['Ms', 999.6, '1000 ms'],
    ['Ms', 1_000, '1 s'],
    ['S', 9.96, '10 s'],
    ['S', 9.94, '9.9 s'],
    ['S', 10, '10 s'],
    ['S', 10.4, '10 s'],
    ['S', 119.4, '119 s'],
    ['S', 119.6, '2 min'],
    ['S', 200, '3 min 20 s'],
    ['S', 3_599.4, '59 min 59 s'],
    ['S', 3_599.6, '1 h'],
    ['S', 3_660, '1 h 1 min'],
    ['S', 48 * 3_600 - 31, '47 h 59 min'],
    ['S', 48 * 3_600, '2 days'],
    ['S', 20_780 * 86_400, '20,780 days'],
    ['Psi', 100, '6.9 bar'],
    ['Min', 3, '3 min'],
    ['Min', 0.5, '30 s'],
    ['M', 9.94, '9.9 m'],
    ['M', 10.4, '10 m'],
    ['M', -9.94, '−9.9 m'],
    ['M', -10.4, '−10 m'],
    ['M', 999, '999 m'],
    ['M', 1_000, '1 km'],
    ['M', -1_250, '−1.3 km'],
    ['Km', 12.34, '12.3 km'],
    ['Kmh', 12.34, '12.3 km/h'],
    ['Mps', 10, '36 km/h'],
    ['Mv', 12_601, '12.60 V'],
    ['Mv', 12_000, '12.00 V'],
    ['V', 12.345, '12.35 V'],
    ['V', 12, '12 V'],
    ['Dbm', -81.26, '−81.3 dBm'],
    ['Percent', 99.94, '99.9 %'],
    ['Bytes', 999, '999 B'],
    ['Bytes', 1_000, '1 kB'],
    ['Bytes', 999_949, '999.9 kB'],
    ['Bytes', 1e6, '1 MB'],
    ['Bytes', 999.94e6, '999.9 MB'],
    ['Bytes', 1e9, '1 GB'],
    ['DegC', -12.34, '−12.3 °C'],
    ['MilliG', 1_234.5, '1.235 g'],
    ['Hz', 999.94, '999.9 Hz'],
    ['Hz', -999, '−999 Hz'],
    ['Hz', 1_000, '1 kHz'],
    ['Hz', -1_500, '−1.5 kHz']
  ])('in %s of %d reads "%s"', (unit, value, text) => {
    expect(formatQuantity(unit, value, metric)).toBe(text)
  })

  it.each<[Unit, number, string]>([
    ['M', 0.3048, '1 ft'],
    ['M', 2_639.4 * 0.3048, '2639 ft'],
    ['M', -2_639.4 * 0.3048, '−2639 ft'],
    ['M', 2_640 * 0.3048, '0.5 mi'],
    ['Km', 1.609344, '1 mi'],
    ['Km', 160.9344, '100 mi'],
    ['Kmh', 160.9344, '100 mph'],
    ['Mps', 44.704, '100 mph'],
    ['Psi', 100, '100 psi'],
    ['DegC', 100, '212 °F'],
    ['DegC', -40, '−40 °F']
  ])('in %s of %d reads "%s" for who reads miles', (unit, value, text) => {
    expect(formatQuantity(unit, value, imperial)).toBe(text)
  })

  it.each<[Unit, number, string]>([
    ['S', -200, '−3 min 20 s'],
    ['S', -3_660, '−1 h 1 min'],
    ['S', -48 * 3_600, '−2 days'],
    ['S', -15, '−15 s'],
    ['S', -0.5, '−0.5 s'],
    ['S', -0.04, '0 s'],
    ['S', -0, '0 s'],
    ['Min', -10, '−10 min'],
    ['Ms', -500, '−500 ms'],
    ['Ms', -200_000, '−3 min 20 s'],
    ['Ms', -0.4, '0 ms']
  ])('of a time before, %s of %d, has its sign once: "%s"', (unit, value, text) => {
    expect(formatQuantity(unit, value, metric)).toBe(text)
  })

  it.each<[Unit, number, string]>([
    ['DegC', -0.04, '0 °C'],
    ['Kmh', -0.04, '0 km/h'],
    ['Mps', -0.01, '0 km/h'],
    ['MilliG', -0.4, '0 g'],
    ['V', -0.004, '0 V'],
    ['Mv', -4, '0.00 V'],
    ['M', -0.04, '0 m'],
    ['Km', -0.04, '0 km'],
    ['Dbm', -0.04, '0 dBm'],
    ['Percent', -0.04, '0 %'],
    ['Psi', -0.4, '0 bar'],
    ['Hz', -0.04, '0 Hz'],
    ['Bytes', -0.4, '0 B'],
    ['DegC', -0, '0 °C'],
    ['Mv', -5.1, '−0.01 V'],
    ['DegC', -0.06, '−0.1 °C']
  ])('that is printed as zero has no sign: %s of %d is "%s"', (unit, value, text) => {
    expect(formatQuantity(unit, value, metric)).toBe(text)
  })

  it('of zero has no sign in other units and other languages either', () => {
    expect(formatQuantity('DegC', -17.79, imperial)).toBe('0 °F')
    expect(formatQuantity('M', -0.1, imperial)).toBe('0 ft')
    expect(formatQuantity('V', -0.004, spanish)).toBe('0 V')
    expect([formatNumber(-0.4, 'en', 0), formatNumber(-0.001, 'es', 2, 2)]).toEqual(['0', '0,00'])
  })

  it('reads as the language writes', () => {
    expect(formatQuantity('V', 12.5, spanish)).toBe('12,5 V')
    expect(formatQuantity('S', -172_800, spanish)).toBe('−2 días')
    expect([
      formatNumber(1_234.5678, 'en'),
      formatNumber(1_234.5678, 'es'),
      formatNumber(2, 'en', 3, 2),
      formatNumber(2, 'en')
    ]).toEqual(['1234.568', '1234,568', '2.00', '2'])
  })
})

it('a name ends in its unit, and the longest name of a unit counts', () => {
  expect(
    [
      'forS',
      'speedKmh',
      'accelMilliG',
      'atDegC',
      'afterMs',
      'distanceM',
      'readKm',
      'lines',
      'S',
      'Kmh',
      'gpsS',
      'line1V'
    ].map(unitOf)
  ).toEqual(['S', 'Kmh', 'MilliG', 'DegC', 'Ms', 'M', 'Km', undefined, undefined, undefined, 'S', 'V'])
  expect([unitOf('NAME_S'), unitOf('name_S')]).toEqual([undefined, undefined])
})
