import { describe, expect, it } from 'vitest'
import { coreSentences, findSpanish, translateCore } from '../../renderer/locales/core/index.ts'
import { readChecklistTexts, readCoreTexts } from './coreLiterals.ts'

const sources = [
  'main/jobs/**/*.ts',
  'main/operations/**/*.ts',
  'main/discovery/**/*.ts',
  'main/labelText.ts',
  'main/device/failures.ts',
  'main/gateway/answers.ts',
  'main/gateway/decoders/photoStatus.ts',
  'main/gateway/decoders/engineBus.ts',
  'main/accessories/**/*.ts',
  'main/workspace/**/*.ts',
  'main/deviceLines.ts',
  'main/discoveryDesk.ts',
  'main/gatewayAccess.ts',
  'main/secrets/keychain.ts',
  'main/store/errors.ts',
  'simulator/vehicle/lines.ts',
  'main/doctor.ts'
]
/** Parts that other sentences take up in one of several forms, which are there in full. */
const parts = new Set(['device name', 'Q1 found.', ', with no asset', ', Q1 of them unreadable', ', with asset Q1', 'exit Q1'])
const sample = [...readCoreTexts(sources), ...readChecklistTexts('resources/checklists/*.json'), ...readChecklistTexts('resources/profiles/*.json')].filter(
  ({ text }) => !parts.has(text)
)

/** Words that only English has. */
const english = /\b(the|is|are|was|were|not|and|of|with|this|that|its?|for|be|does|has|cannot|could|been|from|it|there|waits)\b/
const tokens = (text: string) => [...new Set(text.match(/Q\d+|\{\w+\}/g) ?? [])].sort()

describe('the sentences of the core', () => {
  it('are all there in Spanish', () => {
    const missing = sample.filter(({ text }) => findSpanish(text) === undefined)
    expect(missing.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
  })

  it('keep nothing of the English once translated', () => {
    const mixed = sample.map(({ text }) => findSpanish(text) ?? '').filter((text) => english.test(text))
    expect(mixed).toEqual([])
  })

  it('keep what was filled in', () => {
    for (const { text } of sample) expect(tokens(findSpanish(text) ?? text), text).toEqual(tokens(text))
    for (const [from, to] of Object.entries(coreSentences)) expect(tokens(to), from).toEqual(tokens(from))
  })

  it('are found one by one where several stand behind one another', () => {
    expect(findSpanish("http://x/api answers, version 4.1. Its clock is 2 s ahead of this computer's.")).toBe(
      'http://x/api responde, versión 4.1. Su reloj está 2 s adelantado respecto a esta computadora.'
    )
    expect(findSpanish('Also on the port: one (process 1), two (process 2).')).toBe('También en el puerto: one (proceso 1), two (proceso 2).')
    expect(findSpanish('OUT1 stayed off: a fresh position, no motion missing')).toBe('OUT1 quedó inactiva: falta una posición reciente, sin movimiento')
  })

  it('stay as they are in English, and where nothing is known of them', () => {
    expect(translateCore('OUT1 goes on in 3 s.', 'en')).toBe('OUT1 goes on in 3 s.')
    expect(translateCore('Zorro 7 quack', 'es')).toBe('Zorro 7 quack')
  })
})
