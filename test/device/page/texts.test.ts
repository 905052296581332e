import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { formatSpeed, formatVolts, formatWhen } from '../../../renderer/base/format.ts'
import { language, say, units } from '../../../renderer/base/say.ts'
import { compassPoint, interfaceState, releaseDay } from '../../../renderer/device/readings/values.ts'
import { t } from '../../../renderer/base/texts.ts'

describe('the texts of the window', () => {
  function reset(): void {
    language.value = 'en'
    units.value = 'metric'
  }
  beforeEach(reset)
  afterEach(reset)

  it('are filled in and follow the language at once', () => {
    expect(t('windowApp.time.secondsAgo', { n: 4 })).toBe('4 s ago')
    expect(t('common.nDevicesNearby', { n: 1 })).toBe('1 device nearby')
    language.value = 'es'
    expect(t('common.nDevicesNearby', { n: 4 })).toBe('4 equipos cerca')
  })

  it('print numbers by one rule, in sentences and beside them', () => {
    const sentence = { id: 'windowApp.noAnswer', values: { limitMs: 2500 } }
    expect([say(sentence), formatVolts(4100), formatSpeed(50)]).toEqual([
      'Fitter did not answer within 2.5 s. Try again.',
      '4.10 V',
      '50 km/h'
    ])
    language.value = 'es'
    units.value = 'imperial'
    expect([say(sentence), formatVolts(4100), formatSpeed(50)]).toEqual([
      'Fitter no respondió en 2,5 s. Inténtelo otra vez.',
      '4,10 V',
      '31,1 mph'
    ])
    expect(formatWhen('2026-11-19T12:00:00.000Z')).toMatch(/^19 nov 2026, \d\d:00$/)
  })
})

describe('what a device says about itself', () => {
  beforeEach(() => {
    language.value = 'es'
  })
  afterEach(() => {
    language.value = 'en'
  })

  it('is shown in words of the language: states, days and compass points', () => {
    expect(['Enabled', 'Scanning', 'Interface_disabled', 'SomethingNew'].map(interfaceState)).toEqual([
      'encendido',
      'buscando',
      'interfaz apagada',
      'SomethingNew'
    ])
    expect([releaseDay('20260412083000'), releaseDay('v7'), releaseDay(undefined)]).toEqual(['12 abr 2026', 'v7', '–'])
    expect([270, 225, 0].map(compassPoint)).toEqual(['O', 'SO', 'N'])
  })
})
