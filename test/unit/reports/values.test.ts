import { describe, expect, it } from 'vitest'
import { formatDuration, formatThresholds, formatTime } from '../../../main/reports/values.ts'

describe('values in reports', () => {
  it.each([
    [null, '–'],
    [0, '0 s'],
    [420, '0.4 s'],
    [9_960, '10 s'],
    [59_600, '1 min'],
    [94_000, '1 min 34 s'],
    [3_599_600, '1 h'],
    [7_199_000, '2 h'],
    [7_500_000, '2 h 5 min']
  ])('shows a duration of %s ms as %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text)
  })

  it('names the zone of every time and leaves what is no time as it is', () => {
    expect(formatTime('2026-11-19T08:12:04.000Z')).toBe('19 Nov 2026, 08:12:04 UTC')
    expect(formatTime('2026-07-19T23:12:04.000Z', 'Europe/Madrid')).toBe('20 Jul 2026, 01:12:04 CEST')
    expect(formatTime('unknown')).toBe('unknown')
  })

  it('gives every limit its unit and converts only what imperial readers expect otherwise', () => {
    const limits = { distanceMaxM: 50, rssiMinDbm: -90, speedMaxKmh: 100, steadySeconds: 60, hdopMax: 1.5, shareMinPercent: 90, lines: ['IN1'], mode: 'parked' }
    expect(formatThresholds(limits, 'metric')).toBe(
      'distance max 50 m; rssi min -90 dBm; speed max 100 km/h; steady 60 s; hdop max 1.5; share min 90 %; lines ["IN1"]; mode parked'
    )
    expect(formatThresholds(limits, 'imperial')).toMatch(/^distance max 164 ft; rssi min -90 dBm; speed max 62\.1 mph; steady 60 s/)
  })
})
