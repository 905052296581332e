import { message, type Message } from '../../../preload/contract/messages.ts'
import { readSignal, type Place } from '../../device/facts.ts'
import { sameSim } from '../../jobs/checks/identity.ts'
import { ageAt, parkedKmh } from './deviceSays.ts'
import type { FactEvent, FactEvidence } from './evidence.ts'
import { mapHeard, placeWithin, round, within, type Heard } from './heard.ts'

/** What the gateway says, in the units of the table, from documented fields alone. */
export interface GatewaySays {
  /** Seconds since it heard the device last. */
  contact: Heard<number>
  place: Heard<Place>
  hasFix: Heard<boolean>
  satellites: Heard<number>
  hdop: Heard<number>
  speedKmh: Heard<number>
  headingDeg: Heard<number>
  signalDbm: Heard<number>
  /** The SIM that it names for this device, or the device's own where it knows that one. */
  simId: Heard<string>
  isSimOnlyKnown: boolean
  clockOffS: Heard<number>
  imei: Heard<string>
  vehicleImei: Heard<string>
  hasEngineBus: Heard<boolean>
  drivenM: Heard<number>
  line(name: string): Heard<boolean>
}

const kmhPerMps = 3.6

/** What the gateway's records and events say of this device. */
export function gatewaySays({ at, imei, gateway }: FactEvidence, deviceSim: string | undefined): GatewaySays {
  const nowMs = Date.parse(at)
  const silence: Message | null = gateway === null || gateway.state === 'answers' ? null : gateway.state === 'notShown' ? message('facts.notShown') : gateway.why
  const nothing: Heard<never> = { why: silence }
  const own = imei ?? gateway?.vehicle?.value?.imei ?? null
  const events = eventsOf(gateway?.events?.value ?? [], own)
  const eventsReadMs = Date.parse(gateway?.events?.readAt ?? at)
  const noEvent: Heard<never> = { why: gateway?.events ? message('facts.noEvent') : silence }

  function heardAt<T>(value: T, ageThenS: number | null, readMs: number): Heard<T> {
    if (ageThenS === null) return { value, atMs: null, ageS: null }
    const ageS = round(Math.max(0, ageThenS) + ageAt(readMs, nowMs), 1)
    return { value, atMs: nowMs - ageS * 1000, ageS }
  }
  /** Of the newest event that says it. */
  function newest<T>(take: (event: FactEvent, fields: Record<string, unknown>) => T | undefined): Heard<T> {
    for (const event of events) {
      const value = take(event, fieldsOf(event))
      if (value !== undefined) return heardAt(value, event.ageS, eventsReadMs)
    }
    return events.length > 0 ? { why: message('facts.notInEvents') } : noEvent
  }
  function kept<K, T>(one: { value: K; readAt: string } | null | undefined, take: (value: K) => T | undefined, why: Message | null = null): Heard<T> {
    if (!one) return nothing
    const value = take(one.value)
    if (value === undefined) return { why: why ?? silence }
    const atMs = Date.parse(one.readAt)
    return { value, atMs, ageS: ageAt(atMs, nowMs) }
  }
  const placed = <T>(take: (fields: Record<string, unknown>) => T | undefined) =>
    newest((event, fields) => (event.isPositionValid === true && placeWithin(event.latitude, event.longitude) ? take(fields) : undefined))

  const lines = gateway?.lines?.value ?? null
  const linesReadMs = Date.parse(gateway?.lines?.readAt ?? at)
  const line = (name: string): Heard<boolean> => {
    const isOn = lines?.values[name]
    return typeof isOn === 'boolean' && lines ? heardAt(isOn, lines.ageS, linesReadMs) : nothing
  }
  const speedKmh = placed(({ speed }) => roundedWithin(typeof speed === 'number' ? speed * kmhPerMps : undefined, [0, 500], 1))
  const headingDeg = placed(({ speed, head }) => (typeof speed === 'number' && speed * kmhPerMps <= parkedKmh ? null : roundedWithin(head, [0, 360], 0)))
  const named = gateway?.record?.value?.simIds ?? []
  const isSimOnlyKnown = named.length === 0 && deviceSim !== undefined && isKnown(gateway?.sim?.value)
  return {
    contact: contactOf(),
    place: newest((event) => (event.isPositionValid === true ? placeWithin(event.latitude, event.longitude) : undefined)),
    hasFix: newest((event) => event.isPositionValid ?? undefined),
    satellites: newest((_, { sv }) => within(sv, 0, 99)),
    hdop: newest((_, { hdop }) => roundedWithin(hdop, [0, 100], 2)),
    speedKmh,
    // The newest event with a place decides: how it stood before is of another time.
    headingDeg: mapHeard(headingDeg, (value) => value ?? undefined, message('facts.stands')),
    signalDbm: newest((_, { cf_rssi: rssi }) => (typeof rssi === 'number' && within(rssi, 0, 31) !== undefined ? readSignal(rssi)?.dBm : undefined)),
    simId: isSimOnlyKnown
      ? kept(gateway?.sim, () => deviceSim)
      : kept(gateway?.record, () => named.find((id) => deviceSim !== undefined && sameSim(id, deviceSim)) ?? named[0], message('facts.noSimThere')),
    isSimOnlyKnown,
    clockOffS: gateway?.state === 'answers' && gateway.aheadS !== null ? { value: round(gateway.aheadS, 1), atMs: null, ageS: null } : nothing,
    imei: kept(gateway?.record, (record) => record?.imei ?? undefined),
    vehicleImei: kept(gateway?.vehicle, (vehicle) => vehicle?.imei ?? undefined, message('facts.noVehicle')),
    hasEngineBus: busOf(),
    drivenM: kept(gateway?.distanceM, (distanceM) => (distanceM === null ? undefined : distanceM)),
    line
  }

  /** By whichever way it heard of the device last: an event that arrived, or the lines of its record. */
  function contactOf(): Heard<number> {
    const arrivals = events.map(({ ageS, delayS }) => Math.max(0, ageS - Math.max(0, delayS ?? 0)) + ageAt(eventsReadMs, nowMs))
    if (lines && lines.ageS !== null) arrivals.push(Math.max(0, lines.ageS) + ageAt(linesReadMs, nowMs))
    if (arrivals.length === 0) return noEvent
    const ageS = round(Math.min(...arrivals), 1)
    return { value: ageS, atMs: nowMs - ageS * 1000, ageS }
  }
  function busOf(): Heard<boolean> {
    const bus = gateway?.engineBus?.value
    if (!bus || !gateway.engineBus) return nothing
    return bus.isDetected === null ? { why: bus.problem } : heardAt(bus.isDetected, bus.heardAgeS, Date.parse(gateway.engineBus.readAt))
  }
}

/** Only events that name this device vouch for it: the vehicle may have had another one before. Newest first. */
function eventsOf(events: readonly FactEvent[], imei: string | null): FactEvent[] {
  return events.filter((event) => imei !== null && String(fieldsOf(event)['device_id']) === imei).sort((a, b) => b.eventAtMs - a.eventAtMs)
}

function fieldsOf({ raw }: FactEvent): Record<string, unknown> {
  return raw !== null && typeof raw === 'object' && !Array.isArray(raw) ? raw : {}
}

function roundedWithin(value: unknown, [least, most]: [number, number], digits: number): number | undefined {
  const number = within(value, least, most)
  return number === undefined ? undefined : round(number, digits)
}

function isKnown(sim: unknown): boolean {
  return sim !== null && sim !== undefined && sim !== false
}

