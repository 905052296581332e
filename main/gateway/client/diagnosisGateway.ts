import type { Json } from '../../../preload/contract/define.ts'
import type { Sparse } from '../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { SeenEvent } from '../../../preload/contract/support/evidence.ts'
import { message } from '../../../preload/contract/messages.ts'
import { restingKmh } from '../../base/reading/rhythmOfEvents.ts'
import { deviceOfEvent } from '../../base/reading/eventOfDevice.ts'
import { powerIn } from '../../base/reading/reportedEvents.ts'
import { associationsOf } from './vehicles/associations.ts'
import type { GatewayReading } from './transport/caller.ts'
import type { GatewayClient } from './client.ts'
import { numberIn, speedFactor, type Fields } from './decoders/fields.ts'
import { timeFromOutside } from '../../../preload/gateway/events/timeFromOutside.ts'
import { arrivedMs, eventMs } from './decoders/eventTimes.ts'
import { rssiToDbm } from './decoders/signal.ts'
import { imeiOfRecord } from './vehicles/deviceRecord.ts'
import { deviceImeiOf, findVehicleOfDevice, plateOf } from './vehicles/entities.ts'
import { simIdsOf } from './vehicles/installation.ts'
import { orNull } from './transport/orNull.ts'
import type { RawdataEvent } from './records/data.ts'
import type { Vehicle } from './records/entities.ts'

const eventFields = [
  'device_id',
  'type',
  'code',
  'label',
  'lat',
  'lon',
  'valid_position',
  'speed',
  'head',
  'sv',
  'hdop',
  'cf_rssi',
  'comdelay',
  'event_epoch',
  'system_epoch'
]
/** Not in every gateway's catalogue. */
const ignitionField = 'io_ign'
const powerField = 'io_pwr'
/** Messages of the connection have no lines. */
const firstWithoutLines = 100
const dayMs = 86_400_000

export interface ShownVehicle {
  id: number
  name: string
  plate: string | null
  groups: number[] | null
  imei: string | null
}

/** Of a vehicle or, if none is known, of a device. Times by the gateway's clock. */
export interface EventsWanted {
  vehicleId: number | null
  imei: string | null
  fromMs: number
  toMs: number
  tail: number
}

