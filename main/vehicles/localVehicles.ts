import type { GatewayCopies } from '../../preload/contract/gateway/copies.ts'
import type { VehicleCopy, VehicleLine } from '../../preload/contract/vehicles/vehicles.ts'
import type { Copies } from '../copies/copies.ts'

export interface LocalVehicles {
  status(): Promise<VehicleCopy>
  /** Begins to copy what the gateway has, vehicles first, from where an earlier walk stopped; gives the state at once. */
  refresh(): Promise<VehicleCopy>
  stop(): Promise<VehicleCopy>
  /** Without words, the page after the vehicle `after`. */
  search(text: string, limit: number, after?: number): Promise<{ vehicles: VehicleLine[]; more: boolean; copy: VehicleCopy }>
  get(id: number): Promise<{ vehicle: VehicleLine; copiedAt: string | null } | undefined>
  /** Stores one vehicle as this account just read it. */
  remember: Copies['remember']
}

/** The vehicles in the copy on this computer, in the words of their screen. */
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

/** What the copy of everything says of the vehicles in it. */
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
