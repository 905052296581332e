import type { Json } from '../../../preload/contract/define.ts'

export interface Fact {
  name: string
  value: string
}

const mostFacts = 40

function isRecord(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The single values of an answer, in its own field names: nothing is renamed or given a unit that the answer does not
 * have. Nested names are joined with a dot; lists are only counted by their items.
 */
export function readingFacts(value: Json, prefix = ''): Fact[] {
  if (!isRecord(value)) return []
  const facts = Object.entries(value).flatMap(([field, inner]): Fact[] => {
    const name = prefix ? `${prefix}.${field}` : field
    if (isRecord(inner)) return readingFacts(inner, name)
    if (Array.isArray(inner)) return [{ name, value: `[${String(inner.length)}]` }]
    return [{ name, value: inner === null ? '–' : String(inner) }]
  })
  return facts.slice(0, mostFacts)
}
