import type { Fields } from './fields.ts'

export interface LabelText {
  short: string
  long: string
}

/** Text of an event label, `<short>:<long>` by language; falls back to English, then to the label. The long text may be empty. */
export function labelText(labels: Fields, label: string, language: 'en' | 'es'): LabelText {
  const record = Object.hasOwn(labels, label) ? labels[label] : undefined
  const texts = record !== null && typeof record === 'object' ? (record as Fields) : {}
  for (const text of [texts[language], texts['en']]) {
    if (typeof text !== 'string' || text.trim() === '') continue
    const colon = text.indexOf(':')
    if (colon < 0) return { short: text.trim(), long: '' }
    return { short: text.slice(0, colon).trim() || label, long: text.slice(colon + 1).trim() }
  }
  return { short: label, long: '' }
}
