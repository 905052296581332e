import type { VehicleLine, VehicleSheet } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import { t } from '../../base/texts.ts'

/** The details of a vehicle, unchanged, with readable names. */
export function infoFacts({ info }: VehicleLine): { name: string; value: string }[] {
  const known = Object.entries(info).filter(([, value]) => value !== null && value !== '')
  return known.map(([key, value]) => ({
    name: key.replaceAll('_', ' '),
    value: typeof value === 'object' ? JSON.stringify(value) : String(value)
  }))
}

/** Make and model, year, color: the details in the gateway's document, as far as the record has them. */
export function vehicleLook({ info }: VehicleLine): string {
  const text = (name: string): string => {
    const value = Object.entries(info).find(([key]) => key.toLowerCase() === name)?.[1]
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  }
  const what = [text('make'), text('model')].filter((part) => part !== '').join(' ')
  return [what, text('year'), text('color')].filter((part) => part !== '').join(', ')
}

/** The line under a vehicle's name. */
export function vehicleSub({ vehicle, groups }: VehicleSheet): string {
  const names = groups.map((group) => group.name ?? t('windowVehicles.vehicle.group', { id: group.id }))
  return [vehicleLook(vehicle), names.length > 0 ? t('windowVehicle.ofGroups', { n: names.length, groups: names }) : '']
    .filter((part) => part !== '')
    .join(' · ')
}
