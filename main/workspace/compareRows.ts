import type { IoState } from '../../preload/contract/deviceAreas.ts'
import type { CompareId, CompareRelation, CompareRow, DeviceCompare } from '../../preload/contract/deviceCompare.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import type { WorkspaceLimits } from '../../preload/contract/workspace.ts'
import { distanceM, type Place } from '../device/facts.ts'
import { sameSim } from '../jobs/checks/identity.ts'

/** What the device says now; undefined where it could not be read. */
export interface DeviceSays {
  imei: string
  /** Whether its host name and its modem name this IMEI; undefined while neither could be read. */
  isNamed: boolean | undefined
  simId: string | undefined
  place: Place | undefined
  satellites: number | undefined
  speedKmh: number | undefined
  lines: Partial<IoState>
  /** Since when a line is known to be as it is, epoch ms. */
  lineSinceMs: ReadonlyMap<string, number>
  signalDbm: number | undefined
  clockOffS: number | undefined
}

/** What the gateway says; undefined where it does not show it. Ages are of now. */
export interface GatewaySays {
  /** IMEI of its record of this device. */
  imei: string | undefined
  /** The SIM that it names for this device, or `known` when it knows the SIM of the device without saying whose it is. */
  sim: { id: string } | 'known' | undefined
  /** Its newest event with a place. */
  event: { atMs: number; ageS: number; place: Place; satellites: number | undefined; speedKmh: number | undefined } | undefined
  signal: { dBm: number; atMs: number; ageS: number } | undefined
  lines: { values: ReadonlyMap<string, boolean>; atMs: number | null; ageS: number | null } | undefined
  clockOffS: number | undefined
  drivenM: number | undefined
}

type Verdict = 'agree' | 'differ' | 'old'
interface Judgement {
  device: Message | null
  gateway: Message | null
  /** Only asked for when both say something. */
  verdict: () => Verdict
  gatewayAtMs?: number | null | undefined
}

const parkedKmh = 3
const speedSlackKmh = 5
const signalSlackDb = 10
const clockSlackS = 60
/** A moving vehicle is somewhere else after this. */
const eventOfNowS = 10
/** Event times have whole seconds. */
const clockResolutionMs = 1_000

const lineRows = [
  ['power', 'PWR', 'io_pwr'],
  ['ignition', 'IGN', 'io_ign'],
  ['engine', 'TIG', ''],
  ['in1', 'IN1', 'io_in1'],
  ['in2', 'IN2', 'io_in2'],
  ['in3', 'IN3', 'io_in3'],
  ['out1', 'OUT1', 'io_out1'],
  ['out2', 'OUT2', 'io_out2']
] as const satisfies readonly (readonly [CompareId, keyof IoState, string])[]

/** Device and gateway, fact by fact, by the limits of the profile. What only one of them shows is no failure of the other. */
export function compareRows(device: DeviceSays, gateway: GatewaySays, limits: WorkspaceLimits): CompareRow[] {
  return [
    row('identity', ofIdentity(device, gateway)),
    row('sim', ofSim(device, gateway)),
    row('position', ofPosition(device, gateway, limits)),
    row('satellites', ofSatellites(device, gateway, limits)),
    row('speed', ofSpeed(device, gateway, limits)),
    ...lineRows.map(([id, line, field]) => row(id, ofLine(id, line, field, { device, gateway, limits }))),
    row('signal', ofSignal(device, gateway, limits)),
    row('clock', ofClock(device, gateway)),
    row('distance', { device: null, gateway: say(gateway.drivenM, (m) => message('deviceCompare.distance', { distanceM: Math.round(m) })), verdict: () => 'agree' })
  ]
}

/** What a map draws of it. */
export function comparePlaces({ place, speedKmh }: DeviceSays, { event }: GatewaySays): DeviceCompare['places'] {
  return {
    gateway: event ? { ...event.place, ageS: Math.round(event.ageS) } : null,
    apartM: place && event ? Math.round(distanceM(place, event.place)) : null,
    isParked: speedKmh === undefined ? null : speedKmh <= parkedKmh
  }
}

function row(id: CompareId, { device, gateway, verdict, gatewayAtMs }: Judgement): CompareRow {
  const relation: CompareRelation = device && gateway ? verdict() : device ? 'deviceOnly' : gateway ? 'gatewayOnly' : 'neither'
  return { id, relation, device, gateway, gatewayAt: gateway && typeof gatewayAtMs === 'number' ? new Date(gatewayAtMs).toISOString() : null }
}

function say<T>(value: T | undefined, text: (value: T) => Message): Message | null {
  return value === undefined ? null : text(value)
}

function ofIdentity({ imei, isNamed }: DeviceSays, gateway: GatewaySays): Judgement {
  const digits = (text: string) => message('deviceCompare.lastDigits', { digits: text.slice(-6) })
  return {
    device: isNamed === undefined ? null : isNamed ? digits(imei) : message('deviceCompare.otherName'),
    gateway: say(gateway.imei, digits),
    verdict: () => (isNamed && gateway.imei === imei ? 'agree' : 'differ')
  }
}

