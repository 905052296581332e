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

/** The additional fields of GET /vehicles/:id. Names and form of the history are not documented: the seed chooses them. */
export function associationHistory(call: Call, vehicle: Vehicle): JsonRecord {
  const links = call.state.links.filter((link) => link.primary === vehicle.id)
  const shape = call.state.shape('association history', 3)
  const seconds = (ms: number | null): number | null => (ms === null ? null : Math.floor(ms / 1000))
  const iso = (ms: number | null): string | null => (ms === null ? null : formatTime(ms, call.zone))
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
  const vehicle = call.state.vehicles.find((candidate) => candidate.device === device.imei)
  return {
    imei: device.imei,
    model: device.model,
    vehicle: vehicle?.id ?? null,
    latest: device.latest,
    ios_state: device.ioEpoch === 0 ? {} : { ...device.io, _epoch: device.ioEpoch },
    network: { iccid: device.iccid, cf_rssi: device.report?.csq ?? null },
    connection: { online: isOnline(device, call.nowMs) },
    last_reported: device.lastReportMs === null ? null : formatTime(device.lastReportMs, call.zone)
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
