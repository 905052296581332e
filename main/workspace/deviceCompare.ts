import type { GpsPosition, IoState, ModemInformation, Sparse, SystemInfo } from '../../preload/contract/deviceAreas.ts'
import type { DeviceCompare } from '../../preload/contract/deviceCompare.ts'
import type { LiveOperation, LiveReading, WorkspaceLimits } from '../../preload/contract/workspace.ts'
import { correctGpsEpoch, readSignal, sameHost } from '../device/facts.ts'
import { isOf } from '../jobs/checks/delivered.ts'
import { comparePlaces, compareRows, type DeviceSays, type GatewaySays } from './compareRows.ts'
import type { GatewayWitness, Witness } from './gatewayWitness.ts'

type Readings = Partial<Record<LiveOperation, LiveReading>>

export interface DeviceCompareParts {
  /** The device of a key; `imei` null where nobody knows it yet. */
  imeiOf(key: string): string | null
  /** Reads the device for a comparison, where nobody else has just read it. */
  read(key: string, operations: readonly LiveOperation[], signal: AbortSignal): Promise<Readings>
  witness: GatewayWitness
  limits(): WorkspaceLimits
  /** The gateway's clock against ours. */
  gatewayAheadMs(): number | null
  /** Who asks which gateway, and whether somebody is signed in: when it changes, what was heard before is not of it. */
  gatewayName(): Promise<string>
  reportFault(error: unknown): void
  now?: () => number
}

const wanted = ['system.info', 'modem.information', 'gps.position', 'io.all'] as const satisfies readonly LiveOperation[]
/** What a screen read a moment ago is as good as reading it again. */
const freshMs = 4_000
const lineNames = ['PWR', 'IGN', 'TIG', 'IN1', 'IN2', 'IN3', 'OUT1', 'OUT2'] as const

interface Seen {
  readings: Readings
  lines: Map<string, boolean>
  sinceMs: Map<string, number>
}

/** Holds what a device says against what the gateway says of it. */
export function createDeviceCompare(parts: DeviceCompareParts) {
  const now = parts.now ?? (() => Date.now())
  const seen = new Map<string, Seen>()
  let site = ''

  function heard(key: string, readings: Readings): void {
    const one: Seen = seen.get(key) ?? { readings: {}, lines: new Map(), sinceMs: new Map() }
    seen.set(key, one)
    for (const [operation, reading] of Object.entries(readings) as [LiveOperation, LiveReading][]) {
      if ((wanted as readonly string[]).includes(operation)) one.readings[operation] = reading
    }
    const lines = readings['io.all']?.value as Partial<IoState> | null | undefined
    for (const name of lineNames) {
      const isOn = lines?.[name]
      if (typeof isOn !== 'boolean') continue
      if (one.lines.get(name) !== isOn) one.sinceMs.set(name, now())
      one.lines.set(name, isOn)
    }
  }

  async function readingsOf(key: string, signal: AbortSignal): Promise<Readings> {
    const kept: Readings = seen.get(key)?.readings ?? {}
    const due = wanted.filter((operation) => !(now() - Date.parse(kept[operation]?.readAt ?? '') < freshMs))
    if (due.length > 0) heard(key, await parts.read(key, due, signal))
    return seen.get(key)?.readings ?? {}
  }

  return {
    /** What a screen has just read counts here as well. */
    heard,
    async compare(key: string, signal: AbortSignal): Promise<DeviceCompare> {
      const name = await parts.gatewayName()
      if (name !== site) parts.witness.forget()
      site = name
      const readings = await readingsOf(key, signal)
      const imei = parts.imeiOf(key)
      const device = deviceSays(imei ?? '', readings, seen.get(key)?.sinceMs ?? new Map<string, number>(), now())
      const witness: Witness = imei === null ? { gateway: { state: 'notShown', why: null } } : await parts.witness.look(imei, device.simId, (error) => parts.reportFault(error))
      const events = (witness.events?.value ?? []).filter((event) => imei !== null && isOf(event, imei))
      const newest = events[0]
      const laterS = witness.events ? (now() - witness.events.atMs) / 1000 : 0
      const gateway = gatewaySays(witness, parts.gatewayAheadMs(), now())
      return {
        gateway: witness.gateway,
        vehicle: witness.vehicle?.value ?? null,
        rows: compareRows(device, gateway, parts.limits()),
        places: comparePlaces(device, gateway),
        newest: newest ? { at: new Date(newest.eventAtMs).toISOString(), ageS: Math.round(newest.ageS + laterS), delayS: newest.delayS } : null,
        delays: events.flatMap(({ eventAtMs, delayS }) => (delayS === null ? [] : [{ at: new Date(eventAtMs).toISOString(), delayS }])).reverse()
      }
    }
  }
}
export type DeviceComparison = ReturnType<typeof createDeviceCompare>

