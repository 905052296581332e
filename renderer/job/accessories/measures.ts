import { kmPerMile } from '../../../preload/base/messages/quantities.ts'
import type { Units } from '../../../preload/base/messages/settings.ts'
import { none, withUnit } from '../../device/readings/values.ts'

export function temperatureText(celsius: number | null, units: Units): string {
  if (celsius === null) return none
  return units === 'imperial' ? withUnit(celsius * 1.8 + 32, '°F', 1) : withUnit(celsius, '°C', 1)
}

/** Pressure in psi, as the monitor reports it, and in bar. */
export function pressureText(psi: number | null, units: Units): string {
  if (psi === null) return none
  return units === 'imperial' ? withUnit(psi, 'psi') : `${withUnit(psi * 0.0689476, 'bar', 1)}`
}

export function distanceText(meters: number | null, units: Units): string {
  if (meters === null) return none
  return units === 'imperial' ? withUnit(meters / 1000 / kmPerMile, 'mi', 1) : withUnit(meters / 1000, 'km', 1)
}
