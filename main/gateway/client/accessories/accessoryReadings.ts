import type { Json } from '../../../../preload/contract/define.ts'
import type { Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { isEventOfDevice } from '../../../base/reading/eventOfDevice.ts'
import type { GatewayClient } from '../client.ts'
import { bareMac } from '../../../../preload/base/messages/hiddenMarks.ts'
import { analogTemperatureC } from '../decoders/analogTemperature.ts'
import { readBluetoothTag } from '../decoders/bluetoothTag.ts'
import { numberIn, textIn, type Fields } from '../decoders/fields.ts'
import { timeFromOutside } from '../../../../preload/gateway/events/timeFromOutside.ts'
import { readIoExpander } from '../decoders/inputsOutputs.ts'
import { readTyres } from '../decoders/tyrePressure.ts'
import { eventMs } from '../decoders/eventTimes.ts'
import { createEventReader } from '../events/eventReader.ts'
import { beginningOf, hasLinkTo } from '../vehicles/linkHistory.ts'
import { readAllPages } from '../transport/paging.ts'
import { createPhotoReader } from './photoReader.ts'
import type { Trigger } from '../records/automation.ts'

const always = ['device_id', 'type', 'label', 'event_epoch', 'system_epoch']
const tyreFields = ['ecu_tires_psi', 'ecu_tires_tmp', 'ecu_tpms_warnings', 'ecu_tpms_conditions', 'ecu_tpms_provision']
const probes = ['a', 'b', 'c'] as const
const isWanted = (name: string): boolean =>
  tyreFields.includes(name) || /^(aid$|ecu_distance$|btt_|ea_[abc]$|io_exp_(state|in[1-4])$)/.test(name)

/** A field that a check depends on is unreadable unless it is a text or a number. */
const numbers = ['aid', 'btt_battery', 'btt_temp', 'ea_a', 'ea_b', 'ea_c', 'ecu_distance']
const texts = ['label', 'btt_mac', ...tyreFields]
const booleans = ['io_exp_state', 'io_exp_in1', 'io_exp_in2', 'io_exp_in3', 'io_exp_in4']

/** Keep-alive and connection messages contain no accessory data. */
const withoutAccessories = [100, 110, 111]
const liveWindowMs = 15 * 60_000
const liveTail = 400
const rangeTail = 1_000

/**
 * Events for the checks about accessories (`GET /rawdata`): only fields of this gateway's catalogue, each decoded.
 * Those of others are counted.
 */
export function createAccessoryReadings(
  client: () => Promise<GatewayClient>,
  vehicleIdOf: (imei: string, signal: AbortSignal) => Promise<number | null>
) {
  const reader = createEventReader(client)
  const photos = createPhotoReader(client)

  return {
    async readEvents(
      request: { imei: string; vehicleId: number | null; sinceMs?: number; untilMs?: number },
      signal: AbortSignal
    ) {
      const { imei, sinceMs, untilMs } = request
      const vehicleId = request.vehicleId ?? (await vehicleIdOf(imei, signal))
      const catalogue = await reader.catalogue(signal)
      const fields = [...always, ...catalogue.map(({ name }) => name).filter(isWanted)]
      const gateway = await client()
      const beganMs = await reader.nowMs()
      const { value, raw } = await gateway.rawdata.query(
        {
          // The end makes each request different, because the gateway caches by request.
          from: new Date(sinceMs ?? beganMs - liveWindowMs),
          to: new Date(untilMs ?? beganMs + 60_000),
          // Without a vehicle that shows this device, the events themselves must name it.
          ...(vehicleId === null ? { filter: `device_id == ${imei}` } : { vehicles: [vehicleId] }),
          fields,
          order: 'event_time',
          tail: sinceMs === undefined ? liveTail : rangeTail
        },
        { signal }
      )
      const all = rowsOf(raw) ?? ((value.events ?? []) as Fields[])
      const own = all.filter((raw) => isEventOfDevice({ raw }, imei))
      return {
        events: own
          .filter((event) => !withoutAccessories.includes(Number(event['type'])))
          .map(accessoryEvent)
          .filter((event) => event !== undefined)
          .sort((one, other) => one.eventAtMs - other.eventAtMs),
        ofOthers: all.length - own.length,
        fields: new Set(fields),
        nowMs: await reader.nowMs()
      }
    },

    readKeys: (signal: AbortSignal) =>
      orHidden(async () => {
        const { value } = await (await client()).ibuttons.list({}, { signal })
        return (value.data ?? []).flatMap(({ id, entity }) =>
          typeof id === 'string' ? [{ id, assetId: typeof entity === 'number' ? entity : null }] : []
        )
      }),

    nameOfAsset: (assetId: number, signal: AbortSignal) =>
      orHidden(async () => (await (await client()).assets.get({ id: assetId }, { signal })).value.name ?? null),

    async findLink(
      request: {
        imei: string
        vehicleId: number | null
        assetId: number
        sinceMs: number
        afterMs?: number | undefined
        wording: 1 | 2
      },
      signal: AbortSignal
    ) {
      const vehicleId = request.vehicleId ?? (await vehicleIdOf(request.imei, signal))
      if (vehicleId === null) return { found: false, sure: false }
      // The gateway caches by request: the second wording states the default time zone explicitly.
      const { raw } = await (
        await client()
      ).vehicles.get({ id: vehicleId, ...(request.wording === 2 ? { tz: 'UTC' } : {}) }, { signal })
      const { found, sure } = hasLinkTo(raw, request.assetId, beginningOf(request))
      return { found: found && sure, sure }
    },

    async readCounters(request: { imei: string; vehicleId: number | null }, signal: AbortSignal) {
      const vehicleId = request.vehicleId ?? (await vehicleIdOf(request.imei, signal))
      if (vehicleId === null) return null
      const plain = await orHidden(
        async () => (await (await client()).counters.ofVehicle({ vid: vehicleId }, { signal })).value.vehicle?.plain
      )
      return plain
        ? Object.fromEntries(
            Object.entries(plain).filter((entry): entry is [string, number] => typeof entry[1] === 'number')
          )
        : null
    },

    async lastPhotos(request: { imei: string; vehicleId: number | null }, signal: AbortSignal) {
      const vehicleId = request.vehicleId ?? (await vehicleIdOf(request.imei, signal))
      return vehicleId === null ? null : photos.last(vehicleId, signal)
    },

    async capturePhoto(request: { imei: string; vehicleId: number | null }, signal: AbortSignal) {
      const vehicleId = request.vehicleId ?? (await vehicleIdOf(request.imei, signal))
      if (vehicleId === null)
        throw new AppError('NOT_FOUND', message('accessories.noDeviceInVehicle'), { fate: 'refused' })
      return photos.capture(vehicleId, signal)
    },

    async readTriggers(request: { imei: string; vehicleId: number | null }, signal: AbortSignal) {
      const vehicleId = request.vehicleId ?? (await vehicleIdOf(request.imei, signal))
      const gateway = await client()
      const all = await orHidden(() =>
        readAllPages((where) => gateway.triggers.list(where, { signal }), { set: 1_000, maxItems: 2_000 })
      )
      if (all === null) return null
      const vehicle =
        vehicleId === null
          ? null
          : await orHidden(async () => (await gateway.vehicles.get({ id: vehicleId }, { signal })).value)
      const groups = vehicle ? numbersIn((vehicle as { groups?: unknown }).groups) : null
      return {
        triggers: all.items.map((trigger) => triggerSeen(trigger, vehicleId, groups)),
        isComplete: all.isComplete
      }
    }
  }
}

/** Null when this user may not see it, or this gateway does not have it. */
async function orHidden<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'NOT_PERMITTED')) return null
    throw error
  }
}

