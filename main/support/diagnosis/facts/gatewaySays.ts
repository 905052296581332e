import { message, type Message } from '../../../../preload/contract/messages.ts'
import { earliestMs } from '../../../base/reading/reportedEvents.ts'
import { sameSim } from '../../../base/reading/simNumber.ts'
import { ageAt, parkedKmh } from './deviceSays.ts'
import type { Evidence, GatewayPart, SeenEvent } from '../../../../preload/contract/support/evidence.ts'
import { ownEvents } from '../events.ts'
import { findLastReport } from '../evidenceView.ts'
import { mapReading, placeWithin, roundTo, numberWithin, type WitnessReading, roundWithin } from './witnessReading.ts'

/** The gateway's values, in the units of the table, from documented fields only. */
export type GatewaySays = ReturnType<typeof gatewaySays>

/** The values in the gateway's records and events of this device. */
export function gatewaySays(evidence: Evidence, deviceSim: string | undefined) {
  const { at, gateway } = evidence
  const nowMs = Date.parse(at)
  /** Times of the gateway are by its clock. */
  const aheadMs = (gateway?.aheadS ?? 0) * 1000
  const silence: Message | null =
    gateway === null || gateway.state === 'answers'
      ? null
      : gateway.state === 'notShown'
        ? message('facts.notShown')
        : gateway.why
  const events = ownEvents(evidence).sort((a, b) => timeOf(b) - timeOf(a))

  function nothing(part: GatewayPart): WitnessReading<never> {
    return { why: gateway?.refused[part]?.why ?? silence }
  }
  /** A time from before there was such a gateway is none: a field that was never set has the epoch's first moment. */
  function heardAt<T>(value: T, thereMs: number | null): WitnessReading<T> {
    if (thereMs === null || thereMs < earliestMs) return { value, atMs: null, ageS: null }
    const ageS = ageAt(thereMs - aheadMs, nowMs)
    return { value, atMs: nowMs - ageS * 1000, ageS }
  }
  /** From the newest event with the value. */
  function newest<T>(take: (event: SeenEvent) => T | undefined): WitnessReading<T> {
    for (const event of events) {
      const value = take(event)
      if (value !== undefined) return heardAt(value, event.eventAtMs ?? event.arrivedAtMs)
    }
    if (events.length > 0) return { why: message('facts.notInEvents') }
    return gateway?.events ? { why: message('facts.noEvent') } : nothing('events')
  }
  function kept<K, T>(
    part: GatewayPart,
    one: { value: K; readAt: string } | null | undefined,
    take: (value: K) => T | undefined,
    why: Message | null = null
  ): WitnessReading<T> {
    if (!one) return nothing(part)
    const value = take(one.value)
    if (value === undefined) return { why: why ?? silence }
    const atMs = Date.parse(one.readAt)
    return { value, atMs, ageS: ageAt(atMs, nowMs) }
  }
  const placeOf = ({ isPositionValid, latitude, longitude }: SeenEvent) =>
    isPositionValid === true ? placeWithin(latitude, longitude) : undefined
  const placed = <T>(take: (event: SeenEvent) => T | undefined) =>
    newest((event) => (placeOf(event) ? take(event) : undefined))

  const lines = gateway?.lines?.value ?? null
  const line = (name: string): WitnessReading<boolean> => {
    const isOn = lines?.values[name]
    return typeof isOn === 'boolean' && lines ? heardAt(isOn, lines.atMs) : nothing('lines')
  }
  const headingDeg = placed(({ speedKmh, headingDeg: degrees }) =>
    speedKmh !== null && speedKmh <= parkedKmh ? null : roundWithin(degrees, [0, 360], 0)
  )
  const named = gateway?.record?.value?.simIds ?? []
  const isSimOnlyKnown = named.length === 0 && deviceSim !== undefined && (gateway?.sim?.value ?? null) !== null
  return {
    /** Seconds since its last data from the device. */
    contact: contactOf(),
    place: newest(placeOf),
    hasFix: newest(({ isPositionValid }) => isPositionValid ?? undefined),
    satellites: newest(({ satellites }) => numberWithin(satellites, 0, 99)),
    hdop: newest(({ hdop }) => roundWithin(hdop, [0, 100], 2)),
    speedKmh: placed(({ speedKmh }) => roundWithin(speedKmh, [0, 500], 1)),
    // The newest event with a position decides: earlier movement is outdated.
    headingDeg: mapReading(headingDeg, (value) => value ?? undefined, message('facts.stands')),
    signalDbm: newest(({ signalDbm }) => numberWithin(signalDbm, -150, 0)),
    /** The SIM in its record of this device, or the device's own if the gateway knows it. */
    simId: isSimOnlyKnown
      ? kept('sim', gateway?.sim, () => deviceSim)
      : kept(
          'record',
          gateway?.record,
          () => named.find((id) => deviceSim !== undefined && sameSim(id, deviceSim)) ?? named[0],
          message('facts.noSimThere')
        ),
    isSimOnlyKnown,
    clockOffS:
      gateway?.state === 'answers' && gateway.aheadS !== null
        ? { value: roundTo(gateway.aheadS, 1), atMs: null, ageS: null }
        : { why: silence },
    imei: kept('record', gateway?.record, (record) => record?.imei ?? undefined),
    vehicleImei: kept('vehicle', gateway?.vehicle, (vehicle) => vehicle?.imei ?? undefined, message('facts.noVehicle')),
    hasEngineBus: busOf(),
    drivenM: kept('distance', gateway?.distanceM, (distanceM) => distanceM ?? undefined),
    line
  }

  /** As the chain has it. */
  function contactOf(): WitnessReading<number> {
    const heard = findLastReport({ evidence, gateway, nowMs, gatewayNowMs: nowMs + aheadMs, events })
    if (heard === null) return gateway?.events ? { why: message('facts.noEvent') } : nothing('events')
    const ageS = roundTo(heard.ageS, 1)
    return { value: ageS, atMs: heard.atMs, ageS }
  }
  function busOf(): WitnessReading<boolean> {
    const bus = gateway?.engineBus?.value
    if (!bus) return nothing('engineBus')
    // A state that was never told has the epoch's first moments as its time.
    const isDated = bus.atMs !== null && bus.atMs >= earliestMs
    return bus.isDetected === null || !isDated ? { why: null } : heardAt(bus.isDetected, bus.atMs)
  }
}

function timeOf({ eventAtMs, arrivedAtMs }: SeenEvent): number {
  return eventAtMs ?? arrivedAtMs ?? 0
}
