import { noiseAt } from '../random.ts'
import { makeIdentity, type SimulatedIdentity } from '../identity.ts'
import { Faults } from '../faults.ts'
import type { Vehicle } from '../vehicle.ts'
import type { Fix } from '../vehicle/track.ts'
import type { BodyOf } from './bodies.ts'
import { DeviceRecord } from './record.ts'
import { speakerOf, type SimulatedForm } from '../forms.ts'
import { Radios } from './radios.ts'

export interface UnitOptions {
  identity: SimulatedIdentity
  model: string
  user: string
  password: string
  seed: number
  /** How it speaks where the API document leaves a field open; default `document`. */
  form?: SimulatedForm
  /** The form of the documented `timestamp` and `RSSI`; by default as `form` has it. */
  gpsTimestamp?: 'unix' | 'gps'
  rssiAs?: 'dbm' | 'csq'
}

export const networkApn = 'internet.example'

/** The state of one simulated device; the handlers read and change it. */
export type Unit = ReturnType<typeof createUnit>

/** A device as it leaves the factory; `ip` is the address that it believes it has. */
export function createUnit(
  { identity, model, user, password, seed, form = 'document', gpsTimestamp, rssiAs }: UnitOptions,
  vehicle: Vehicle,
  ip: string
) {
  const speaks = speakerOf(form, seed)
  return {
    identity,
    model,
    form,
    speaks,
    hostname: `${model}-${identity.imei}`,
    user,
    password,
    seed,
    gpsTimestamp: gpsTimestamp ?? timestampOf(speaks, seed),
    rssiAs: rssiAs ?? (speaks('signal.csq') ? 'csq' : 'dbm'),
    ip,
    vehicle,
    faults: new Faults(),
    record: new DeviceRecord(),
    radios: new Radios(seed, `${model}-${identity.imei.slice(-6)}`, () => vehicle.now(), speaks('wifi.escapedScan')),
    startedMs: vehicle.now(),
    sessionCount: 0,
    apn: { apn: networkApn, user: '', pass: '', pin: '' },
    ecuParameters: [] as BodyOf<'ecu.addParameter'>[],
    ecuConfiguration: undefined as BodyOf<'ecu.configure'> | undefined,
    autoAlignments: [] as { at: string; state: boolean }[],
    lastAlignmentMs: undefined as number | undefined,
    updateChecks: 0,
    /** The place that a receiver repeats with the fault `frozenPosition`. */
    frozenPlace: undefined as Pick<Fix, 'latitude' | 'longitude'> | undefined,
    hasUpdated: false
  }
}

/** A mixed device counts milliseconds, or seconds since the GPS epoch. */
function timestampOf(speaks: (id: string) => boolean, seed: number): 'unix' | 'gps' | 'ms' {
  if (!speaks('timestamp.gps')) return 'unix'
  return speaks('timestamp.milliseconds') && Math.floor(seed / 1000) % 2 === 0 ? 'ms' : 'gps'
}

/**
 * The answering device: with the fault `swapped`, another unit of the same model; with `noImei`, one whose modem is not
 * ready.
 */
export function identityOf(unit: Unit): SimulatedIdentity {
  if (unit.faults.has('noImei')) return { ...unit.identity, imei: '0'.repeat(15) }
  return unit.faults.has('swapped') ? makeIdentity(unit.seed + 1, 998) : unit.identity
}

/** The host name that it announces: with the fault `renamed`, it found its own earlier announcement in use. */
export function announcedNameOf(unit: Unit): string {
  const name = `${unit.model}-${unit.faults.has('noImei') ? identityOf(unit).imei : unit.identity.imei}`
  return unit.faults.has('renamed') ? `${name}-2` : name
}

/** The SIM in the device: its own, that of another device, one of an unknown network, or none. */
export function simOf(unit: Unit): { iccid: string; imsi: string } | null {
  if (unit.faults.has('noSim')) return null
  if (unit.faults.has('wrongSim')) return makeIdentity(unit.seed + 2, 500)
  if (unit.faults.has('unknownSim')) return { iccid: '89990000000000000017', imsi: '999990000000017' }
  return identityOf(unit)
}

/** Signal of the cellular network in dBm, -113 + 2n. */
export function rssiDbmOf(unit: Unit): number {
  const middle = unit.faults.has('weakSignal') ? 8 : 21
  const csq = middle + Math.round(noiseAt(unit.seed, 'rssi', Math.floor(unit.vehicle.now() / 5000)))
  return -113 + 2 * csq
}

export function isRegistered(unit: Unit): boolean {
  return (
    simOf(unit) !== null &&
    !unit.faults.has('notRegistered') &&
    !unit.faults.has('unknownSim') &&
    !unit.faults.has('builtInSimLocked')
  )
}

/** The network assigns an address only for its own APN. */
export function hasAddress(unit: Unit): boolean {
  return isRegistered(unit) && !(unit.faults.has('wrongApn') && unit.apn.apn !== networkApn)
}

export function deviceClockMs(unit: Unit): number {
  return (
    unit.vehicle.now() - (unit.faults.has('clockWrong') ? 900_000 : unit.faults.has('weekRollover') ? rolloverMs : 0)
  )
}

/** Seconds from the Unix epoch to the GPS epoch, less the leap seconds inserted since. */
export const gpsEpochLateS = 315_964_800 - 18

/** What a receiver with the fault `weekRollover` is behind: 1,024 weeks. */
const rolloverMs = 1_024 * 7 * 86_400_000

export function eventClockMs(unit: Unit): number {
  return deviceClockMs(unit) - (unit.faults.has('gpsEpochEvents') ? gpsEpochLateS * 1000 : 0)
}

/** What the receiver makes of its place. */
function seenBy(unit: Unit): Fix {
  const { fix } = unit.vehicle.state()
  const { latitude, longitude } = fix
  unit.frozenPlace = unit.faults.has('frozenPosition') ? (unit.frozenPlace ?? { latitude, longitude }) : undefined
  return {
    ...fix,
    ...unit.frozenPlace,
    ...(unit.faults.has('speedStaysZero') && { speedKmh: 0 }),
    ...(unit.faults.has('fixWithoutSatellites') && { satellites: 0, hdop: 99.99, vdop: 99.99, accuracyM: 20_000 })
  }
}

/** The receiver's view of the sky, depending on its antenna. */
export function fixOfUnit(unit: Unit): Fix | null {
  if (unit.faults.has('noFix')) return null
  const fix = seenBy(unit)
  if (unit.faults.has('zeroPosition')) return { ...fix, latitude: 0, longitude: 0 }
  if (unit.faults.has('poorFix')) return { ...fix, satellites: 4, hdop: 2.6, vdop: 3.4, accuracyM: 18 }
  return fix
}

/** True when a bus is configured and the engine has run, unless its wires are broken. */
export function isEngineBusDetected(unit: Unit): boolean {
  const { vehicle } = unit
  const isConfigured = unit.ecuConfiguration !== undefined || vehicle.bus.connected().length > 0
  return isConfigured && !vehicle.bus.isSilent() && vehicle.state().engineHasRun
}

export function busParameters(unit: Unit): string[] {
  return [...new Set([...unit.vehicle.bus.connected(), ...unit.ecuParameters.map(({ PARAM_NAME }) => PARAM_NAME)])]
}
