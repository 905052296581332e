import type { Json } from '../../../../preload/contract/define.ts'
import type { Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { RawdataEvent } from '../records/data.ts'
import type { Labels } from '../records/site.ts'
import type {
  CounterUnit,
  Fence,
  VehicleCounterSheet,
  VehicleEvent,
  VehicleSheet
} from '../../../../preload/contract/gateway/vehicles/vehicles.ts'
import { associationsOf } from './associations.ts'
import type { CallOptions } from '../transport/caller.ts'
import type { GatewayClient } from '../client.ts'
import { createCounterReports } from '../counterReports.ts'
import { sayEvent, type EventContext } from '../decoders/eventText.ts'
import { speedFactor, type Fields } from '../decoders/fields.ts'
import { readIosState } from '../decoders/inputsOutputs.ts'
import { demandRecordOf } from './deviceRecord.ts'
import { readDeviceState } from './deviceState.ts'
import { deviceImeiOf } from './entities.ts'
import { readFences } from './fences.ts'
import { orAborted } from '../../../base/time/pause.ts'
import { nullIfUnreadable } from '../transport/orNull.ts'
import { readAllPages } from '../transport/paging.ts'
import type { Priority } from '../transport/rateLimit.ts'
import { createVehicleLife } from './vehicleLife.ts'
import { readVehicleRoad, type RoadRange } from './vehicleRoad.ts'
import { toVehicleLine } from './vehicleLine.ts'

const eventFields = [
  'aid',
  'device_id',
  'type',
  'code',
  'label',
  'lat',
  'lon',
  'valid_position',
  'speed',
  'sv',
  'comdelay',
  'event_epoch',
  'system_epoch'
]
const labelsKeptMs = 600_000
const mostNamesOfEvents = 4

/** Counters that the document allows to set, with their fixed units ("Counters"). */
const settable: Record<string, CounterUnit> = {
  dev_dist: 'm',
  ecu_dist: 'm',
  dev_ign: 's',
  dev_idle: 's',
  dev_ospeed: 's',
  ecu_eusage: 's',
  ecu_eidle: 's',
  ecu_ifuel: 'L',
  ecu_tfuel: 'L',
  counter_tamper: 's'
}
const lineCounter = /^counter_io_(in[1-3]|out[12]|exp_in[1-4]|exp_out[1-4](_short)?)$/

/** Unit of a stored counter: meters, seconds, liters. Null for an undocumented one. */
function unitOf(counter: string): CounterUnit | null {
  return settableUnit(counter) ?? (counter === 'dev_orpm' ? 's' : null)
}

/** Unit of a counter that can be set; undefined for one that cannot. */
export function settableUnit(counter: string): CounterUnit | undefined {
  return Object.hasOwn(settable, counter) ? settable[counter] : lineCounter.test(counter) ? 's' : undefined
}

/** The gateway requests of the vehicle screen. A person waits, so they come before background work. */
export function createVehicleGateway(client: () => Promise<GatewayClient>) {
  let labels: { of: GatewayClient; atMs: number; value: Labels } | undefined
  const readReports = createCounterReports(client)
  const life = createVehicleLife(client)

  async function readLabels(gateway: GatewayClient, options: CallOptions): Promise<Labels> {
    if (labels?.of === gateway && performance.now() - labels.atMs < labelsKeptMs) return labels.value
    const { value } = await gateway.labels.list({}, options)
    labels = { of: gateway, atMs: performance.now(), value: value as Labels }
    return labels.value
  }

  /** The gateway caches by request: the second wording states the default time zone explicitly. */
  async function readCounters(vid: number, signal: AbortSignal, wording: 1 | 2 = 1) {
    return (await client()).counters.ofVehicle({ vid, ...(wording === 2 ? { tz: 'UTC' } : {}) }, person(signal))
  }

  /** The names of the assets that were linked to the vehicle at each event, where they differ from the event before. */
  async function namesAt(
    events: readonly Sparse<RawdataEvent>[],
    signal: AbortSignal
  ): Promise<(ReadonlyMap<number, string> | undefined)[]> {
    const changed = events.map(({ aid }, index) =>
      index > 0 && typeof aid === 'number' && aid !== events[index - 1]?.aid ? aid : undefined
    )
    const ids = [...new Set(changed.filter((id) => id !== undefined))].slice(0, mostNamesOfEvents)
    if (ids.length === 0) return []
    const names = new Map(
      ((await life.assets(ids, signal).catch(nullIfUnreadable)) ?? []).map(({ id, name }) => [id, name])
    )
    return changed.map((id) => (id === undefined ? undefined : names))
  }

  return {
    ...life,
    /** Record, groups, device and association history. `explainAccess` distinguishes NOT_FOUND from NOT_PERMITTED. */
    async show(
      id: number,
      signal: AbortSignal
    ): Promise<Omit<VehicleSheet, 'source' | 'note' | 'state'> & { problems: Message[] }> {
      const gateway = await client()
      const reading = await explainAccess(gateway, 'vehicles', message('gateway.thisVehicle'), () =>
        gateway.vehicles.get({ id }, person(signal))
      )
      const vehicle = toVehicleLine(reading.value)
      if (!vehicle || vehicle.id !== id)
        throw new AppError('UNREADABLE', message('gateway.notThisVehicle'), { retryable: true })
      const problems = [...reading.problems]
      const [groups, device] = await Promise.all([
        optional(problems, message('common.groups'), async () => readGroupNames(gateway, vehicle.groups, signal)),
        optional(problems, message('common.device'), async () =>
          vehicle.imei === null ? null : readDevice(gateway, vehicle.imei, signal)
        )
      ])
      const history = associationsOf(reading.raw)
      return {
        vehicle,
        readAt: reading.readAt,
        groups: vehicle.groups.map((group) => ({ id: group, name: groups?.get(group) ?? null })),
        device: device ?? null,
        history: history.entries,
        historyKnown: history.isKnown,
        raw: reading.raw as Json,
        problems
      }
    },

    async counters(id: number, signal: AbortSignal): Promise<VehicleCounterSheet> {
      const gateway = await client()
      const { value, readAt, problems } = await explainAccess(
        gateway,
        'vehicles.counters',
        message('gateway.itsCounters'),
        () => readCounters(id, signal)
      )
      const plain = Object.entries(value.vehicle?.plain ?? {}).filter(
        (entry): entry is [string, number] => typeof entry[1] === 'number'
      )
      return {
        readAt,
        problems,
        global: plain.map(([counter, amount]) => ({
          counter,
          value: amount,
          unit: unitOf(counter),
          settable: settableUnit(counter) !== undefined
        })),
        user: (value.user ?? []).map((one) => ({
          id: one.id ?? null,
          counter: one.counter ?? '',
          description: (one.description ?? '').replace(/\s*ref:[0-9A-Z]{26}$/, ''),
          value: one.value ?? null,
          unit: unitOf(one.counter ?? ''),
          setAt: typeof one.set_at === 'number' ? new Date(one.set_at * 1000).toISOString() : null
        }))
      }
    },

    async readCounter(vid: number, counter: string, { wording, signal }: { wording: 1 | 2; signal: AbortSignal }) {
      const gateway = await client()
      const { value, raw } = await readCounters(vid, signal, wording)
      return {
        value: value.vehicle?.plain?.[counter] ?? null,
        nowMs: gateway.nowMs(),
        raw: raw as Json
      }
    },
    readReports: (vid: number, counter: string, { sinceMs, signal }: { sinceMs: number; signal: AbortSignal }) =>
      orAborted(readReports({ vid, counter, sinceMs }), signal),
    async setCounter(vid: number, counter: string, value: number, signal: AbortSignal): Promise<Json> {
      const reading = await (await client()).counters.setGlobal({ vid, counter, value }, person(signal))
      return { status: reading.status, answer: (reading.raw ?? null) as Json }
    },
    async createCounter(
      input: { vid: number; counter: string; initialValue: number; description: string },
      signal: AbortSignal
    ): Promise<Json> {
      const { vid, counter, initialValue, description } = input
      const reading = await (
        await client()
      ).counters.create({ vid, counter, initial_value: initialValue, description }, person(signal))
      return { status: reading.status, answer: (reading.raw ?? null) as Json }
    },
    async readUserCounters(vid: number, { wording, signal }: { wording: 1 | 2; signal: AbortSignal }) {
      const { value, raw } = await readCounters(vid, signal, wording)
      return { descriptions: value.user?.map(({ description }) => description ?? '') ?? null, raw: raw as Json }
    },

    async events(
      id: number,
      range: { hours: number; limit: number; priority: Priority },
      signal: AbortSignal
    ): Promise<{ events: VehicleEvent[]; readAt: string }> {
      const gateway = await client()
      const query = {
        vehicles: [id],
        duration: `PT${range.hours}H`,
        fields: eventFields,
        order: 'event_time',
        tail: range.limit
      }
      const reading = await explainAccess(gateway, 'rawdata', message('gateway.itsEvents'), () =>
        gateway.rawdata.query(query, { signal, priority: range.priority })
      )
      const texts = (await readLabels(gateway, { signal, priority: range.priority }).catch(nullIfUnreadable)) ?? {}
      const kmhPer = speedFactor(reading.value.units)
      const told = reading.value.events ?? []
      const names = await namesAt(told, signal)
      const events = told
        .map((event, index) =>
          toEvent(event, { labels: texts as Fields, kmhPer, ...(names[index] ? { names: names[index] } : {}) })
        )
        .filter((event) => event !== undefined)
      return { events: events.sort((a, b) => b.at.localeCompare(a.at)), readAt: reading.readAt }
    },

    road: (range: RoadRange, signal: AbortSignal) => readVehicleRoad(client, range, signal),

    async fences(
      position: readonly [number, number] | null,
      signal: AbortSignal
    ): Promise<{ fences: Fence[]; complete: boolean; problems: Message[] }> {
      const gateway = await client()
      const all = await explainAccess(gateway, 'geofences', message('gateway.fences'), () =>
        readAllPages((where) => gateway.geofences.list(where, person(signal)), { set: 1000, maxPages: 5 })
      )
      return readFences(all.items, { position, isComplete: all.isComplete })
    },

    async readDeviceOf(vid: number, signal: AbortSignal): Promise<string | null> {
      const { value } = await (await client()).vehicles.get({ id: vid }, person(signal))
      return deviceImeiOf(value)
    }
  }
}

export type VehicleGateway = ReturnType<typeof createVehicleGateway>

function person(signal: AbortSignal): CallOptions {
  return { signal, priority: 'person' }
}

/**
 * "Not permitted" or "not found" behind a 404: without the scope it is certainly the first; with it, the two look
 * alike.
 */
async function explainAccess<T>(
  gateway: GatewayClient,
  scope: string,
  what: Message,
  ask: () => Promise<T>
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof AppError) || !['NOT_FOUND', 'NOT_PERMITTED', 'NOT_AUTHENTICATED'].includes(error.code))
      throw error
    // A 401 right after a sign-in may be about rights: then the gateway still returns the user's own record.
    if (error.code === 'NOT_AUTHENTICATED') {
      if (error.status !== 401 || !(await isSignInAlive(gateway))) throw error
    }
    const { scopes, isStaff } = await gateway.status()
    if (scopes !== null && !isStaff && scopes[scope] === undefined) {
      throw new AppError('NOT_PERMITTED', message('gateway.scopeMissing', { what, scope }), {
        status: error.status ?? 404,
        cause: error
      })
    }
    if (error.code !== 'NOT_FOUND') {
      throw new AppError('NOT_PERMITTED', message('gateway.notYours', { what }), {
        status: error.status ?? 401,
        cause: error
      })
    }
    throw new AppError('NOT_FOUND', message('gateway.goneOrNotYours', { what }), {
      status: 404,
      cause: error
    })
  }
}

