import {
  silentSpans,
  vehicleConditions,
  vehicleFilters,
  type SilentSpan,
  type VehicleCondition,
  type VehicleFilter,
  type VehicleLine,
  type VehicleState
} from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import { isSilentAt, silentAfterMs } from '../../../preload/gateway/silence.ts'
import type { Copies } from '../localCopy/copies.ts'
import type { CopiedState } from '../localCopy/kinds.ts'

const weekMs = 7 * silentAfterMs

export type FleetCounts = Record<VehicleFilter, number>

interface FleetVehicle {
  id: number
  groups: readonly number[]
  hasDevice: boolean
  conditions: readonly VehicleCondition[]
  since: string | null
  lastReportedAt: string | null
}

/** How a device stood when it was copied. A copy grows old, but no vehicle falls silent because of that. */
export function stateOfCopy(state: CopiedState | undefined): VehicleState {
  if (!state)
    return { conditions: [], since: null, isSinceKnown: false, lastReportedAt: null, signalDbm: null, readAt: null }
  const { lastReportedAt, readAt, gatewayAt, signalDbm } = state
  const isSilent = lastReportedAt !== null && isSilentAt(lastReportedAt, Date.parse(gatewayAt))
  const since = { silent: isSilent ? lastReportedAt : undefined, ...state.since }
  const conditions = vehicleConditions.filter((condition) => since[condition] !== undefined)
  const [earliest] = conditions.map((condition) => since[condition] ?? '').sort()
  // Silence begins with the last report; anything else was there when a report first showed it.
  return {
    conditions,
    since: earliest ?? null,
    isSinceKnown: isSilent && earliest === lastReportedAt,
    lastReportedAt,
    signalDbm,
    readAt
  }
}

/** The vehicles of the local copy by what is wrong with them. */
export async function readFleet(copies: Pick<Copies, 'parts'>) {
  const states = new Map<string, VehicleState>()
  let isKnown = false
  for await (const part of copies.parts('devices')) {
    for (const { imei, state } of part) {
      const read = stateOfCopy(state)
      isKnown = true
      if (read.conditions.length > 0) states.set(imei, read)
    }
  }
  const vehicles: FleetVehicle[] = []
  for await (const part of copies.parts('vehicles')) vehicles.push(...part.map((line) => toFleet(line, states)))
  const waiting = vehicles
    .filter(({ conditions }) => conditions.length > 0)
    .sort((a, b) => (a.since ?? '').localeCompare(b.since ?? '') || a.id - b.id)
  const of = (filter: VehicleFilter, group: number | null): FleetVehicle[] =>
    (filter === 'all' || filter === 'noDevice' ? vehicles : waiting).filter(
      (vehicle) => isOf(vehicle, filter) && (group === null || vehicle.groups.includes(group))
    )
  const silent = vehicles
    .filter(({ conditions }) => conditions.includes('silent'))
    .sort((a, b) => (a.lastReportedAt ?? '').localeCompare(b.lastReportedAt ?? '') || a.id - b.id)
  const silentIn = (span: SilentSpan, nowMs: number): FleetVehicle[] =>
    silent.filter(({ lastReportedAt }) => span === 'all' || spanOf(nowMs - Date.parse(lastReportedAt ?? '')) === span)
  return {
    /** False: no device was copied with its state, so nobody knows which vehicles need attention. */
    isKnown,
    /** The silent vehicles, by how long at `nowMs`, the longest first; and how many each span has. */
    silent: (span: SilentSpan, nowMs: number): readonly number[] => silentIn(span, nowMs).map(({ id }) => id),
    silentCounts: (nowMs: number) =>
      Object.fromEntries(silentSpans.map((span) => [span, silentIn(span, nowMs).length])) as Record<SilentSpan, number>,
    /** The ids of a filter: those with a condition by how long it lasts, the longest first. */
    ids: (filter: VehicleFilter, group: number | null): readonly number[] => of(filter, group).map(({ id }) => id),
    counts: (group: number | null) =>
      Object.fromEntries(vehicleFilters.map((filter) => [filter, of(filter, group).length])) as FleetCounts,
    groups: [...new Set(vehicles.flatMap(({ groups }) => groups))].sort((a, b) => a - b)
  }
}

export type Fleet = Awaited<ReturnType<typeof readFleet>>

function toFleet({ id, groups, imei }: VehicleLine, states: ReadonlyMap<string, VehicleState>): FleetVehicle {
  const state = imei === null ? undefined : states.get(imei)
  return {
    id,
    groups,
    hasDevice: imei !== null,
    conditions: state?.conditions ?? [],
    since: state?.since ?? null,
    lastReportedAt: state?.lastReportedAt ?? null
  }
}

function isOf({ conditions, hasDevice }: FleetVehicle, filter: VehicleFilter): boolean {
  if (filter === 'attention') return conditions.length > 0
  if (filter === 'noDevice') return !hasDevice
  return filter === 'all' || conditions.includes(filter)
}

function spanOf(silentMs: number): SilentSpan {
  if (silentMs < weekMs) return 'week'
  return silentMs < 4 * weekMs ? 'month' : 'longer'
}
