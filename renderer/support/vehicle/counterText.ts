import type { CounterUnit } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import { kmPerMile } from '../../../preload/base/messages/quantities.ts'
import type { Units } from '../../../preload/base/messages/settings.ts'

const litersPerGallon = 3.785411784

/** The unit for displaying and typing a counter. */
export function counterUnitText(unit: CounterUnit | null, units: Units): string {
  if (unit === 'm') return units === 'imperial' ? 'mi' : 'km'
  if (unit === 's') return 'h'
  if (unit === 'L') return units === 'imperial' ? 'gal' : 'L'
  return ''
}

function factor(unit: CounterUnit | null, units: Units): number {
  if (unit === 'm') return units === 'imperial' ? 1000 * kmPerMile : 1000
  if (unit === 's') return 3600
  return unit === 'L' && units === 'imperial' ? litersPerGallon : 1
}

export function toShown(value: number, unit: CounterUnit | null, units: Units): number {
  return value / factor(unit, units)
}

export function fromShown(value: number, unit: CounterUnit | null, units: Units): number {
  return value * factor(unit, units)
}

export function formatCounter(value: number, unit: CounterUnit | null, units: Units, language: string): string {
  const shown = toShown(value, unit, units).toLocaleString(language, { maximumFractionDigits: unit === null ? 2 : 1 })
  return `${shown} ${counterUnitText(unit, units)}`.trim()
}
