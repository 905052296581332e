import type { EventCondition } from './filter.ts'

const kmPerMile = 1.609344

/** A value of a condition as the gateway counts it: `cf_rssi` is 0 to 31 there (dBm = -113 + 2n), speed as it is asked for. */
export function formatCell({ field, value }: EventCondition, speed: 'kph' | 'mph'): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", '')}'`
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (field === 'cf_rssi') return String((value + 113) / 2)
  return String(field === 'speed' && speed === 'mph' ? Math.round((value / kmPerMile) * 1000) / 1000 : value)
}
