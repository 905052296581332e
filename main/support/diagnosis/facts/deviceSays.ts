import type { ModemInformation, Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { LiveOperation, LiveReading } from '../../../../preload/contract/device/workspace.ts'
import { correctGpsEpoch, hasIp, readSignal } from '../../../device/client/facts.ts'
import { simNumberField } from '../../../device/client/radio/mobileNetwork.ts'
import { isFix } from '../../../../preload/base/maps/position.ts'
import type { Position } from '../../../../preload/base/maps/distance.ts'
import { problemOf } from '../../../base/reading/fields.ts'
import type { Evidence } from '../../../../preload/contract/support/evidence.ts'
import {
  hasReading,
  mapReading,
  placeWithin,
  roundTo,
  numberWithin,
  type WitnessReading,
  roundWithin
} from './witnessReading.ts'

/** The device's values, in the units of the table: km/h, degrees, dBm, seconds. */
export type DeviceSays = ReturnType<typeof deviceSays>

/** The positions of a parked receiver wander by this much. */
export const parkedKmh = 3
const noFix = message('facts.noFix')
const isText = (value: unknown) => (typeof value === 'string' ? value.trim() : undefined)
const isWord = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)
const isFlag = (value: unknown) => (typeof value === 'boolean' ? value : undefined)

/** The values in the device's readings. An unreadable one is missing, with its reason. */
export function deviceSays({ at, device }: Evidence) {
  const nowMs = Date.parse(at)

  function read<T>(operation: LiveOperation, path: string, take: (value: unknown) => T | undefined): WitnessReading<T> {
    const reading = device?.readings[operation]
    if (!reading) return { why: device?.why ?? null }
    if (reading.failure) return { why: reading.failure.message }
    const value = fieldOf(reading.value, path)
    if (value === undefined || value === null) return { why: problemOf(reading.problems, path) ?? null }
    const taken = take(value)
    return taken === undefined
      ? { why: message('facts.unusable', { said: String(value).slice(0, 40) }) }
      : { value: taken, ...timeOf(reading, nowMs) }
  }

  const fix = read('gps.position', 'extras.fix', (value) => numberWithin(value, -1_000, 1_000))
  const hasFix = mapReading(fix, isFix)
  /** Without a fix, the receiver's position and movement are outdated. */
  function withFix<T>(heard: WitnessReading<T>): WitnessReading<T> {
    if (!hasReading(hasFix)) return hasReading(heard) ? { why: hasFix.why } : heard
    return hasFix.value || !hasReading(heard) ? heard : { why: noFix }
  }

  const longitude = read('gps.position', 'coords.longitude', (value) => numberWithin(value, -180, 180))
  const latitude = read('gps.position', 'coords.latitude', (value) => numberWithin(value, -90, 90))
  const place: WitnessReading<Position> = hasReading(longitude)
    ? mapReading(latitude, (north) => placeWithin(north, longitude.value), noFix)
    : longitude
  const speedKmh = withFix(read('gps.position', 'coords.speed', (value) => roundWithin(value, [0, 500], 1)))
  const isStanding = hasReading(speedKmh) && speedKmh.value <= parkedKmh
  const headingDeg = withFix(read('gps.position', 'coords.bearing', (value) => roundWithin(value, [0, 360], 0)))

  const modem = (device?.readings['modem.information']?.value ?? {}) as Sparse<ModemInformation>
  return {
    /** It answers now: seconds since then. */
    contact: contactOf(device, nowMs),
    place: withFix(place),
    hasFix,
    satellites: read('gps.position', 'extras.satsActive', (value) => numberWithin(value, 0, 99)),
    hdop: read('gps.position', 'extras.hdop', (value) => roundWithin(value, [0, 100], 2)),
    speedKmh,
    headingDeg: isStanding && hasReading(headingDeg) ? { why: message('facts.stands') } : headingDeg,
    signalDbm: read(
      'modem.information',
      'RSSI',
      (value) => readSignal(typeof value === 'string' ? value : undefined)?.dBm
    ),
    operator: read('modem.information', 'OPERATOR', isWord),
    simId: read('modem.information', simNumberField(modem), isWord),
    address: mapReading(read('modem.information', 'IP', isText), (ip) => (hasIp(ip) ? ip : '')),
    apn: read('modem.configuration', 'APN', isText),
    /** Its clock compared with this computer's. */
    clockOffS: withFix(
      read('gps.position', 'timestamp', (value) =>
        clockOff(value, Date.parse(device?.readings['gps.position']?.readAt ?? '') || nowMs)
      )
    ),
    imei: read('modem.information', 'IMEI', isWord),
    hostName: read('system.info', 'hostname', isWord),
    os: read('system.info', 'osVersion', isWord),
    accelerometer: read('accel.state', 'FW_VERSION', isWord),
    line: (name: string) => read('io.all', name, isFlag)
  }
}

function contactOf(device: Evidence['device'], nowMs: number): WitnessReading<number> {
  if (device?.state !== 'answers') return { why: device?.why ?? null }
  const readMs = Object.values(device.readings).flatMap((reading) =>
    reading?.failure === null ? [Date.parse(reading.readAt)] : []
  )
  if (readMs.length === 0) return { why: device.why }
  const atMs = Math.max(...readMs)
  const ageS = ageAt(atMs, nowMs)
  return { value: ageS, atMs, ageS }
}

/** The document only calls the timestamp "GPS epoch": the epoch that is closer to now is used. */
function clockOff(timestampS: unknown, readMs: number): number | undefined {
  const stamp = typeof timestampS === 'number' && timestampS > 0 ? correctGpsEpoch(timestampS, readMs) : undefined
  return stamp && !stamp.isUnsure ? roundTo((stamp.unixMs - readMs) / 1000, 1) : undefined
}

function timeOf({ readAt }: LiveReading, nowMs: number): { atMs: number | null; ageS: number | null } {
  const atMs = Date.parse(readAt)
  return Number.isNaN(atMs) ? { atMs: null, ageS: null } : { atMs, ageS: ageAt(atMs, nowMs) }
}

export function ageAt(atMs: number, nowMs: number): number {
  return roundTo(Math.max(0, (nowMs - atMs) / 1000), 1)
}

function fieldOf(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inner, name) =>
        inner !== null && typeof inner === 'object' ? (inner as Record<string, unknown>)[name] : undefined,
      value
    )
}
