import type { CallOutput } from '../../preload/contract/index.ts'
import type { SignalBand, SignalDay, SignalGroupDay, VehicleLine } from '../../preload/contract/vehicles/vehicles.ts'

/** With fewer vehicles, 80 % of them say nothing. */
const least = 5
/** More vehicles would make one question too large for the gateway. */
const mostAsked = 50
const mostWeakest = 4
const weekDays = 7

interface GroupSource {
  /** The vehicles of the local copy with a device. */
  vehicles(): Promise<readonly VehicleLine[]>
  daysOfMany(ids: readonly number[]): Promise<ReadonlyMap<number, readonly SignalDay[]>>
}

/** The days of the other vehicles of this account, each value as the range in which 80 % of them lie. */
export async function readSignalGroup({ vehicles, daysOfMany }: GroupSource, ownId: number): Promise<CallOutput<'vehicles.signalGroup'>> {
  const others = (await vehicles()).filter(({ id }) => id !== ownId)
  // Spread over the whole list, and the same ones every time.
  const asked = others.length <= mostAsked ? others : Array.from({ length: mostAsked }, (_, n) => others[Math.floor((n * others.length) / mostAsked)] as VehicleLine)
  const found = asked.length === 0 ? new Map<number, readonly SignalDay[]>() : await daysOfMany(asked.map(({ id }) => id))
  const withData = new Map([...found].map(([id, days]) => [id, days.filter(({ reports }) => reports > 0)] as const).filter(([, days]) => days.length > 0))
  const readAt = new Date().toISOString()
  if (withData.size < least) return { days: [], withData: withData.size, least, weakest: [], readAt }
  return { days: bandsOf([...withData.values()]), withData: withData.size, least, weakest: weakestOf(asked, withData), readAt }
}

/** The range of each value on each day; null where fewer vehicles than `least` have it. */
export function bandsOf(group: readonly (readonly SignalDay[])[]): SignalGroupDay[] {
  const days = Map.groupBy(group.flat(), ({ day }) => day)
  return [...days]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([day, rows]) => {
      const band = (name: 'signalDbm' | 'satellites' | 'delayS' | 'reports') => bandOf(rows.flatMap((row) => row[name] ?? []))
      return { day, signalDbm: band('signalDbm'), satellites: band('satellites'), delayS: band('delayS'), reports: band('reports') }
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

function weakestOf(vehicles: readonly VehicleLine[], days: ReadonlyMap<number, readonly SignalDay[]>): CallOutput<'vehicles.signalGroup'>['weakest'] {
  const from = new Date(Date.now() - weekDays * 86_400_000).toISOString().slice(0, 10)
  return vehicles
    .flatMap(({ id, name, plate }) => {
      const signals = (days.get(id) ?? []).flatMap(({ day, signalDbm }) => (day >= from && signalDbm !== null ? [signalDbm] : []))
      return signals.length === 0 ? [] : [{ id, name, plate, signalDbm: shareOf(signals.sort((a, b) => a - b), 0.5) }]
    })
    .sort((a, b) => a.signalDbm - b.signalDbm)
    .slice(0, mostWeakest)
}
