import type { Fields } from './fields.ts'

/** The short text of an event label, `<short>:<long>` by language; falls back to English, then to the label. */
export function labelText(labels: Fields, label: string, language: 'en' | 'es'): string {
  const record = Object.hasOwn(labels, label) ? labels[label] : undefined
  const texts = record !== null && typeof record === 'object' ? (record as Fields) : {}
  const text = [texts[language], texts['en']].find((one) => typeof one === 'string' && one.trim() !== '')
  return typeof text === 'string' ? text.replace(/:.*$/s, '').trim() || label : label
}
