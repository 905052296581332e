import type { Sparse } from '../../preload/contract/deviceAreas.ts'
import type { Json } from '../../preload/contract/define.ts'
import type { EntityChoice } from '../../preload/contract/gateway.ts'
import type { Vehicle } from './records/entities.ts'
import type { Page } from './records/page.ts'
import type { VehicleLine } from '../../preload/contract/vehicles.ts'
import type { CallOptions, GatewayReading } from './caller.ts'
import type { GatewayClient } from './client.ts'
import { deviceImeiOf, plateOf } from './entities.ts'
import { walkPages, type WalkEnd } from './paging.ts'

const lineFields = ['id', 'name', 'info', 'device', 'groups']

/** A vehicle record in the words of the list. `info` is free: plate and VIN are found by the names of its keys. */
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

export function lineToChoice(line: VehicleLine): EntityChoice {
  return { id: line.id, name: line.name, plate: line.plate, imei: line.imei, kind: 'vehicle', assetType: null }
}

/** Walks through all vehicles from `firstPage` on, a page at a time; see `walkPages` for how it ends. */
export async function* walkVehicles(
  client: GatewayClient,
  from: { set: number; firstPage: number },
  options: CallOptions
): AsyncGenerator<{ page: number; total: number | null; vehicles: VehicleLine[] }, WalkEnd, void> {
  let page = from.firstPage
  const fetchPage = async (where: { set: number; page: number }) =>
    (await client.vehicles.list({ select: lineFields, ...where }, options)) as GatewayReading<Page<Vehicle>>
  const walk = walkPages(fetchPage, { set: from.set, firstPage: from.firstPage, maxPages: 2_000 })
  for (;;) {
    const step = await walk.next()
    if (step.done) return step.value
    const { data, total } = step.value.value as { data?: Sparse<Vehicle>[]; total?: number }
    yield { page: page++, total: total ?? null, vehicles: (data ?? []).map(toVehicleLine).filter((line) => line !== undefined) }
  }
}

/** The chassis number, under whatever key of `info` says so; null without one. */
export function vinOf(info: Readonly<Record<string, unknown>>): string | null {
  for (const [key, value] of Object.entries(info)) {
    if (/(^|[^a-z])(vin|chassis)([^a-z]|$)/i.test(key.replace(/([a-z])([A-Z])/g, '$1 $2')) && typeof value === 'string' && value !== '') return value
  }
  return null
}

function groupIdOf(group: unknown): number | undefined {
  if (typeof group === 'number') return group
  const id = group !== null && typeof group === 'object' ? (group as { id?: unknown }).id : undefined
  return typeof id === 'number' ? id : undefined
}
