import { wordsIn, type Written } from '../../checklists/written.ts'
import type { Field } from '../../checklists/schemaFields.ts'

/** What a person sets most often, without its name in a condition. */
const hidden: ReadonlySet<string> = new Set(['kind', 'as', 'name', 'instruction'])

/** The settings of an item in one line: the values, and how many there are of what has parts. */
export function summaryOf(item: Written, language: string): string {
  return Object.entries(item)
    .filter(([name, value]) => !hidden.has(name) && value !== undefined)
    .flatMap(([, value]) => textOf(value, language))
    .join(', ')
}

function textOf(value: unknown, language: string): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap((one) => textOf(one, language))
  if (typeof value !== 'object' || value === null) return []
  const written = value as Written
  if ('en' in written || 'es' in written) return [wordsIn(written, language)]
  const name = written['name'] ?? written['text']
  return name === undefined ? Object.values(written).flatMap((one) => textOf(one, language)) : textOf(name, language)
}

/**
 * The names of the fields that an item still needs, as `windowTemplates.field.*` has them; a question needs its text.
 */
export function missingOf(item: Written, fields: readonly Field[]): string[] {
  const own = item['kind'] === 'question' && wordsIn(item['name'], 'en') === '' ? ['name'] : []
  const choices = item['kind'] === 'question' && item['form'] === 'choice' && !item['choices'] ? ['choices'] : []
  return [...own, ...choices, ...fields.flatMap((field) => missingIn(field, item[field.name]))]
}

function missingIn(field: Field, value: unknown): string[] {
  const isEmpty = value === undefined || value === ''
  if (isEmpty) return field.isRequired ? [field.name] : []
  const parts = field.form === 'fields' ? [value as Written] : field.form === 'list' ? (value as Written[]) : []
  return parts.flatMap((part) => field.fields.flatMap((one) => missingIn(one, part[one.name])))
}

/** Wheels of each axle, from the front. */
export const tyreLayouts = [
  { axles: [2, 4], isTrailer: false },
  { axles: [2, 4, 4], isTrailer: false },
  { axles: [4, 4], isTrailer: true },
  { axles: [4, 4, 4], isTrailer: true }
] as const

/** Both are counted from 0, as the gateway does. */
export function wheelsOf(axles: readonly number[]): { axle: number; wheel: number }[] {
  return axles.flatMap((n, axle) => Array.from({ length: n }, (_, wheel) => ({ axle, wheel })))
}

export function hasLayout(wheels: unknown, axles: readonly number[]): boolean {
  const placed = ((wheels ?? []) as { axle?: number; wheel?: number }[])
    .map(({ axle, wheel }) => `${axle}.${wheel}`)
    .sort()
  return (
    placed.join() ===
    wheelsOf(axles)
      .map(({ axle, wheel }) => `${axle}.${wheel}`)
      .sort()
      .join()
  )
}