/** `groups` of a trigger is one id or several ("Trigger"). */
function triggerSeen(trigger: Sparse<Trigger>, vehicleId: number | null, groupsOfVehicle: readonly number[] | null) {
  const groups = numbersIn(trigger.groups)
  const isNamed = vehicleId !== null && numbersIn(trigger.vehicles).includes(vehicleId)
  const isInGroup = groupsOfVehicle !== null && groups.some((group) => groupsOfVehicle.includes(group))
  const canTell = vehicleId !== null && (groups.length === 0 || groupsOfVehicle !== null)
  const labels = (trigger.rules ?? []).flatMap((rule) => {
    const { key, operator, value } = (rule ?? {}) as { key?: unknown; operator?: unknown; value?: unknown }
    if (key !== 'label' || operator === '!=') return []
    return (Array.isArray(value) ? value : [value]).filter((label): label is string => typeof label === 'string')
  })
  return { name: trigger.name ?? '', labels, isForVehicle: isNamed || isInGroup ? true : canTell ? false : null }
}

function numbersIn(value: unknown): number[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'number')
}

/** Unchanged: the parsed answer would omit values of an undocumented type. */
function rowsOf(raw: unknown): Fields[] | undefined {
  const events = (raw as { events?: unknown } | null)?.events
  return Array.isArray(events)
    ? events.filter((event): event is Fields => event !== null && typeof event === 'object' && !Array.isArray(event))
    : undefined
}

/** One decoded event; undefined without a time. */
export function accessoryEvent(event: Fields) {
  const eventAtMs = eventMs(event)
  if (eventAtMs === undefined) return undefined
  const tag = readBluetoothTag(event)
  const tyres = readTyres(event)
  const has = (name: string): boolean => textIn(event, name) !== null
  const { isConnected, inputs } = readIoExpander(event)
  return {
    eventAtMs,
    arrivedAtMs: arrivedMs(event),
    label: textIn(event, 'label'),
    assetId: numberIn(event, 'aid'),
    tag: tag
      ? {
          mac: bareMac(tag.mac),
          batteryPercent: tag.batteryPercent,
          batteryMv: tag.batteryMv,
          temperatureC: tag.temperatureC
        }
      : null,
    tyres: {
      pressuresPsi: has('ecu_tires_psi') ? tyres.pressuresPsi : null,
      temperaturesC: has('ecu_tires_tmp') ? tyres.temperaturesC : null,
      // An empty list means that no wheel has a warning.
      warnings:
        typeof (event['ecu_tpms_warnings'] ?? event['ecu_tpms_conditions']) === 'string' ? tyres.warnings : null,
      provision: tyres.provision
    },
    probes: Object.fromEntries(
      probes.flatMap((probe) => {
        const millivolts = numberIn(event, `ea_${probe}`)
        return millivolts === null ? [] : [[probe, { millivolts, celsius: analogTemperatureC(millivolts) }]]
      })
    ),
    expander: { isConnected, inputs },
    odometerM: numberIn(event, 'ecu_distance', 0),
    unreadable: [
      ...numbers.filter((name) => isThere(event[name]) && numberIn(event, name) === null),
      ...texts.filter((name) => isThere(event[name]) && typeof event[name] !== 'string'),
      ...booleans.filter((name) => isThere(event[name]) && typeof event[name] !== 'boolean'),
      ...tyreFields.filter((name) => tyres.unreadable.some((entry) => entry.startsWith(`${name}:`)))
    ],
    raw: Object.fromEntries(Object.entries(event).filter(([, value]) => isThere(value))) as Json
  }
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}

function arrivedMs(event: Fields): number | null {
  const epochS = numberIn(event, 'system_epoch', 1)
  return epochS === null ? (timeFromOutside(event['system_time']) ?? null) : epochS * 1000
}
