/** The unchanged fields of a rawdata event. */
export type Fields = Readonly<Record<string, unknown>>

/** Null for a missing, wrongly typed or impossible value. */
export function numberIn(fields: Fields, name: string, min = -Infinity, max = Infinity): number | null {
  const value = fields[name]
  return typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max ? value : null
}

export function booleanIn(fields: Fields, name: string): boolean | null {
  const value = fields[name]
  return typeof value === 'boolean' ? value : null
}

export function textIn(fields: Fields, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
