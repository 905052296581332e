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

/**
 * The factor from the speeds of an answer with these units to km/h. Without units they are in the requested m/s; null:
 * an unknown unit, whose speeds are not usable.
 */
export function speedFactor(units: { speed?: unknown } | undefined): number | null {
  const unit = units?.speed
  if (typeof unit !== 'string' || /^m(eter|etre)?s?\/s/i.test(unit)) return 3.6
  if (/^(kph|km\/?h|kilomet(er|re)s?\/h)/i.test(unit)) return 1
  return /^(mph|mi(le)?s?\/h)/i.test(unit) ? 1.609344 : null
}