async function isSignInAlive(gateway: GatewayClient): Promise<boolean> {
  try {
    await gateway.user.own({}, { priority: 'person' })
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** An optional part of the screen: its failure is returned, not thrown. */
async function optional<T>(problems: Message[], part: Message, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
    problems.push(message('reading.ofPart', { part, problem: error.sentence }))
    return undefined
  }
}

async function readGroupNames(
  gateway: GatewayClient,
  ids: readonly number[],
  signal: AbortSignal
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const all = await readAllPages((where) => gateway.groups.list(where, person(signal)), { set: 1000, maxPages: 3 })
  return new Map(all.items.flatMap(({ id, name }) => (id !== undefined && name !== undefined ? [[id, name]] : [])))
}

async function readDevice(gateway: GatewayClient, imei: string, signal: AbortSignal) {
  const { value, raw } = await gateway.devices.get({ imei }, person(signal))
  demandRecordOf(value, imei)
  const { isOnline, lastReportedAt } = readDeviceState(raw)
  return {
    imei,
    online: isOnline,
    lastReportedAt,
    lines: linesOf(value.ios_state),
    raw: raw as Json
  }
}

function linesOf(state: unknown) {
  if (state === null || typeof state !== 'object') return null
  const { ignition, power, inputs, epochS } = readIosState(state as Fields)
  return { ignition, power, inputs, at: epochS === null ? null : new Date(epochS * 1000).toISOString() }
}

function toEvent(event: Sparse<RawdataEvent>, context: EventContext): VehicleEvent | undefined {
  const { what, detail, happenedAt, arrivedAt, delayS } = sayEvent(event as Fields, context)
  // Without GPS a device may not know the time: then the event is placed at its arrival.
  const at = happenedAt ?? arrivedAt
  if (at === null) return undefined
  const { kmhPer = 3.6 } = context
  return {
    id: event.id ?? null,
    at,
    arrivedAt,
    delayS: happenedAt === null ? null : delayS,
    what,
    detail,
    type: event.type ?? null,
    label: event.label ?? null,
    latitude: event.lat ?? null,
    longitude: event.lon ?? null,
    validPosition: event.valid_position ?? null,
    // A speed in an unknown unit is not usable.
    speedKmh: typeof event.speed === 'number' && kmhPer !== null ? event.speed * kmhPer : null,
    satellites: event.sv ?? null,
    raw: event as Json
  }
}

/** What the update of a vehicle changed besides its device. */
export function changedFields(before: unknown, after: unknown): { field: string; before: Json; after: Json }[] {
  const [old, now] = [before, after].map((record) =>
    record !== null && typeof record === 'object' ? (record as Record<string, Json>) : {}
  )
  if (!old || !now) return []
  const ignored = /^(device|devices|latest|__updated|edited_at|updated_at)$|assoc|history/i
  return Object.keys(old)
    .filter((field) => !ignored.test(field) && JSON.stringify(old[field]) !== JSON.stringify(now[field]))
    .map((field) => ({ field, before: old[field] ?? null, after: now[field] ?? null }))
}
