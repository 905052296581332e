import { describe, expect, it } from 'vitest'
import { createTexts } from '../../../../main/base/messages/texts.ts'
import { formatDuration, formatLimits, formatStamp } from '../../../../main/job/reports/values.ts'

const english = createTexts({ language: 'en', units: 'metric', timeZone: 'UTC' })
const imperial = createTexts({ language: 'en', units: 'imperial', timeZone: 'Europe/Madrid' })
const spanish = createTexts({ language: 'es', units: 'metric', timeZone: 'Europe/Madrid' })

describe('values in reports', () => {
  it.each([
    [null, '–'],
    [0, '0 s'],
    [420, '0.4 s'],
    [9_960, '10 s'],
    [59_600, '60 s'],
    [194_000, '3 min 14 s'],
    [3_599_600, '1 h'],
    [7_199_000, '2 h'],
    [7_500_000, '2 h 5 min']
  ])('shows a duration of %s ms as %s', (durationMs, text) => {
    expect(formatDuration(durationMs, english)).toBe(text)
  })

  it('names the zone of every time and leaves what is no time as it is', () => {
    expect(formatStamp('2026-11-19T08:12:04.000Z', english)).toBe('19 Nov 2026, 08:12:04 UTC')
    expect(formatStamp('2026-07-19T23:12:04.000Z', spanish)).toBe('20 jul 2026, 01:12:04 CEST')
    expect(formatStamp('unknown', english)).toBe('unknown')
  })

  it('says every limit in words, with its unit, in the units of the reader', () => {
    const limits = { passM: 50, signalPassDbm: -90, standstillKmh: 100, holdS: 60, hdopPass: 1.5, engineOff: true }
    expect(formatLimits(limits, english)).toBe(
      'difference at most 50 m; signal at least −90 dBm; speed at most 100 km/h; held for 60 s; HDOP at most 1.5; engine off'
    )
    expect(formatLimits(limits, imperial)).toMatch(
      /^difference at most 164 ft; signal at least −90 dBm; speed at most 62\.1 mph; held for 60 s/
    )
    expect(formatLimits(limits, spanish)).toBe(
      'distancia máxima 50 m; señal al menos −90 dBm; velocidad máxima 100 km/h; mantenido 60 s; HDOP como máximo 1,5; motor apagado'
    )
  })

  it('keeps limits of another version, by their own names', () => {
    expect(formatLimits({ shareMinPercent: 90, lines: ['IN1'], mode: 'parked', restS: null }, english)).toBe(
      'share min 90 %; lines ["IN1"]; mode parked; rest s null'
    )
  })
})
