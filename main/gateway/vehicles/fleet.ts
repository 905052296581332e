import {
  silentSpans,
  vehicleConditions,
  vehicleFilters,
  type SilentSpan,
  type VehicleCondition,
  type VehicleFilter,
  type VehicleLine,
  type VehicleState,
  type WhyUnknown
} from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import { reportingAt, whysUnknown } from '../../../preload/gateway/reporting.ts'
import type { Copies } from '../localCopy/copies.ts'
import { rhythmOfState, type CopiedState } from '../localCopy/copiedState.ts'

const weekMs = 7 * 86_400_000

export type FleetCounts = Record<VehicleFilter, number>

interface FleetVehicle {
  id: number
  groups: readonly number[]
  state: VehicleState
}

/**
 * How a vehicle stood when its device was copied: judged at that moment, so a copy that grows old makes nobody silent.
 * Undefined: the copy does not have its device.
 */
export function stateOfVehicle({ imei }: Pick<VehicleLine, 'imei'>, copied: CopiedState | undefined): VehicleState {
  const reporting = reportingAt(
    {
      hasDevice: imei !== null,
      isRead: copied !== undefined,
      lastReportedAt: copied?.lastReportedAt ?? null,
      isDriving: copied?.isDriving ?? null,
      rhythm: copied ? rhythmOfState(copied) : null
    },
    copied ? Date.parse(copied.gatewayAt) : 0
  )
  if (!copied || imei === null)
    return {
      reporting,
      conditions: [],
      since: null,
      isSinceKnown: false,
      lastReportedAt: null,
      signalDbm: null,
      readAt: null
    }
  const { lastReportedAt, readAt, signalDbm } = copied
  const since = { silent: reporting.since ?? undefined, ...copied.since }
  const conditions = vehicleConditions.filter((condition) => since[condition] !== undefined)
  const [earliest] = conditions.map((condition) => since[condition] ?? '').sort()
  // Silence begins with the last report; anything else was there when a report first showed it.
  return {
    reporting,
    conditions,
    since: earliest ?? null,
    isSinceKnown: reporting.since !== null && earliest === reporting.since,
    lastReportedAt,
    signalDbm,
    readAt
  }
}

/** The vehicles of the local copy by what is wrong with them. */
export async function readFleet(copies: Pick<Copies, 'parts'>) {
  const copied = new Map<string, CopiedState>()
  for await (const part of copies.parts('devices')) for (const { imei, state } of part) copied.set(imei, state)
  const vehicles: FleetVehicle[] = []
  let readAt: string | null = null
  const known: FleetCounts = { ...noCounts }
  for await (const part of copies.parts('vehicles')) {
    for (const line of part) {
      const device = line.imei === null ? undefined : copied.get(line.imei)
      if (device && (readAt === null || device.readAt < readAt)) readAt = device.readAt
      const vehicle = { id: line.id, groups: line.groups, state: stateOfVehicle(line, device) }
      vehicles.push(vehicle)
      countKnown(known, vehicle.state, device)
    }
  }
  const waiting = vehicles
    .filter(({ state }) => state.conditions.length > 0)
    .sort((a, b) => (a.state.since ?? '').localeCompare(b.state.since ?? '') || a.id - b.id)
  const of = (filter: VehicleFilter, group: number | null): FleetVehicle[] =>
    (filter === 'attention' || isCondition(filter) ? waiting : vehicles).filter(
      (vehicle) => isOf(vehicle.state, filter) && (group === null || vehicle.groups.includes(group))
    )
  const silent = vehicles
    .filter(({ state }) => state.reporting.is === 'silent')
    .sort((a, b) => sinceOf(a).localeCompare(sinceOf(b)) || a.id - b.id)
  const silentIn = (span: SilentSpan, nowMs: number): FleetVehicle[] =>
    silent.filter((vehicle) => span === 'all' || spanOf(nowMs - Date.parse(sinceOf(vehicle))) === span)
  return {
    /** False: no device was copied with its state, so nobody knows which vehicles need attention. */
    isKnown: copied.size > 0,
    /** When the state was read that was not read for the longest time; null: none was. */
    readAt,
    /** The silent vehicles, by how long at `nowMs`, the longest first; and how many each span has. */
    silent: (span: SilentSpan, nowMs: number): readonly number[] => silentIn(span, nowMs).map(({ id }) => id),
    silentCounts: (nowMs: number) =>
      Object.fromEntries(silentSpans.map((span) => [span, silentIn(span, nowMs).length])) as Record<SilentSpan, number>,
    /** The ids of a filter: those with a condition by how long it lasts, the longest first. */
    ids: (filter: VehicleFilter, group: number | null): readonly number[] => of(filter, group).map(({ id }) => id),
    counts: (group: number | null) =>
      Object.fromEntries(vehicleFilters.map((filter) => [filter, of(filter, group).length])) as FleetCounts,
    /** For how many vehicles the copy tells whether they belong to a filter: without one, a count of it means nothing. */
    known,
    /** Why vehicles are unknown. */
    unknown: Object.fromEntries(
      whysUnknown.map((why) => [why, vehicles.filter(({ state }) => state.reporting.why === why).length])
    ) as Record<WhyUnknown, number>,
    groups: [...new Set(vehicles.flatMap(({ groups }) => groups))].sort((a, b) => a - b)
  }
}

export type Fleet = Awaited<ReturnType<typeof readFleet>>

const noCounts = Object.fromEntries(vehicleFilters.map((filter) => [filter, 0])) as FleetCounts

function countKnown(known: FleetCounts, { reporting: { is } }: VehicleState, device: CopiedState | undefined): void {
  const shows: Record<VehicleFilter, boolean> = {
    attention: device !== undefined,
    silent: is === 'reports' || is === 'silent',
    reports: is === 'reports' || is === 'silent',
    noPower: typeof device?.hasPower === 'boolean',
    noPosition: typeof device?.hasPosition === 'boolean',
    weakSignal: typeof device?.signalDbm === 'number',
    unknown: true,
    noDevice: true,
    all: true
  }
  for (const filter of vehicleFilters) if (shows[filter]) known[filter] += 1
}

const sinceOf = ({ state }: FleetVehicle): string => state.reporting.since ?? ''

const isCondition = (filter: VehicleFilter): filter is VehicleCondition =>
  (vehicleConditions as readonly VehicleFilter[]).includes(filter)

function isOf({ conditions, reporting }: VehicleState, filter: VehicleFilter): boolean {
  if (filter === 'attention') return conditions.length > 0
  if (filter === 'all') return true
  return isCondition(filter) ? conditions.includes(filter) : reporting.is === filter
}

function spanOf(silentMs: number): SilentSpan {
  if (silentMs < weekMs) return 'week'
  return silentMs < 4 * weekMs ? 'month' : 'longer'
}