function ofSim({ simId }: DeviceSays, { sim }: GatewaySays): Judgement {
  const digits = (text: string) => message('deviceCompare.lastDigits', { digits: text.slice(-4) })
  return {
    device: say(simId, digits),
    gateway: say(sim, (shown) => (shown === 'known' ? message('deviceCompare.simKnown') : digits(shown.id))),
    verdict: () => (sim === 'known' || (sim && simId && sameSim(sim.id, simId)) ? 'agree' : 'differ')
  }
}

/** Two places are only compared of a vehicle that stands: where one drives, they are of two moments. */
function ofPosition({ place, speedKmh }: DeviceSays, { event }: GatewaySays, { apartPassM, eventAgeWarnS }: WorkspaceLimits): Judgement {
  const there = event?.place
  const apartM = place && there ? Math.round(distanceM(place, there)) : undefined
  const coordinates = ({ latitude, longitude }: Place) => message('deviceCompare.place', { latitude: latitude.toFixed(5), longitude: longitude.toFixed(5) })
  return {
    device: say(place, () => message('deviceCompare.here')),
    gateway: apartM === undefined ? say(there, coordinates) : message('deviceCompare.apart', { distanceM: apartM }),
    gatewayAtMs: event?.atMs,
    verdict: () => {
      if (!event || event.ageS > eventAgeWarnS) return 'old'
      if ((apartM ?? 0) <= apartPassM) return 'agree'
      return speedKmh !== undefined && speedKmh <= parkedKmh ? 'differ' : 'old'
    }
  }
}

/** The number changes from second to second: both have to be good, or both not. */
function ofSatellites({ satellites }: DeviceSays, { event }: GatewaySays, { satellitesPass, eventAgeWarnS }: WorkspaceLimits): Judgement {
  const count = (n: number) => message('deviceCompare.count', { n })
  return {
    device: say(satellites, count),
    gateway: say(event?.satellites, count),
    gatewayAtMs: event?.atMs,
    verdict: () => {
      const [here = 0, there = 0] = [satellites, event?.satellites]
      if (here >= satellitesPass === there >= satellitesPass) return event && event.ageS <= eventAgeWarnS ? 'agree' : 'old'
      return event && event.ageS <= eventOfNowS ? 'differ' : 'old'
    }
  }
}

function ofSpeed({ speedKmh }: DeviceSays, { event }: GatewaySays, { eventAgeWarnS }: WorkspaceLimits): Judgement {
  const text = (kmh: number) => message('deviceCompare.speed', { speedKmh: Math.round(kmh) })
  return {
    device: say(speedKmh, text),
    gateway: say(event?.speedKmh, text),
    gatewayAtMs: event?.atMs,
    verdict: () => {
      const isNear = Math.abs((speedKmh ?? 0) - (event?.speedKmh ?? 0)) <= speedSlackKmh
      if (isNear) return event && event.ageS <= eventAgeWarnS ? 'agree' : 'old'
      return event && event.ageS <= eventOfNowS ? 'differ' : 'old'
    }
  }
}

function ofLine(id: CompareId, line: keyof IoState, field: string, { device, gateway, limits }: { device: DeviceSays; gateway: GatewaySays; limits: WorkspaceLimits }): Judgement {
  const here = device.lines[line]
  const there = gateway.lines?.values.get(field)
  const text = (isOn: boolean) => message('deviceCompare.line', { line: id === 'power' ? 'power' : id === 'engine' ? 'engine' : 'other', isOn: isOn ? 'yes' : 'no' })
  return {
    device: typeof here === 'boolean' ? text(here) : null,
    gateway: say(there, text),
    gatewayAtMs: gateway.lines?.atMs,
    verdict: () => {
      const { atMs = null, ageS = null } = gateway.lines ?? {}
      if (here === there) return ageS !== null && ageS > limits.eventAgeWarnS ? 'old' : 'agree'
      const sinceMs = device.lineSinceMs.get(line)
      // Only what the gateway heard while the line was so contradicts it.
      const isBefore = sinceMs !== undefined && atMs !== null && atMs < sinceMs - clockResolutionMs
      return isBefore || ageS === null || ageS > limits.eventAgeWarnS ? 'old' : 'differ'
    }
  }
}

function ofSignal({ signalDbm }: DeviceSays, { signal }: GatewaySays, { eventAgeWarnS }: WorkspaceLimits): Judgement {
  const text = (dBm: number) => message('deviceCompare.signal', { signalDbm: Math.round(dBm) })
  return {
    device: say(signalDbm, text),
    gateway: say(signal?.dBm, text),
    gatewayAtMs: signal?.atMs,
    verdict: () => {
      if (!signal || signal.ageS > eventAgeWarnS) return 'old'
      return Math.abs((signalDbm ?? 0) - signal.dBm) <= signalSlackDb ? 'agree' : 'differ'
    }
  }
}

/** Both against the clock of this computer. */
function ofClock({ clockOffS }: DeviceSays, gateway: GatewaySays): Judgement {
  const text = (offS: number) =>
    Math.abs(offS) < 1 ? message('deviceCompare.clockSame') : message('deviceCompare.clockOff', { apartS: Math.round(Math.abs(offS)), way: offS > 0 ? 'ahead' : 'behind' })
  return {
    device: say(clockOffS, text),
    gateway: say(gateway.clockOffS, text),
    verdict: () => (Math.abs((clockOffS ?? 0) - (gateway.clockOffS ?? 0)) <= clockSlackS ? 'agree' : 'differ')
  }
}
