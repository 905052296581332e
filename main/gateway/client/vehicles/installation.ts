import type { Json } from '../../../../preload/contract/define.ts'
import type { EntityChoice } from '../../../../preload/contract/gateway/gateway.ts'
import type { RawdataEvent } from '../records/data.ts'
import type { Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { deviceOfEvent } from '../../../base/reading/eventOfDevice.ts'
import type { GatewayClient } from '../client.ts'
import { orAborted } from '../../../base/time/pause.ts'
import { createAccessoryReadings } from '../accessories/accessoryReadings.ts'
import { imeiOfRecord } from './deviceRecord.ts'
import { choiceOf, deviceImeiOf, findEntities, findVehicleOfDevice, plateOf } from './entities.ts'
import { readEngineBus } from './engineBusOfVehicle.ts'
import { findExactEntity, type ExactEntity } from './exactEntity.ts'
import { delayOf } from '../decoders/eventTimes.ts'
import { simNumber } from '../../../base/reading/simNumber.ts'
import { timeFromOutside } from '../../../../preload/gateway/events/timeFromOutside.ts'
import { beginningOf, hasLinkTo } from './linkHistory.ts'
import { orNull } from '../transport/orNull.ts'
import { createRoadGateway } from './road.ts'

const eventFields = [
  'device_id',
  'type',
  'code',
  'label',
  'lat',
  'lon',
  'valid_position',
  'speed',
  'sv',
  'hdop',
  'cf_rssi',
  'comdelay',
  'event_epoch',
  'system_epoch'
]
/** Events of the receiver have smaller types ("Rawdata event"). */
const firstConnectionType = 100
/** Several checks watch the same data in parallel; one request serves them all. */
const shareMs = 2_000
const vehicleKeptMs = 30_000

interface Shared {
  atMs: number
  answer: Promise<unknown>
}

/**
 * The gateway requests of an installation, of documented records only. Throws NOT_AUTHENTICATED while `client` returns
 * none.
 */
export function createInstallationGateway(client: () => Promise<GatewayClient>) {
  const shared = new Map<string, Shared>()

  /** A shared answer must not end with the check that asked first, so it is not bound to one signal. */
  async function share<T>(key: string, keepMs: number, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    const present = shared.get(key)
    if (!present || performance.now() - present.atMs > keepMs) {
      const answer = ask()
      shared.set(key, { atMs: performance.now(), answer })
      answer.catch(() => shared.delete(key))
    }
    return orAborted((shared.get(key) as Shared).answer as Promise<T>, signal)
  }

  async function nowMs(): Promise<number> {
    return (await client()).nowMs()
  }

  async function vehicleIdOf(imei: string, signal: AbortSignal): Promise<number | null> {
    const found = await share(`vehicle ${imei}`, vehicleKeptMs, signal, async () =>
      findVehicleOfDevice(await client(), imei)
    )
    return found.vehicle?.id ?? null
  }

  return {
    client,
    road: createRoadGateway(client),
    accessories: createAccessoryReadings(client, vehicleIdOf),

    findDevice: (imei: string, signal: AbortSignal) =>
      orNull(async () => {
        const { value } = await (await client()).devices.get({ imei }, { signal })
        return { imei: imeiOfRecord(value), simIds: simIdsOf(value), raw: value as Json }
      }),

    findSim: (iccid: string, signal: AbortSignal) =>
      orNull(async () => {
        const { value } = await (await client()).sims.get({ id: iccid }, { signal })
        return { raw: value as Json }
      }),

    readLines: (imei: string, signal: AbortSignal) =>
      share(`lines ${imei}`, shareMs, signal, () =>
        orNull(async () => {
          const { value } = await (await client()).devices.get({ imei, select: 'ios_state' })
          // Lines in a record that names a different device, or none, prove nothing.
          if (imeiOfRecord(value) !== imei) return null
          const state = value.ios_state ?? {}
          const epochS = typeof state._epoch === 'number' ? state._epoch : null
          return {
            values: new Map(
              Object.entries(state).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')
            ),
            atMs: epochS === null ? null : epochS * 1000,
            ageS: epochS === null ? null : (await nowMs()) / 1000 - epochS,
            raw: state as Json
          }
        })
      ),

    async readEvents(
      request: {
        imei: string
        vehicleId: number | null
        sinceMs?: number
        untilMs?: number
        by?: 'arrival'
        isOfReceiver?: boolean
      },
      signal: AbortSignal
    ) {
      const vehicleId = request.vehicleId ?? (await vehicleIdOf(request.imei, signal))
      const { sinceMs = '', untilMs = '', by = 'date', isOfReceiver = false } = request
      const key = `events ${request.imei} ${vehicleId} ${sinceMs} ${untilMs} ${by} ${isOfReceiver}`
      return share(key, shareMs, signal, async () => {
        const gateway = await client()
        const until = request.untilMs === undefined ? {} : { to: new Date(request.untilMs) }
        const range =
          request.sinceMs === undefined ? { duration: 'PT30M' } : { from: new Date(request.sinceMs), ...until }
        const conditions = [
          // Without a vehicle that shows this device, the events themselves must name it.
          ...(vehicleId === null ? [`device_id == ${request.imei}`] : []),
          ...(isOfReceiver ? [`type < ${firstConnectionType}`] : [])
        ]
        const { value } = await gateway.rawdata.query({
          ...range,
          ...(vehicleId === null ? {} : { vehicles: [vehicleId] }),
          ...(conditions.length > 0 ? { filter: conditions.join(' and ') } : {}),
          fields: eventFields,
          order: by === 'arrival' ? 'system_time' : 'event_time',
          tail: 10
        })
        const gatewayNowMs = await nowMs()
        return (value.events ?? [])
          .filter((event) => [null, request.imei].includes(deviceOfEvent(event)))
          .map((event) => toEvent(event, gatewayNowMs))
          .filter((event) => event !== undefined)
          .sort((a, b) =>
            by === 'arrival'
              ? b.eventAtMs + (b.delayS ?? 0) * 1000 - a.eventAtMs - (a.delayS ?? 0) * 1000
              : b.eventAtMs - a.eventAtMs
          )
      })
    },

    async findVehicleOfDevice(imei: string, signal: AbortSignal): Promise<EntityChoice | null> {
      const { vehicle } = await findVehicleOfDevice(await client(), imei, { signal })
      if (typeof vehicle?.id !== 'number') return null
      return {
        id: vehicle.id,
        name: vehicle.name ?? `vehicle ${vehicle.id}`,
        plate: plateOf(vehicle.info),
        imei: deviceImeiOf(vehicle),
        kind: 'vehicle',
        assetType: null
      }
    },

    /** Null when the gateway shows this device in no vehicle: another device's bus is no proof. */
    async readEngineBus({ imei, sinceMs }: { imei: string; sinceMs: number }, signal: AbortSignal) {
      const vehicleId = await vehicleIdOf(imei, signal)
      if (vehicleId === null) return null
      return readEngineBus(await client(), { imei, vehicleId, sinceMs, nowMs: await nowMs() }, signal)
    },

    async readClock(signal: AbortSignal): Promise<{ aheadS: number | null }> {
      const gateway = await client()
      // The Date of each answer contains it too, in whole seconds; an answer without a time changes nothing.
      await gateway.tz.list({}, { signal })
      return { aheadS: gateway.clockDifferenceS() }
    },

    /** Metres on the device counter of a vehicle; null when there is none. */
    async readDistance(vehicleId: number, signal: AbortSignal): Promise<number | null> {
      const { value } = await (await client()).counters.ofVehicle({ vid: vehicleId }, { signal })
      return value.vehicle?.plain?.['dev_dist'] ?? null
    },

    async findEntities(kind: 'vehicle' | 'asset', text: string, signal: AbortSignal): Promise<EntityChoice[]> {
      const { entities } = await findEntities(await client(), { kind, text }, { signal, priority: 'person' })
      const wanted = text.trim().toLowerCase()
      const isExact = (entity: EntityChoice) =>
        String(entity.id) === wanted || entity.name.toLowerCase() === wanted || entity.plate?.toLowerCase() === wanted
      const exact = entities.filter(isExact)
      return exact.length > 0 ? exact : entities
    },

    /** The record that a text means; only a single exact match among all visible records is an answer. */
    async findExact(kind: 'vehicle' | 'asset', text: string, signal: AbortSignal): Promise<ExactEntity> {
      return findExactEntity(await client(), { kind, text }, { signal, priority: 'person' })
    },

    /** The current vehicle or asset with this id; null when the gateway does not show it. */
    readRecord: (kind: 'vehicle' | 'asset', id: number, signal: AbortSignal) =>
      orNull(async () => {
        const gateway = await client()
        const { value } =
          kind === 'vehicle'
            ? await gateway.vehicles.get({ id }, { signal })
            : await gateway.assets.get({ id }, { signal })
        const record = value.id === id ? choiceOf(value, kind) : undefined
        if (!record) throw new AppError('UNREADABLE', message('gateway.notThisVehicle'), { retryable: true })
        return record
      }),

    /** The gateway caches by request: the second wording states the default time zone explicitly. */
    async findLink(
      primaryId: number,
      secondaryId: number,
      request: { sinceMs: number | undefined; afterMs?: number | undefined; wording: 1 | 2; signal: AbortSignal }
    ): Promise<{ found: boolean; sure: boolean; raw: Json }> {
      const gateway = await client()
      const { signal } = request
      const ofVehicle = await gateway.vehicles.get(
        { id: primaryId, ...(request.wording === 2 ? { tz: 'UTC' } : {}) },
        { signal }
      )
      const { found, sure, entry } = hasLinkTo(ofVehicle.raw, secondaryId, beginningOf(request))
      return { found: found && sure, sure, raw: entry ?? null }
    }
  }
}

function toEvent(event: Sparse<RawdataEvent>, gatewayNowMs: number) {
  const eventAtMs = typeof event.event_epoch === 'number' ? event.event_epoch * 1000 : timeFromOutside(event.event_time)
  if (eventAtMs === undefined) return undefined
  return {
    eventAtMs,
    ageS: Math.max(0, (gatewayNowMs - eventAtMs) / 1000),
    delayS: delayOf(event, eventAtMs),
    type: event.type ?? null,
    label: event.label ?? null,
    latitude: event.lat ?? null,
    longitude: event.lon ?? null,
    isPositionValid: event.valid_position ?? null,
    raw: event as Json
  }
}

/** The full form of a device record is not documented: any field named like a SIM with the number of one counts. */
export function simIdsOf(record: unknown, name = '', depth = 0): string[] {
  if (depth > 4) return []
  if (typeof record === 'string') return /sim|iccid/i.test(name) && simNumber(record) !== undefined ? [record] : []
  if (record === null || typeof record !== 'object') return []
  return Object.entries(record).flatMap(([key, value]) =>
    simIdsOf(value, Array.isArray(record) ? name : `${name}.${key}`, depth + 1)
  )
}
