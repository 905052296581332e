import { canSee, isOnline } from '../access.ts'
import type { Call } from '../call.ts'
import type { Join } from './collection.ts'
import type { Asset, Device, Group, JsonRecord, Sim, User, Vehicle } from '../state.ts'
import { formatTime } from '../time.ts'

/** The user record of the document, without the password. */
export function userRecord(call: Call, user: User): JsonRecord {
  return {
    id: user.id,
    username: user.username,
    email: user.username,
    first_name: user.first_name,
    last_name: user.last_name,
    phone: user.phone,
    is_superuser: user.is_superuser,
    is_active: true,
    is_staff: user.is_staff,
    scopes: user.scopes,
    groups: user.groups,
    prefs: user.prefs,
    last_login: user.lastLogin,
    date_joined: user.joined,
    __updated: Math.floor(call.nowMs / 1000) - 3600
  }
}

export function vehicleRecord(vehicle: Vehicle): JsonRecord {
  return { id: vehicle.id, name: vehicle.name, info: vehicle.info, device: vehicle.device, groups: vehicle.groups }
}

/**
 * The additional fields of GET /vehicles/:id. Names and form of the history are not documented: the seed chooses them.
 */
export function associationHistory(call: Call, vehicle: Vehicle): JsonRecord {
  const links = call.state.links.filter((link) => link.primary === vehicle.id)
  const shape = call.state.shape('association history', 3)
  const seconds = (ms: number | null): number | null => (ms === null ? null : Math.floor(ms / 1000))
  const iso = (ms: number | null): string | null => (ms === null ? null : formatTime(ms, call.zone))
  const [byFlag, byClient] = [call.state.speaks('history.flags'), call.state.speaks('history.flagsOfClient')]
  if (byFlag || byClient) {
    const changes = [
      ...vehicle.deviceHistory.map((item) => ({ of: { [byClient ? 'device_id' : 'device']: item.imei }, ...item })),
      ...links.map((link) => ({ of: { secondary_id: link.secondary }, startMs: link.startMs, endMs: link.endMs }))
    ].flatMap(({ of, startMs, endMs }) => [
      { of, atMs: startMs, isStart: true },
      ...(endMs === null ? [] : [{ of, atMs: endMs, isStart: false }])
    ])
    return {
      associations: changes
        .sort((a, b) => a.atMs - b.atMs)
        .map(({ of, atMs, isStart }, index) => ({
          ...of,
          time: seconds(atMs),
          id: 80 + index,
          association: isStart,
          [byClient ? 'vehicle_id' : 'vehicle']: vehicle.id
        }))
    }
  }
  if (shape === 0) {
    return {
      associations: links.map((link) => ({
        primary_id: link.primary,
        secondary_id: link.secondary,
        start: seconds(link.startMs),
        end: seconds(link.endMs)
      })),
      devices: vehicle.deviceHistory.map((item) => ({
        imei: item.imei,
        start: seconds(item.startMs),
        end: seconds(item.endMs)
      }))
    }
  }
  if (shape === 1) {
    return {
      history: [
        ...vehicle.deviceHistory.map((item) => ({ device: item.imei, from: iso(item.startMs), to: iso(item.endMs) })),
        ...links.map((link) => ({ entity: link.secondary, from: iso(link.startMs), to: iso(link.endMs) }))
      ]
    }
  }
  return {
    association_history: {
      entities: links.map((link) => ({
        secondary: link.secondary,
        associated_at: seconds(link.startMs),
        deassociated_at: seconds(link.endMs)
      })),
      device: vehicle.deviceHistory.map((item) => ({
        device_id: item.imei,
        associated_at: seconds(item.startMs),
        deassociated_at: seconds(item.endMs)
      }))
    }
  }
}

export function assetRecord(asset: Asset): JsonRecord {
  return { ...asset }
}

export function deviceRecord(call: Call, device: Device): JsonRecord {
  if (call.state.form === 'maker') return makersDeviceRecord(call, device)
  const vehicle = call.state.vehicles.find((candidate) => candidate.device === device.imei)
  return {
    imei: device.imei,
    model: device.model,
    vehicle: vehicle?.id ?? null,
    latest: device.latest && call.state.form === 'mixed' ? latestOfMixed(device.latest) : device.latest,
    ios_state: device.ioEpoch === 0 ? {} : { ...device.io, _epoch: device.ioEpoch },
    network: { iccid: device.iccid, ...(call.state.form === 'mixed' ? {} : { cf_rssi: device.report?.csq ?? null }) },
    connection: { online: isOnline(device, call.nowMs) },
    ...(call.state.form === 'mixed'
      ? {}
      : { last_reported: device.lastReportMs === null ? null : formatTime(device.lastReportMs, call.zone) })
  }
}