/** The gateway data for a diagnosis. Null for 404: not found, or not permitted. Every other failure is an AppError. */
export function createDiagnosisGateway(client: () => Promise<GatewayClient>) {
  /** T or F means that the bus exists. A gateway without this field gives no information. */
  async function busLastThere(vehicleId: number, signal: AbortSignal): Promise<number | null> {
    const gateway = await client()
    const toMs = gateway.nowMs()
    try {
      const { value } = await gateway.rawdata.query(
        {
          vehicles: [vehicleId],
          from: new Date(toMs - dayMs),
          to: new Date(toMs),
          fields: ['event_epoch', 'ecu_battery_flag'],
          order: 'event_time',
          tail: 500
        },
        { signal, priority: 'screen' }
      )
      const newest = ((value.events ?? []) as Fields[]).findLast(
        ({ ecu_battery_flag: flag }) => flag === 'T' || flag === 'F'
      )
      return (newest && eventMs(newest)) ?? null
    } catch (error) {
      if (error instanceof AppError && error.fate === 'refused') return null
      throw error
    }
  }

  /** The fields of its catalogue, asked once; without an answer none is known. */
  const catalogues = new WeakMap<GatewayClient, Promise<object>>()
  async function hasField(name: string, signal: AbortSignal): Promise<boolean> {
    const gateway = await client()
    const asked =
      catalogues.get(gateway) ??
      gateway.rawdata.keys({}, { signal, priority: 'screen' }).then(({ value }) => value.keys ?? {})
    catalogues.set(gateway, asked)
    try {
      return Object.hasOwn(await asked, name)
    } catch (error) {
      catalogues.delete(gateway)
      if (error instanceof AppError && error.fate === 'refused' && error.code !== 'NOT_AUTHENTICATED') return false
      throw error
    }
  }

  return {
    /** The gateway's clock minus this computer's; null before the first answer. */
    aheadS: async (): Promise<number | null> => (await client()).clockDifferenceS(),

    /** The account that it is asked with; null without one. */
    username: async (): Promise<string | null> => (await (await client()).status()).user,

    async readUser(signal: AbortSignal) {
      const { value } = await (await client()).user.own({}, { signal, priority: 'screen' })
      const scopes =
        value.scopes &&
        (Object.fromEntries(Object.entries(value.scopes).filter(([, level]) => typeof level === 'string')) as Record<
          string,
          string
        >)
      return {
        name: value.username ?? value.email ?? '',
        isStaff: value.is_staff === true,
        scopes: scopes ?? null,
        groups: value.groups?.filter((id) => typeof id === 'number') ?? null
      }
    },

    /** With its past devices, newest first. */
    readVehicle: (id: number, signal: AbortSignal) =>
      orNull(async () => {
        const reading = await (await client()).vehicles.get({ id }, { signal, priority: 'screen' })
        const vehicle = shown(reading.value)
        if (vehicle?.id !== id) throw new AppError('UNREADABLE', message('gateway.notThisVehicle'), { retryable: true })
        const stays = associationsOf(reading.raw).entries.filter(({ kind }) => kind === 'device')
        return { vehicle, stays: stays.map(({ id: imei, from, until }) => ({ imei, fromAt: from, untilAt: until })) }
      }),

    /** The vehicle with this device; `isSure` is false when not all vehicles could be searched. */
    async findCarrier(imei: string, signal: AbortSignal): Promise<{ vehicle: ShownVehicle | null; isSure: boolean }> {
      const { vehicle, complete } = await findVehicleOfDevice(await client(), imei, { signal, priority: 'screen' })
      return { vehicle: (vehicle && shown(vehicle)) ?? null, isSure: complete }
    },

    readRecord: (imei: string, signal: AbortSignal) =>
      orNull(async () => {
        const { value, raw } = await (await client()).devices.get({ imei }, { signal, priority: 'screen' })
        return { imei: imeiOfRecord(value), simIds: simIdsOf(raw), raw: (raw ?? null) as Json }
      }),

    readSim: (iccid: string, signal: AbortSignal) =>
      orNull(async () => {
        const { raw } = await (await client()).sims.get({ id: iccid }, { signal, priority: 'screen' })
        return { raw: (raw ?? null) as Json }
      }),

    readLines: (imei: string, signal: AbortSignal) =>
      orNull(async () => {
        const { value } = await (
          await client()
        ).devices.get({ imei, select: 'ios_state' }, { signal, priority: 'screen' })
        // Lines in a record that names a different device, or none, prove nothing.
        if (imeiOfRecord(value) !== imei || !value.ios_state) return null
        const { _epoch: epochS } = value.ios_state
        const values = Object.fromEntries(
          Object.entries(value.ios_state).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')
        )
        return {
          values,
          atMs: typeof epochS === 'number' && epochS > 0 ? epochS * 1000 : null,
          raw: value.ios_state as Json
        }
      }),

    readEngineBus: (vehicleId: number, signal: AbortSignal) =>
      orNull(async () => {
        const { value, raw } = await (
          await client()
        ).remote.ecuState({ vid: vehicleId }, { signal, priority: 'screen' })
        const { detected, engineison, protocol_name: protocol, ecu_fw_full: firmware, _epoch: epochS } = value
        const lastThereAtMs = detected === false ? await busLastThere(vehicleId, signal) : null
        return {
          isDetected: detected ?? null,
          isEngineOn: engineison ?? null,
          protocol: protocol ?? null,
          firmware: firmware ?? null,
          atMs: typeof epochS === 'number' ? epochS * 1000 : null,
          lastThereAtMs,
          raw: (raw ?? null) as Json
        }
      }),

    /** Metres on the device counter of a vehicle; null when there is none. */
    async readDistance(vehicleId: number, signal: AbortSignal): Promise<number | null> {
      const { value } = await (await client()).counters.ofVehicle({ vid: vehicleId }, { signal, priority: 'screen' })
      return value.vehicle?.plain?.['dev_dist'] ?? null
    },

    /**
     * Since when, within the last day, the ignition has been on without any movement, epoch ms; null when it was off or
     * moved, or where the gateway's events do not tell the ignition.
     */
    async readRestingOn(vehicleId: number, signal: AbortSignal): Promise<number | null> {
      if (!(await hasField(ignitionField, signal))) return null
      const gateway = await client()
      const toMs = gateway.nowMs()
      const ask = async (more: { filter: string; head: number }): Promise<Fields[]> => {
        const { value } = await gateway.rawdata.query(
          {
            vehicles: [vehicleId],
            from: new Date(toMs - dayMs),
            to: new Date(toMs),
            fields: ['event_epoch', ignitionField, 'speed'],
            order: 'event_time',
            ...more
          },
          { signal, priority: 'screen' }
        )
        return (value.events ?? []) as Fields[]
      }
      const [first] = await ask({ filter: ignitionField, head: 1 })
      // In m/s, as the gateway answers by default.
      const restingMs = (restingKmh / 3.6).toFixed(1)
      const others = first
        ? await ask({
            filter: `(not ${ignitionField} and type < ${firstWithoutLines}) or speed > ${restingMs}`,
            head: 1
          })
        : []
      return first && others.length === 0 ? (eventMs(first) ?? null) : null
    },

    /** The newest by arrival, newest first. */
    async readEvents({ vehicleId, imei, fromMs, toMs, tail }: EventsWanted, signal: AbortSignal): Promise<SeenEvent[]> {
      const hasPower = await hasField(powerField, signal)
      const reading: GatewayReading<{
        events?: readonly Sparse<RawdataEvent>[] | undefined
        units?: { speed?: string | undefined } | undefined
      }> = await (
        await client()
      ).rawdata.query(
        {
          from: new Date(fromMs),
          // The end makes each request different, because the gateway caches by request.
          to: new Date(toMs),
          ...(vehicleId === null ? { filter: `device_id == ${imei ?? '0'}` } : { vehicles: [vehicleId] }),
          fields: hasPower ? [...eventFields, powerField] : eventFields,
          order: 'system_time',
          tail
        },
        { signal, priority: 'screen' }
      )
      const kmhPer = speedFactor(reading.value.units)
      const events = (reading.value.events ?? []).map((event) => toSeenEvent(event, kmhPer))
      return events.sort((a, b) => (b.arrivedAtMs ?? b.eventAtMs ?? 0) - (a.arrivedAtMs ?? a.eventAtMs ?? 0))
    }
  }
}

