import type { CallOutput } from '../../../preload/contract/index.ts'
import type {
  SignalBand,
  SignalDay,
  SignalGroupDay,
  VehicleLine
} from '../../../preload/contract/gateway/vehicles/vehicles.ts'

/** With fewer vehicles, 80 % of them say nothing. */
const least = 5
/** More vehicles would make one question too large for the gateway. */
const mostAsked = 50
const mostWeakest = 4
const weekDays = 7

interface GroupSource {
  /** The vehicles of the local copy with a device. */
  vehicles(): Promise<readonly VehicleLine[]>
  /** The names of the groups; of one that the gateway does not show, none. */
  groupNames(): Promise<ReadonlyMap<number, string | null>>
  daysOfMany(ids: readonly number[]): Promise<ReadonlyMap<number, readonly SignalDay[]>>
  /** Its days are the gateway's. */
  gatewayNowMs(): number
}

type Group = CallOutput<'vehicles.signalGroup'>

/**
 * The days of other vehicles, of one group or of the whole account: each value as the range in which 80 % of them lie.
 */
export async function readSignalGroup(
  { vehicles, groupNames, daysOfMany, gatewayNowMs }: GroupSource,
  ownId: number,
  groupId: number | null = null
): Promise<Group> {
  const all = await vehicles()
  const groups = groupsOf(all, ownId, await groupNames())
  const others = all.filter(({ id, groups: own }) => id !== ownId && (groupId === null || own.includes(groupId)))
  // Spread over the whole list, and the same ones every time.
  const asked =
    others.length <= mostAsked
      ? others
      : Array.from({ length: mostAsked }, (_, n) => others[Math.floor((n * others.length) / mostAsked)] as VehicleLine)
  const found =
    asked.length === 0
      ? new Map<number, readonly SignalDay[]>()
      : await daysOfMany([ownId, ...asked.map(({ id }) => id)])
  const ownDays = found.get(ownId) ?? []
  const withData = new Map(
    [...found]
      .filter(([id]) => id !== ownId)
      .map(([id, days]) => [id, days.filter(({ reports }) => reports > 0)] as const)
      .filter(([, days]) => days.length > 0)
  )
  const readAt = new Date().toISOString()
  const weekBefore = new Date(gatewayNowMs() - weekDays * 86_400_000).toISOString().slice(0, 10)
  if (withData.size < least)
    return {
      days: [],
      groups,
      places: { signalDbm: null, satellites: null, delayS: null, reports: null },
      withData: withData.size,
      least,
      weakest: [],
      readAt
    }
  return {
    days: bandsOf([...withData.values()]),
    groups,
    places: placesOf(ownDays, [...withData.values()], weekBefore),
    withData: withData.size,
    least,
    weakest: weakestOf(asked, withData, weekBefore),
    readAt
  }
}

/** Groups with another vehicle, those of this vehicle first. */
function groupsOf(
  vehicles: readonly VehicleLine[],
  ownId: number,
  names: ReadonlyMap<number, string | null>
): Group['groups'] {
  const own = new Set(vehicles.find(({ id }) => id === ownId)?.groups)
  const ids = new Set(vehicles.flatMap(({ id, groups }) => (id === ownId ? [] : groups)))
  return [...ids]
    .map((id) => ({ id, name: names.get(id) ?? null, isOwn: own.has(id) }))
    .sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || (a.name ?? '').localeCompare(b.name ?? '') || a.id - b.id)
}

/** The place of each value of the last week, 1 for the best; null where it is missing or too few have one. */
function placesOf(own: readonly SignalDay[], others: readonly (readonly SignalDay[])[], from: string): Group['places'] {
  const place = (name: keyof Group['places'], better: 1 | -1) => {
    const value = lastWeek(own, name, from)
    const all = others.flatMap((days) => lastWeek(days, name, from) ?? [])
    if (value === null || all.length < least) return null
    return { place: 1 + all.filter((one) => better * (one - value) > 0).length, of: all.length + 1 }
  }
  return {
    signalDbm: place('signalDbm', 1),
    satellites: place('satellites', 1),
    delayS: place('delayS', -1),
    reports: place('reports', 1)
  }
}

/** The median of a value since a day. */
function lastWeek(days: readonly SignalDay[], name: keyof Group['places'], from: string): number | null {
  const values = days.flatMap(({ day, [name]: value, reports }) =>
    day >= from && value !== null && reports > 0 ? [value] : []
  )
  return values.length === 0
    ? null
    : shareOf(
        values.sort((a, b) => a - b),
        0.5
      )
}

/** The range of each value on each day; null where fewer vehicles than `least` have it. */
export function bandsOf(group: readonly (readonly SignalDay[])[]): SignalGroupDay[] {
  const days = Map.groupBy(group.flat(), ({ day }) => day)
  return [...days]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([day, rows]) => {
      const band = (name: 'signalDbm' | 'satellites' | 'delayS' | 'reports') =>
        bandOf(rows.flatMap((row) => row[name] ?? []))
      return {
        day,
        signalDbm: band('signalDbm'),
        satellites: band('satellites'),
        delayS: band('delayS'),
        reports: band('reports')
      }
    })
}

function bandOf(values: readonly number[]): SignalBand | null {
  if (values.length < least) return null
  const sorted = [...values].sort((a, b) => a - b)
  return { low: shareOf(sorted, 0.1), middle: shareOf(sorted, 0.5), high: shareOf(sorted, 0.9) }
}

/** The value below which this share of them lies, between two values in proportion. */
function shareOf(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1)
  const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0]
  return below + (above - below) * (place % 1)
}

function weakestOf(
  vehicles: readonly VehicleLine[],
  days: ReadonlyMap<number, readonly SignalDay[]>,
  from: string
): Group['weakest'] {
  return vehicles
    .flatMap(({ id, name, plate }) => {
      const signalDbm = lastWeek(days.get(id) ?? [], 'signalDbm', from)
      return signalDbm === null ? [] : [{ id, name, plate, signalDbm }]
    })
    .sort((a, b) => a.signalDbm - b.signalDbm)
    .slice(0, mostWeakest)
}