/** Only the place of the last event, with the names of events. */
function latestOfMixed({ loc, cf_rssi }: JsonRecord): JsonRecord {
  const { event_time, system_time, ...place } = (loc ?? {}) as JsonRecord
  const spaced = (time: unknown): unknown =>
    typeof time === 'string' ? time.replace('T', ' ').replace(/(\+00:00|Z)$/, '') : time
  return {
    loc: {
      ...place,
      cf_rssi: cf_rssi === undefined ? null : String(cf_rssi),
      event_time,
      system_time: spaced(system_time)
    }
  }
}

/** The record as the gateway’s public documentation and clients have it. */
function makersDeviceRecord(call: Call, device: Device): JsonRecord {
  const { latest, lastReportMs, report } = device
  const place = (latest?.['loc'] ?? {}) as JsonRecord
  const secondsOf = (time: unknown): number | null => (typeof time === 'string' ? Date.parse(time) / 1000 : null)
  const _epoch = lastReportMs === null ? null : lastReportMs / 1000
  const online = isOnline(device, call.nowMs)
  const eventS = secondsOf(place['event_time'])
  return {
    id: device.imei,
    imei: device.imei,
    connection: { online, last: { code: 100 }, on_codes: {}, off_codes: {}, _epoch },
    ios_state: device.ioEpoch === 0 ? {} : { ...device.io, _epoch: device.ioEpoch },
    lastrx: { msg_type: report?.type ?? null, value: _epoch === null ? null : Math.floor(_epoch), _epoch },
    latest: latest && {
      prefix: '',
      loc: {
        head: place['head'],
        code: latest['code'],
        age: 1,
        lon: place['lon'],
        lat: place['lat'],
        mph: Math.round((Number(place['speed'] ?? 0) * 3.6) / 1.609344),
        label: latest['label'],
        evlabel: latest['label'],
        evtime: eventS,
        source: 3,
        valid: place['valid_position'],
        moving: Number(place['speed'] ?? 0) > 1,
        systime: secondsOf(place['system_time'])
      },
      data: { cf_rssi: { value: report?.csq ?? null, evtime: eventS } },
      ios: {},
      counters: {},
      vcounters: {},
      lastrx: { _epoch }
    },
    net_reg: {
      cf_cid: 'A1B2',
      cf_lac: '67',
      cf_mcc: 1,
      cf_mnc: 1,
      cf_rssi: report?.csq ?? null,
      cf_type: 'LTE',
      _epoch
    },
    network: { cnum: null, imsi: null, op: 'Test network', sim: device.iccid, _epoch },
    sim: { iccid: device.iccid },
    version: { device: device.model, number: 4002001, extras: '', msg: '' }
  }
}

export function simRecord(call: Call, sim: Sim): JsonRecord {
  const base = { id: sim.id, resource_id: sim.id, iccid: sim.iccid, line_number: sim.line_number }
  return call.state.shape('sim device', 2) === 0 ? { ...base, device: sim.imei } : base
}

export function groupRecord(group: Group): JsonRecord {
  return { id: group.id, name: group.name }
}

/** `device:*`, `device:latest.loc network` on a vehicle. */
export const vehicleJoins: Record<string, Join> = {
  device: (record, call) => {
    const device = call.state.devices.find((candidate) => candidate.imei === record['device'])
    return device ? deviceRecord(call, device) : null
  },
  devices: (record, call) =>
    call.state.devices.filter((device) => device.imei === record['device']).map((device) => deviceRecord(call, device)),
  groups: (record, call) =>
    call.state.groups.filter((group) => (record['groups'] as number[]).includes(group.id)).map(groupRecord)
}

/** `users:*`, `vehicles:*`, `devices:*`, `assets:*` on a group. */
export const groupJoins: Record<string, Join> = {
  users: (record, call) =>
    call.state.users.filter((user) => user.groups.includes(Number(record['id']))).map((user) => userRecord(call, user)),
  vehicles: (record, call) => membersOf(call, record).map(vehicleRecord),
  devices: (record, call) => {
    const imeis = new Set(membersOf(call, record).map((vehicle) => vehicle.device))
    return call.state.devices.filter((device) => imeis.has(device.imei)).map((device) => deviceRecord(call, device))
  },
  assets: (record, call) =>
    call.state.assets
      .filter((asset) => asset.groups.includes(Number(record['id'])) && canSee(call, asset))
      .map(assetRecord)
}

function membersOf(call: Call, record: JsonRecord): Vehicle[] {
  return call.state.vehicles.filter((vehicle) => vehicle.groups.includes(Number(record['id'])) && canSee(call, vehicle))
}