export type DiagnosisGateway = ReturnType<typeof createDiagnosisGateway>

function shown(vehicle: Sparse<Vehicle>): ShownVehicle | undefined {
  if (typeof vehicle.id !== 'number') return undefined
  const groups = vehicle.groups?.flatMap((one) => (typeof one === 'number' ? [one] : [])) ?? null
  return {
    id: vehicle.id,
    name: vehicle.name ?? String(vehicle.id),
    plate: plateOf(vehicle.info),
    groups,
    imei: deviceImeiOf(vehicle)
  }
}

/** An event of rawdata ("Rawdata event"). A GPS time of 0 is not a time. */
export function toSeenEvent(event: Sparse<RawdataEvent>, kmhPer: number | null): SeenEvent {
  const eventS = event.event_epoch
  const eventAtMs =
    typeof eventS === 'number' ? (eventS > 0 ? eventS * 1000 : null) : (timeFromOutside(event.event_time) ?? null)
  const arrivedAtMs =
    arrivedMs(event) ??
    (eventAtMs !== null && typeof event.comdelay === 'number' ? eventAtMs + event.comdelay * 1000 : null)
  return {
    eventAtMs,
    arrivedAtMs,
    type: event.type ?? null,
    label: event.label ?? null,
    imei: deviceOfEvent(event),
    vehicleId: event.vid ?? null,
    latitude: event.lat ?? null,
    longitude: event.lon ?? null,
    isPositionValid: event.valid_position ?? null,
    // A speed in an unknown unit is not usable.
    speedKmh: typeof event.speed === 'number' && kmhPer !== null ? event.speed * kmhPer : null,
    headingDeg: event.head ?? null,
    satellites: event.sv ?? null,
    hdop: numberIn(event as Fields, 'hdop', 0, 100),
    signalDbm: rssiToDbm(event.cf_rssi),
    hasPower: powerIn(event.label ?? null, (event as Fields)[powerField]),
    raw: event as Json
  }
}
