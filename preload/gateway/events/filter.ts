import type { EventCondition, EventFilter } from '../../contract/gateway/vehicles/eventLog.ts'

export type Comparison = EventCondition['is']

const kmPerMile = 1.609344

const operators: Readonly<Record<Comparison, string>> = {
  equal: '==',
  notEqual: '!=',
  over: '>',
  atLeast: '>=',
  under: '<',
  atMost: '<='
}

/** The same as a filter expression of the gateway; empty when it matches everything. `speed`: the requested unit. */
export function filterText({ types, conditions }: EventFilter, speed: 'kph' | 'mph'): string {
  const ofTypes = (types ?? []).flatMap((type) => (type === null ? [] : [`type == ${String(type)}`]))
  const parts = conditions.map(
    (condition) => `${condition.field} ${operators[condition.is]} ${formatValue(condition, speed)}`
  )
  if (ofTypes.length === 1) parts.unshift(ofTypes[0] as string)
  if (ofTypes.length > 1) parts.unshift(`(${ofTypes.join(' or ')})`)
  return parts.join(' and ')
}

/**
 * The value of a condition in the gateway's units: `cf_rssi` is 0 to 31 there (dBm = -113 + 2n), speed in the requested
 * unit.
 */
function formatValue({ field, value }: EventCondition, speed: 'kph' | 'mph'): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", '')}'`
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (field === 'cf_rssi') return String((value + 113) / 2)
  return String(field === 'speed' && speed === 'mph' ? Math.round((value / kmPerMile) * 1000) / 1000 : value)
}

export type Value = string | number | boolean | null

/** Whether a value meets a condition. A missing value meets only "not". */
export function meetsCondition(value: Value, { is, value: wanted }: EventCondition): boolean {
  if (value === null) return is === 'notEqual'
  if (is === 'equal') return value === wanted
  if (is === 'notEqual') return value !== wanted
  if (typeof value !== 'number' || typeof wanted !== 'number') return false
  return is === 'over'
    ? value > wanted
    : is === 'atLeast'
      ? value >= wanted
      : is === 'under'
        ? value < wanted
        : value <= wanted
}
