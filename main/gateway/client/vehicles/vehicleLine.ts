import type { Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import type { Json } from '../../../../preload/contract/define.ts'
import type { Vehicle } from '../records/entities.ts'
import type { VehicleLine } from '../../../../preload/contract/gateway/vehicles/vehicles.ts'
import { deviceImeiOf, plateOf } from './entities.ts'

/** `select` limits the fields. */
export const lineFields = ['id', 'name', 'info', 'device', 'groups']

/** A vehicle record in the form of the list. `info` is free text: plate and VIN are found by the names of its keys. */
export function toVehicleLine(record: Sparse<Vehicle>): VehicleLine | undefined {
  if (typeof record.id !== 'number') return undefined
  const info = (record.info ?? {}) as Record<string, Json>
  return {
    id: record.id,
    name: typeof record.name === 'string' ? record.name : `vehicle ${record.id}`,
    plate: plateOf(info),
    vin: vinOf(info),
    imei: deviceImeiOf(record),
    groups: (record.groups ?? []).map(groupIdOf).filter((id) => id !== undefined),
    info
  }
}

/** The chassis number, from any key of `info`; null without one. */
export function vinOf(info: Readonly<Record<string, unknown>>): string | null {
  for (const [key, value] of Object.entries(info)) {
    if (
      /(^|[^a-z])(vin|chassis)([^a-z]|$)/i.test(key.replace(/([a-z])([A-Z])/g, '$1 $2')) &&
      typeof value === 'string' &&
      value !== ''
    )
      return value
  }
  return null
}

function groupIdOf(group: unknown): number | undefined {
  if (typeof group === 'number') return group
  const id = group !== null && typeof group === 'object' ? (group as { id?: unknown }).id : undefined
  return typeof id === 'number' ? id : undefined
}
