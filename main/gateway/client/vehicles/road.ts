import type { Json } from '../../../../preload/contract/define.ts'
import type { Association } from '../../../../preload/contract/gateway/vehicles/vehicles.ts'
import type { Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import { deviceOfEvent, isEventOfDevice } from '../../../base/reading/eventOfDevice.ts'
import { associationsOf } from './associations.ts'
import type { GatewayClient } from '../client.ts'
import { arrivedMs, delayOf } from '../decoders/eventTimes.ts'
import { numberIn, type Fields } from '../decoders/fields.ts'
import { timeFromOutside } from '../../../../preload/gateway/events/timeFromOutside.ts'
import { readTrip } from '../decoders/trip.ts'
import { deviceImeiOf } from './entities.ts'
import { orNull } from '../transport/orNull.ts'
import type { RawdataEvent } from '../records/data.ts'

const eventFields = [
  'device_id',
  'type',
  'label',
  'lat',
  'lon',
  'valid_position',
  'speed',
  'comdelay',
  'event_epoch',
  'system_epoch'
]
/** A day of a busy device; no request asks for more. */
const mostEvents = 5_000
const kmhPerMs = 3.6
const counterFields = ['dev_dist', 'ecu_dist', 'dev_ign', 'ecu_eusage']

interface Range {
  fromMs: number
  untilMs: number
}

/**
 * The traces of a drive and of a device exchange at the gateway. Throws NOT_AUTHENTICATED while `client` returns none.
 */
export function createRoadGateway(client: () => Promise<GatewayClient>) {
  return {
    /**
     * Every event of a vehicle, or of a device that is in none, by the device's clock; oldest first, speeds in km/h.
     */
    async readEvents(request: Range & { vehicleId: number | null; imei: string }, signal: AbortSignal) {
      const { vehicleId, imei, fromMs, untilMs } = request
      const { value } = await (
        await client()
      ).rawdata.query(
        {
          ...rangeOf(request),
          ...(vehicleId === null ? { filter: `device_id == ${imei}` } : { vehicles: [vehicleId] }),
          fields: eventFields,
          order: 'event_time',
          tail: mostEvents
        },
        { signal }
      )
      const all = (value.events ?? []).map(toEvent).filter((event) => event !== undefined)
      const events = all
        .filter(({ eventAtMs }) => eventAtMs >= fromMs && eventAtMs <= untilMs)
        .sort((a, b) => a.eventAtMs - b.eventAtMs)
      return { events, isWhole: all.length < mostEvents }
    },

    /** The distance in the trip records of this period, from the first moving one to the last. */
    async readTrips({ vehicleId, ...range }: Range & { vehicleId: number }, signal: AbortSignal) {
      const { value } = await (await client()).trips.list({ ...rangeOf(range), vehicles: [vehicleId] }, { signal })
      const records = (value as { data?: Fields[] }).data ?? []
      const moved = records.map(readTrip).filter(({ kind }) => kind === 'trip')
      if (moved.length === 0) return null
      const spans = moved.map(({ startedAt, durationS, distanceM }) => {
        const fromMs = timeFromOutside(startedAt) ?? null
        return { fromMs, untilMs: fromMs === null || durationS === null ? null : fromMs + durationS * 1000, distanceM }
      })
      return {
        distanceM: sum(spans.map((span) => span.distanceM)),
        fromMs: least(spans.map((span) => span.fromMs)),
        untilMs: most(spans.map((span) => span.untilMs)),
        raw: records.slice(0, 50) as Json
      }
    },

    /** The increase of a vehicle's counters in this period: the device's, otherwise the engine's. */
    async readDistance({ vehicleId, ...range }: Range & { vehicleId: number }, signal: AbortSignal) {
      const { value } = await (await client()).counters.query({ ...rangeOf(range), vehicles: [vehicleId] }, { signal })
      const item = ((value.counters ?? []) as Fields[]).find(({ vid }) => vid === undefined || vid === vehicleId)
      if (!item) return null
      return {
        distanceM: numberIn(item, 'dev_dist', 0) ?? numberIn(item, 'ecu_dist', 0),
        fromMs: timeFromOutside(item['from']) ?? null,
        untilMs: timeFromOutside(item['to']) ?? null,
        raw: item as Json
      }
    },

    /** The current and past devices of a vehicle. Null for 404: not found, or not permitted. */
    readFitting: (vehicleId: number, signal: AbortSignal) =>
      orNull(async () => {
        const { raw } = await (await client()).vehicles.get({ id: vehicleId }, { signal })
        const record = (raw ?? {}) as Record<string, unknown>
        const { entries, isKnown } = associationsOf(raw)
        return {
          now: deviceNow(record),
          stays: entries.filter(({ kind }) => kind === 'device').map(toStay),
          isHistoryKnown: isKnown,
          raw: record as Json
        }
      }),

    /**
     * The vehicle's own counters (metres, seconds) by name, which continue when a device is exchanged; null: not shown.
     */
    async readCounters(vehicleId: number, signal: AbortSignal) {
      const { value } = await (await client()).counters.ofVehicle({ vid: vehicleId }, { signal })
      const plain = value.vehicle?.plain
      return plain ? { values: pick(plain), raw: plain as Json } : null
    },

    /** The vehicle's counters in the last event of another device before `untilMs`; null without one. */
    async readCountersOf(
      { vehicleId, imei, untilMs }: { vehicleId: number; imei: string; untilMs: number },
      signal: AbortSignal
    ) {
      const names = counterFields.flatMap((name) => [name, `vehicle_${name}`])
      const { value } = await (
        await client()
      ).rawdata.query(
        {
          ...rangeOf({ fromMs: untilMs - 30 * 86_400_000, untilMs }),
          vehicles: [vehicleId],
          filter: `device_id == ${imei}`,
          fields: ['device_id', 'event_epoch', ...names],
          order: 'event_time',
          tail: 1
        },
        { signal }
      )
      const event = ((value.events ?? []) as Fields[]).findLast((raw) => isEventOfDevice({ raw }, imei))
      if (!event) return null
      // The vehicle counter comes before the device counter: a device may have kilometres of another vehicle.
      const values = Object.fromEntries(
        counterFields.flatMap((name) => {
          const at = numberIn(event, `vehicle_${name}`, 0) ?? numberIn(event, name, 0)
          return at === null ? [] : [[name, at]]
        })
      )
      return { values, raw: event as Json }
    }
  }
}

function rangeOf({ fromMs, untilMs }: Range): { from: Date; to: Date } {
  // Requests use whole seconds, and the end of the range is included.
  return { from: new Date(Math.floor(fromMs / 1000) * 1000), to: new Date(Math.ceil(untilMs / 1000) * 1000) }
}

function toEvent(event: Sparse<RawdataEvent>) {
  const eventAtMs = typeof event.event_epoch === 'number' ? event.event_epoch * 1000 : timeFromOutside(event.event_time)
  if (eventAtMs === undefined) return undefined
  const delayS = delayOf(event, eventAtMs)
  return {
    eventAtMs,
    arrivedAtMs: arrivedMs(event) ?? (delayS === null ? null : eventAtMs + delayS * 1000),
    imei: deviceOfEvent(event),
    type: event.type ?? null,
    delayS,
    latitude: event.lat ?? null,
    longitude: event.lon ?? null,
    isPositionValid: event.valid_position ?? null,
    speedKmh: typeof event.speed === 'number' && event.speed >= 0 ? event.speed * kmhPerMs : null,
    raw: event as Json
  }
}

/** `none` only if the record says so: a missing field, or one of unknown form, proves nothing. */
function deviceNow(
  record: Record<string, unknown>
): { kind: 'device'; imei: string } | { kind: 'none' } | { kind: 'unreadable' } {
  const imei = deviceImeiOf(record)
  if (imei !== null) return { kind: 'device', imei }
  return 'device' in record && record['device'] === null ? { kind: 'none' } : { kind: 'unreadable' }
}

function toStay({ id, from, until }: Association): { imei: string; fromMs: number | null; untilMs: number | null } {
  return {
    imei: id,
    fromMs: from === null ? null : Date.parse(from),
    untilMs: until === null ? null : Date.parse(until)
  }
}

function pick(plain: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    counterFields.flatMap((name) => (typeof plain[name] === 'number' ? [[name, plain[name]]] : []))
  )
}

function sum(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : values.reduce<number>((total, value) => total + (value ?? 0), 0)
}

function least(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : Math.min(...(values as number[]))
}

function most(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : Math.max(...(values as number[]))
}
