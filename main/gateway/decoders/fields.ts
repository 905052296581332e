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

/** Epoch ms of a time in an answer: seconds, milliseconds, or a text, which is UTC without a zone ("Conventions" 4). Undefined for anything else. */
export function epochMsOf(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) {
    if (value > 1e8 && value < 1e11) return value * 1000
    return value >= 1e11 && value < 1e14 ? value : undefined
  }
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return undefined
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(value)
  const ms = Date.parse(hasZone || !value.includes('T') ? value : `${value}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

/** Whether the speeds of an answer with these units are in the requested m/s: a speed in another unit is not usable. */
export function areMetersPerS(units: { speed?: string | undefined } | undefined): boolean {
  return /^m(eter)?s?\/s/i.test(units?.speed ?? 'meter/second')
}
