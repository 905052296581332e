import { isPlace } from '../../../../preload/base/maps/position.ts'
import { formRows } from '../../../base/reading/formTable.ts'
import { timeFromOutside } from '../../../../preload/gateway/events/timeFromOutside.ts'
import { numberIn, type Fields } from '../decoders/fields.ts'
import { readIosState } from '../decoders/inputsOutputs.ts'
import { rssiToDbm } from '../decoders/signal.ts'

/** Where a record may have a value: the paths of resources/forms.json, "device record", in their order. */
const paths = formRows.flatMap(({ where, rule }) => (where === 'device record' && rule.kind === 'path' ? [rule] : []))

/** The fields of a device's record that the paths begin with, and those of its last report that have no name. */
export const reportFields = [
  ...new Set(['imei', 'last*', 'connection', 'ios_state', ...paths.map(({ path }) => path.split('.')[0] ?? path)])
].filter((name) => !/^last(?!\*)/.test(name))

/**
 * What a device's record at the gateway tells about its last report; null where it tells nothing. Only `ios_state` is
 * documented in full, so a record of another shape leaves a value unknown.
 */
export function readDeviceState(record: unknown) {
  const device = fieldsOf(record)
  const place = fieldsOf(fieldsOf(device['latest'])['loc'])
  const online = fieldsOf(device['connection'])['online']
  const valid = told(device, 'hasPosition').find((value) => typeof value === 'boolean')
  const rssi = told(device, 'signal')
    .map(numberOf)
    .find((value) => value !== null)
  const isPlaced = place['lat'] === undefined || isPlace(place['lat'], place['lon'])
  const lastMs = lastReportMs(device)
  const lines = device['ios_state'] === undefined ? null : readIosState(fieldsOf(device['ios_state']))
  return {
    lastReportedAt: lastMs === null ? null : new Date(lastMs).toISOString(),
    isOnline: typeof online === 'boolean' ? online : null,
    hasPower: lines?.power ?? null,
    isDriving: lines?.ignition ?? null,
    hasPosition: valid === undefined ? null : valid === true && isPlaced,
    signalDbm: rssiToDbm(rssi)
  }
}

/**
 * The last report of a device in its record, by the gateway's clock; only where that tells nothing, by the clock of the
 * device.
 * The document does not name the fields behind `device:last*`: a time in any of them counts.
 */
export function lastReportMs(record: unknown): number | null {
  const device = fieldsOf(record)
  const named = Object.entries(device)
    .filter(([name]) => name.startsWith('last') && name !== 'latest')
    .map(([, value]) => value)
  for (const times of [[...named, ...told(device, 'heardAt')], told(device, 'happenedAt')]) {
    const known = times.map(timeFromOutside).filter((ms) => ms !== undefined)
    if (known.length > 0) return Math.max(...known)
  }
  return null
}

function told(device: Fields, meaning: (typeof paths)[number]['meaning']): unknown[] {
  return paths
    .filter((one) => one.meaning === meaning && (one.when === undefined || valueAt(device, one.when) === true))
    .map(({ path }) => valueAt(device, path))
}

/** Forwarded values are texts. */
function numberOf(value: unknown): number | null {
  return numberIn({ value: typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value }, 'value')
}

function valueAt(device: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => fieldsOf(inner)[name], device)
}

function fieldsOf(value: unknown): Fields {
  return value !== null && typeof value === 'object' ? (value as Fields) : {}
}
