import { describe, expect, it } from 'vitest'
import { en } from '../../renderer/locales/en.ts'
import { es } from '../../renderer/locales/es.ts'
import { language, plural, t } from '../../renderer/texts.ts'

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort()
/** Words that both languages share. */
const same = new Set(['common.no', 'frontEnd.terminal', 'supply.orMore', 'step.waivedBy'])

describe('the texts of the window', () => {
  it('are there in Spanish as in English, with the same placeholders', () => {
    expect(Object.keys(es)).toEqual(Object.keys(en))
    for (const key of Object.keys(en) as (keyof typeof en)[]) {
      expect(placeholders(es[key]), key).toEqual(placeholders(en[key]))
    }
  })

  it('are translated, not copied', () => {
    const copied = (Object.keys(en) as (keyof typeof en)[]).filter((key) => es[key] === en[key] && !same.has(key))
    expect(copied).toEqual([])
  })

  it('are filled in and follow the language at once', () => {
    language.value = 'en'
    expect(t('time.secondsAgo', { n: 4 })).toBe('4 s ago')
    expect(plural('devices.nearby', 1)).toBe('1 device nearby')
    language.value = 'es'
    expect(plural('devices.nearby', 4)).toBe('4 equipos cerca')
    language.value = 'en'
  })
})
