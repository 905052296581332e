import type { VehicleLine } from '../../../preload/contract/vehicles.ts'

/** The details of a vehicle as they are, with readable names; plate and VIN stand elsewhere. */
export function infoFacts(vehicle: VehicleLine, isWhole = false): { name: string; value: string }[] {
  return Object.entries(vehicle.info).flatMap(([key, value]) => {
    if (value === null || value === '') return []
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    if (!isWhole && (text === vehicle.plate || text === vehicle.vin)) return []
    return [{ name: key.replaceAll('_', ' '), value: text }]
  })
}