function valueOf<T>(readings: Readings, operation: LiveOperation): Sparse<T> | undefined {
  const reading = readings[operation]
  return reading?.failure === null ? ((reading.value ?? undefined) as Sparse<T> | undefined) : undefined
}

function deviceSays(imei: string, readings: Readings, lineSinceMs: ReadonlyMap<string, number>, nowMs: number): DeviceSays {
  const system = valueOf<SystemInfo>(readings, 'system.info')
  const modem = valueOf<ModemInformation>(readings, 'modem.information')
  const position = valueOf<GpsPosition>(readings, 'gps.position')
  const { latitude, longitude, speed } = position?.coords ?? {}
  const hasFix = (position?.extras?.fix ?? 0) > 0
  const modemImei = modem?.IMEI?.trim()
  const names = [system?.hostname === undefined ? undefined : sameHost(system.hostname, imei), modemImei ? modemImei === imei : undefined].filter((one) => one !== undefined)
  return {
    imei,
    isNamed: names.length === 0 ? undefined : names.every(Boolean),
    simId: (modem?.SIM_TYPE === 'EMBEDDED' && modem.eSIM_ID) || modem?.SIM_ID || undefined,
    place: hasFix && latitude !== undefined && longitude !== undefined ? { latitude, longitude } : undefined,
    satellites: position?.extras?.satsActive,
    speedKmh: hasFix ? speed : undefined,
    lines: valueOf<IoState>(readings, 'io.all') ?? {},
    lineSinceMs,
    signalDbm: readSignal(modem?.RSSI)?.dBm,
    clockOffS: position?.timestamp === undefined ? undefined : clockOffS(position.timestamp, readings['gps.position']?.readAt, nowMs)
  }
}

function clockOffS(timestamp: number, readAt: string | undefined, nowMs: number): number {
  const readMs = Date.parse(readAt ?? '') || nowMs
  return (correctGpsEpoch(timestamp, readMs).unixMs - readMs) / 1000
}

function gatewaySays({ gateway, record, sim, lines, events, distanceM }: Witness, aheadMs: number | null, nowMs: number): GatewaySays {
  const laterS = (atMs: number) => (nowMs - atMs) / 1000
  const imei = record?.value?.imei ?? undefined
  const simId = record?.value?.simIds[0]
  const own = (events?.value ?? []).filter((event) => imei !== undefined && isOf(event, imei))
  const ageOf = ({ ageS }: { ageS: number }) => ageS + laterS(events?.atMs ?? nowMs)
  // Messages about the connection carry no place.
  const placed = own.find(({ isPositionValid, latitude, longitude }) => isPositionValid === true && latitude !== null && longitude !== null)
  const heard = own.find(({ raw }) => signalOf(raw) !== undefined)
  const { sv, speed } = (placed?.raw ?? {}) as { sv?: unknown; speed?: unknown }
  return {
    imei,
    sim: simId === undefined ? (sim?.value ? 'known' : undefined) : { id: simId },
    event: placed && {
      atMs: placed.eventAtMs,
      ageS: ageOf(placed),
      place: { latitude: placed.latitude ?? 0, longitude: placed.longitude ?? 0 },
      satellites: typeof sv === 'number' ? sv : undefined,
      // In metres a second, as it was asked for.
      speedKmh: typeof speed === 'number' ? speed * 3.6 : undefined
    },
    signal: heard && { dBm: signalOf(heard.raw) ?? 0, atMs: heard.eventAtMs, ageS: ageOf(heard) },
    lines: lines?.value ? { values: lines.value.values, atMs: lines.value.atMs, ageS: lines.value.ageS === null ? null : lines.value.ageS + laterS(lines.atMs) } : undefined,
    clockOffS: aheadMs === null || gateway.state !== 'answers' ? undefined : aheadMs / 1000,
    drivenM: distanceM?.value ?? undefined
  }
}

function signalOf(raw: unknown): number | undefined {
  const { cf_rssi: rssi } = (raw ?? {}) as { cf_rssi?: unknown }
  return readSignal(typeof rssi === 'number' ? rssi : undefined)?.dBm
}
