import { AppError } from '../../../../preload/contract/errors.ts'
import type { CallOutput } from '../../../../preload/contract/index.ts'
import type { SignalDay } from '../../../../preload/contract/gateway/vehicles/vehicles.ts'
import type { GatewayClient } from '../client.ts'
import { numberIn, type Fields } from '../decoders/fields.ts'
import { reportFields } from './deviceState.ts'
import { askInBackground, isLong } from '../events/rawdataTable.ts'

const namesKeptMs = 600_000

/** What a list and a timeline need to know about vehicles besides their records. */
export function createVehicleLife(client: () => Promise<GatewayClient>) {
  const known = new Map<
    string,
    { atMs: number; asset: Promise<{ id: number; name: string; type: string | null } | null> }
  >()

  function assetOf(gateway: GatewayClient, id: number, signal: AbortSignal) {
    const key = `${gateway.url} ${id}`
    const kept = known.get(key)
    if (kept && performance.now() - kept.atMs < namesKeptMs) return kept.asset
    const asset = gateway.assets.get({ id }, { signal, priority: 'screen' }).then(
      ({ value: { name, type } }) =>
        typeof name === 'string' && name !== ''
          ? { id, name, type: typeof type === 'string' && type !== '' ? type : null }
          : null,
      (error: unknown) => {
        known.delete(key)
        // Deleted, or not visible to this user: only its number is left.
        if (error instanceof AppError && error.code !== 'CANCELLED') return null
        throw error
      }
    )
    known.set(key, { atMs: performance.now(), asset })
    return asset
  }

  return {
    /** How the device of each vehicle last reported; vehicles that the gateway does not show are left out. */
    async standings(
      ids: readonly number[],
      signal: AbortSignal
    ): Promise<{ standings: { id: number; device: unknown }[]; readAt: string; gatewayMs: number }> {
      const gateway = await client()
      const select = { fields: ['id'], join: { device: reportFields } }
      const reading = await gateway.vehicles.list(
        { ids: [...ids], select, set: ids.length, page: 1 },
        { signal, priority: 'screen' }
      )
      const standings = (reading.value.data ?? []).flatMap(({ id, device }) =>
        typeof id === 'number' && ids.includes(id) ? [{ id, device: device ?? null }] : []
      )
      return { standings, readAt: reading.readAt, gatewayMs: gateway.nowMs() }
    },
    /** Names and types of assets; unreadable ones are left out. Cached for some minutes, because they hardly change. */
    async assets(ids: readonly number[], signal: AbortSignal): Promise<CallOutput<'vehicles.assets'>['assets']> {
      const gateway = await client()
      const read = await Promise.all(ids.map((id) => assetOf(gateway, id, signal)))
      return read.filter((asset) => asset !== null)
    },
    /** How many reports happened on each day (UTC) from `from` to `to`; days without any count 0. */
    async reports(
      { id, from, to }: { id: number; from: string; to: string },
      signal: AbortSignal
    ): Promise<CallOutput<'vehicles.reports'>> {
      const gateway = await client()
      // An event's id divided by itself is 1: the sum of a day is the number of events.
      const question = {
        vehicles: [id],
        from,
        to,
        fields: ['n:@id/@id'],
        resample: 'event_time',
        freq: '1D',
        how: 'sum'
      } as const
      const answer = isLong(from, to)
        ? await askInBackground(gateway, question, { signal, priority: 'screen' })
        : (await gateway.rawdata.query(question, { signal, priority: 'screen' })).value
      return { days: daysOf((answer.events ?? []) as Fields[]), readAt: new Date().toISOString() }
    },
    /** Medians of each day (UTC) from `from` to `to`. */
    async signalDays(
      { id, from, to }: { id: number; from: string; to: string },
      signal: AbortSignal
    ): Promise<CallOutput<'vehicles.signalWeeks'>> {
      const question = {
        vehicles: [id],
        from,
        to,
        fields: ['cf_rssi', 'sv', 'comdelay', 'n:@id/@id'],
        resample: 'event_time',
        freq: '1D',
        how: ['median', 'n:sum']
      } as const
      const answer = await askInBackground(
        await client(),
        { ...question, fields: [...question.fields], how: [...question.how] },
        { signal, priority: 'screen' }
      )
      return { days: signalDaysOf((answer.events ?? []) as Fields[]), readAt: new Date().toISOString() }
    },
    /** The same of several vehicles, by their ids; those without events are left out. */
    async signalDaysOfMany(
      { ids, from, to }: { ids: readonly number[]; from: string; to: string },
      signal: AbortSignal
    ): Promise<ReadonlyMap<number, SignalDay[]>> {
      const question = {
        vehicles: [...ids],
        from,
        to,
        fields: ['vid', 'cf_rssi', 'sv', 'comdelay', 'n:@id/@id'],
        resample: 'event_time',
        freq: '1D',
        how: ['median', 'n:sum'],
        group_by: ['vid']
      } as const
      const answer = await askInBackground(
        await client(),
        { ...question, fields: [...question.fields], how: [...question.how], group_by: [...question.group_by] },
        { signal, priority: 'screen' }
      )
      const rows = Map.groupBy((answer.events ?? []) as Fields[], (row) => numberIn(row, 'vid', 0))
      return new Map(
        [...rows].flatMap(([id, own]) => (id !== null && ids.includes(id) ? [[id, signalDaysOf(own)] as const] : []))
      )
    }
  }
}

export function signalDaysOf(rows: readonly Fields[]): SignalDay[] {
  return rows.flatMap((row) => {
    const day = /^\d{4}-\d\d-\d\d/.exec(String(row['event_time']))?.[0]
    const rssi = numberIn(row, 'cf_rssi', 0)
    return day === undefined
      ? []
      : [
          {
            day,
            signalDbm: rssi === null || rssi > 31 ? null : -113 + 2 * rssi,
            satellites: numberIn(row, 'sv', 0),
            delayS: numberIn(row, 'comdelay', 0),
            reports: Math.round(numberIn(row, 'n', 0) ?? 0)
          }
        ]
  })
}

function daysOf(rows: readonly Fields[]): { day: string; reports: number }[] {
  return rows.flatMap((row) => {
    const day = /^\d{4}-\d\d-\d\d/.exec(String(row['event_time']))?.[0]
    return day === undefined ? [] : [{ day, reports: Math.round(numberIn(row, 'n', 0) ?? 0) }]
  })
}
