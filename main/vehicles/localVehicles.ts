import type { GatewayCopies } from '../../preload/contract/gateway/copies.ts'
import type { VehicleCopy, VehicleLine } from '../../preload/contract/vehicles/vehicles.ts'
import type { Copies } from '../copies/copies.ts'

export interface LocalVehicles {
  status(): Promise<VehicleCopy>
  /**
   * Starts to copy the gateway's data, vehicles first, from the point where an earlier copy stopped; returns the state
   * immediately.
   */
  refresh(): Promise<VehicleCopy>
  stop(): Promise<VehicleCopy>
  /** Without search words, the page after the vehicle `after`. */
  search(text: string, limit: number, after?: number): Promise<{ vehicles: VehicleLine[]; more: boolean; copy: VehicleCopy }>
  get(id: number): Promise<{ vehicle: VehicleLine; copiedAt: string | null } | undefined>
  /** Stores one vehicle that this account has just read. */
  remember: Copies['remember']
}

/** The vehicles in the local copy, in the form that their screen shows. */
export function createLocalVehicles(copies: Copies): LocalVehicles {
  const status = async (): Promise<VehicleCopy> => vehicleCopyOf(await copies.status())
  return {
    status,
    refresh: async () => vehicleCopyOf(await copies.refresh()),
    stop: async () => vehicleCopyOf(await copies.hold()),
    async search(text, limit, after) {
      const { records, more } = await copies.search('vehicles', { text, limit, after })
      return { vehicles: records, more, copy: await status() }
    },
    async get(id) {
      const found = await copies.get('vehicles', id)
      return found && { vehicle: found.record, copiedAt: found.copiedAt }
    },
    remember: (site, vehicle) => copies.remember(site, vehicle)
  }
}

/** The part of the local copy's state that is about vehicles. */
export function vehicleCopyOf({ site, kinds, running, problem }: GatewayCopies): VehicleCopy {
  const vehicles = kinds.find(({ kind }) => kind === 'vehicles')
  return {
    site,
    count: vehicles?.count ?? 0,
    copiedAt: vehicles?.copiedAt ?? null,
    complete: vehicles?.complete ?? false,
    running,
    problem: problem ?? vehicles?.refused ?? null
  }
}
