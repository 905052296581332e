import { epochMsOf, numberIn, type Fields } from '../decoders/fields.ts'
import { readIosState } from '../decoders/inputsOutputs.ts'
import { rssiToDbm } from '../decoders/signal.ts'

/** What a device's record at the gateway tells about its last report; null where it tells nothing. Only `ios_state` is documented in full, so a record of another shape leaves a value unknown. */
export function readDeviceState(record: unknown) {
  const device = fieldsOf(record)
  const latest = fieldsOf(device['latest'])
  const place = fieldsOf(latest['loc'])
  const online = fieldsOf(device['connection'])['online']
  const valid = [place['valid_position'], latest['valid_position']].find((value) => typeof value === 'boolean')
  const [rssi] = [device['network'], latest, place]
    .map((part) => numberIn(fieldsOf(part), 'cf_rssi'))
    .filter((value) => value !== null)
  return {
    lastReportedAt: lastReportOf(device, latest),
    isOnline: typeof online === 'boolean' ? online : null,
    hasPower: device['ios_state'] === undefined ? null : readIosState(fieldsOf(device['ios_state'])).power,
    hasPosition: valid === undefined ? null : valid === true,
    signalDbm: rssiToDbm(rssi)
  }
}

/** The document does not name the fields behind `device:last*`: the newest time among them is the last report. */
function lastReportOf(device: Fields, latest: Fields): string | null {
  const named = Object.entries(device)
    .filter(([name]) => name.startsWith('last') && name !== 'latest')
    .map(([, value]) => value)
  const times = [...named, latest['system_time'], latest['system_epoch']]
    .map(epochMsOf)
    .filter((ms) => ms !== undefined)
  return times.length === 0 ? null : new Date(Math.max(...times)).toISOString()
}

function fieldsOf(value: unknown): Fields {
  return value !== null && typeof value === 'object' ? (value as Fields) : {}
}
