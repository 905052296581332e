import type { VehicleLine, VehicleSheet } from '../../../preload/contract/vehicles/vehicles.ts'
import { t } from '../../texts.ts'

/** The details of a vehicle, unchanged, with readable names; plate and VIN are shown elsewhere. */
export function infoFacts(vehicle: VehicleLine, isWhole = false): { name: string; value: string }[] {
  return Object.entries(vehicle.info).flatMap(([key, value]) => {
    if (value === null || value === '') return []
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    if (!isWhole && (text === vehicle.plate || text === vehicle.vin)) return []
    return [{ name: key.replaceAll('_', ' '), value: text }]
  })
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
  return [vehicleLook(vehicle), names.length > 0 ? t('windowVehicle.ofGroups', { n: names.length, groups: names }) : ''].filter((part) => part !== '').join(' · ')
}
