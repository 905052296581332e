import { misuseCall, Refusal, type Call } from './call.ts'
import type { Asset, Device, Session, User, Vehicle } from './state.ts'

/** A user's level on one scope through a session; application tokens have some of the user's scopes. */
export function scopeLevel(user: User, session: Session, scope: string): 'r' | 'w' | undefined {
  const own = user.is_staff ? 'w' : user.scopes[scope]
  if (!session.scopes) return own
  const granted = session.scopes[scope]
  if (own === undefined || granted === undefined) return undefined
  return own === 'w' && granted === 'w' ? 'w' : 'r'
}

export function sharedGroups(user: User, session: Session): number[] {
  return session.groups ? user.groups.filter((group) => session.groups?.includes(group)) : user.groups
}

export function canSee(call: Call, entity: { groups: number[] }): boolean {
  return entity.groups.some((group) => call.groups.includes(group))
}

/** A whole number from a path; anything else is a violation. */
export function readId(call: Call, name: string): number {
  const text = call.params[name] ?? ''
  if (!/^\d{1,16}$/.test(text)) throw misuseCall(call, `${name} in the path is not a number`, 404)
  return Number(text)
}

/** A number in the query, of this form; `byDefault` when it is absent. */
export function readNumber<T>(call: Call, name: string, form: RegExp, isWhat: string, byDefault: T): number | T {
  const text = call.query.get(name)
  if (text === null) return byDefault
  if (!form.test(text)) throw misuseCall(call, `${name} is not ${isWhat}`)
  return Number(text)
}

/** `true`, `1`, `false` or `0` in the query; false when it is absent. */
export function readFlag(call: Call, name: string): boolean {
  const text = call.query.get(name) ?? 'false'
  if (!/^(true|false|1|0)$/.test(text)) throw misuseCall(call, `${name} is neither true nor false`)
  return text === 'true' || text === '1'
}

/** The record whose id is in the path; 404 when there is none. */
export function findRecord<T extends { id: number }>(call: Call, records: readonly T[], what: string, name = 'id'): T {
  const id = readId(call, name)
  const record = records.find((candidate) => candidate.id === id)
  if (!record) throw new Refusal(404, `${what} not found`)
  return record
}

/** 401, or 404 to hide it: the document allows both. */
export function refuseAccess(call: Call, what: string): Refusal {
  return call.state.shape('masked', 2) === 0
    ? new Refusal(404, `${what} not found`)
    : new Refusal(401, `${what} is in none of your groups`)
}

export function findVehicle(call: Call, name = 'vid'): Vehicle {
  const vehicle = findRecord(call, call.state.vehicles, 'vehicle', name)
  if (!canSee(call, vehicle)) throw refuseAccess(call, 'vehicle')
  return vehicle
}

export function findEntity(call: Call, id: number): Vehicle | Asset {
  const entity = call.state.vehicles.find((one) => one.id === id) ?? call.state.assets.find((one) => one.id === id)
  if (!entity) throw new Refusal(404, 'entity not found')
  if (!canSee(call, entity)) throw refuseAccess(call, 'entity')
  return entity
}

export function isVehicle(entity: Vehicle | Asset): entity is Vehicle {
  return 'deviceHistory' in entity
}

/** The asset of a write; 404 when it is missing or not visible to the user. */
export function findAsset(call: Call, id: number): Asset {
  const entity = findEntity(call, id)
  if (isVehicle(entity)) throw new Refusal(404, 'asset not found')
  return entity
}

/** A device is visible through its vehicle; a device without a vehicle is visible to everyone with the scope. */
export function canSeeDevice(call: Call, device: Device): boolean {
  const vehicle = call.state.vehicles.find((candidate) => candidate.device === device.imei)
  return !vehicle || canSee(call, vehicle)
}

export function findDevice(call: Call): Device {
  const imei = readId(call, 'imei')
  const device = call.state.devices.find((candidate) => candidate.imei === imei)
  if (!device) throw new Refusal(404, 'device not found')
  if (!canSeeDevice(call, device)) throw refuseAccess(call, 'device')
  return device
}

/** The device in a vehicle now; 404 when it has none. */
export function deviceOf(call: Call, vehicle: Vehicle): Device {
  const device = call.state.devices.find((candidate) => candidate.imei === vehicle.device)
  if (!device) throw new Refusal(404, 'the vehicle has no device')
  return device
}

/** A device that reported within five minutes has an open connection. */
export function isOnline(device: Device, nowMs: number): boolean {
  return device.lastReportMs !== null && nowMs - device.lastReportMs < 300_000
}
