import { withCheckDigit } from '../identity.ts'
import { addHistory } from './past/history.ts'
import type { Device, GatewayState, User, Vehicle } from './state.ts'
import type { GatewayAccount, GatewayDeviceOptions, GatewayOptions } from './types.ts'

const makes: [make: string, model: string][] = [
  ['Volvo', 'FH 460'],
  ['Scania', 'R 450'],
  ['Mercedes-Benz', 'Actros'],
  ['Ford', 'Transit'],
  ['Toyota', 'Hilux'],
  ['Isuzu', 'N-Series']
]
const colors = ['white', 'red', 'blue', 'grey', 'yellow']

/** Every scope of the document with the level a fitting technician has. */
const installerScopes: Record<string, 'r' | 'w'> = {
  assets: 'w',
  configurations: 'r',
  devices: 'r',
  'entities.link': 'w',
  geofences: 'w',
  'geofences:visibility': 'w',
  'geofences:visibility.groups': 'w',
  'geofences:visibility.all': 'w',
  groups: 'r',
  pindrops: 'w',
  'plugins.navscreen': 'w',
  'plugins.flashcam': 'w',
  'plugins.photocam': 'w',
  rawdata: 'r',
  remote: 'r',
  'remote.output': 'w',
  'remote.outputsetlog': 'w',
  routes: 'w',
  sims: 'w',
  tasks: 'w',
  triggers: 'w',
  users: 'r',
  vehicles: 'w',
  'vehicles.counters': 'w'
}

const readScopes: Record<string, 'r' | 'w'> = Object.fromEntries(
  [
    'assets',
    'devices',
    'geofences',
    'groups',
    'plugins.navscreen',
    'plugins.photocam',
    'rawdata',
    'remote',
    'routes',
    'sims',
    'tasks',
    'triggers',
    'users',
    'vehicles',
    'vehicles.counters'
  ].map((scope) => [scope, 'r'])
)

/** Fills an empty state: groups, accounts, vehicles, devices, SIMs, drivers, trailers and key fobs. */
export function seedState(state: GatewayState, options: GatewayOptions, nowMs: number): GatewayAccount[] {
  state.groups.push({ id: 1, name: 'North depot' }, { id: 2, name: 'South depot' }, { id: 3, name: 'Contractors' })
  const accounts = addUsers(state, nowMs, options.distance ?? 'km')
  const vehicles = new Map<Vehicle, GatewayDeviceOptions>()
  for (const device of options.devices) {
    addDevice(state, device.imei, device.model, device.iccid)
    vehicles.set(addVehicle(state, device.imei, [1 + (state.vehicles.length % 2)], nowMs), device)
  }
  const extra = options.vehicles ?? 30
  for (let i = 0; i < extra; i++) {
    const hasDevice = state.random() < 0.7
    const imei = withCheckDigit(`35190012${String(100_000 + state.nextId('imei')).padStart(6, '0')}`)
    if (hasDevice) addDevice(state, imei, 'ft4', `8988303000${String(state.nextId('iccid')).padStart(10, '0')}`)
    addVehicle(state, hasDevice ? imei : null, i % 6 === 5 ? [3] : [1 + (i % 2)], nowMs)
  }
  addAssets(state)
  if (options.history) for (const [vehicle, device] of vehicles) addHistory(state, vehicle, device, nowMs)
  return accounts
}

function addUsers(state: GatewayState, nowMs: number, distance: 'km' | 'mile'): GatewayAccount[] {
  const accounts: GatewayAccount[] = [
    { user: 'installer@example.com', password: 'bay-seven-lift', role: 'installer' },
    { user: 'viewer@example.com', password: 'read-only-desk', role: 'viewer' },
    { user: 'outsider@example.com', password: 'other-yard-gate', role: 'outsider' },
    { user: 'support@example.com', password: 'second-line-phone', role: 'support' }
  ]
  for (const { user, password, role } of accounts) {
    const record: User = {
      id: 10 + state.nextId('user'),
      username: user,
      password,
      first_name: role === 'support' ? null : role.charAt(0).toUpperCase() + role.slice(1),
      last_name: null,
      phone: null,
      is_superuser: false,
      is_staff: role === 'support',
      scopes: role === 'viewer' ? { ...readScopes } : role === 'support' ? {} : { ...installerScopes },
      groups: role === 'outsider' ? [3] : role === 'support' ? [1, 2, 3] : [1, 2],
      prefs: {
        fuelunits: 'liter',
        distance,
        temperature: 'C',
        language: 'en',
        distanceunits: distance,
        volume: 'liter',
        coords: 'deg',
        hour_format: 24,
        system_notifications: {}
      },
      lastLogin: Math.floor(nowMs / 1000) - 86_400,
      joined: Math.floor(nowMs / 1000) - 300 * 86_400
    }
    state.users.push(record)
  }
  return accounts
}

export function addVehicle(state: GatewayState, imei: string | null, groups: number[], nowMs: number): Vehicle {
  const number = state.nextId('vehicle')
  const [make, model] = makes[Math.floor(state.random() * makes.length)] ?? ['Volvo', 'FH 460']
  const letters = 'BCDFGHJKLMNPRSTVWXZ'
  const letter = (): string => letters.charAt(Math.floor(state.random() * letters.length))
  const vehicle: Vehicle = {
    id: 100 + state.nextId('entity'),
    name: `Unit ${String(number).padStart(4, '0')}`,
    info: {
      license_plate: `${letter()}${letter()}${letter()} ${String(100 + Math.floor(state.random() * 900))}`,
      make,
      model,
      year: 2015 + Math.floor(state.random() * 11),
      color: colors[Math.floor(state.random() * colors.length)] ?? 'white'
    },
    device: imei === null ? null : Number(imei),
    groups,
    deviceHistory: []
  }
  if (imei !== null) vehicle.deviceHistory.push({ imei: Number(imei), startMs: nowMs - 40 * 86_400_000, endMs: null })
  state.vehicles.push(vehicle)
  return vehicle
}

export function addDevice(state: GatewayState, imei: string, model: string, iccid: string): Device {
  const device: Device = {
    imei: Number(imei),
    model,
    iccid,
    lastReportMs: null,
    reportCount: 0,
    latest: null,
    io: {},
    ioEpoch: 0,
    report: null,
    waitingOutputs: []
  }
  state.devices.push(device)
  addSim(state, iccid, Number(imei))
  return device
}

/** The record of a SIM; created when the gateway first sees it. */
export function addSim(state: GatewayState, iccid: string, imei: number): void {
  if (iccid === '') return
  const known = state.sims.find((sim) => sim.iccid === iccid)
  if (known) known.imei = imei
  else state.sims.push({ id: state.nextId('sim'), iccid, line_number: '', imei })
}

function addAssets(state: GatewayState): void {
  for (let i = 1; i <= 12; i++) {
    const isDriver = i <= 8
    const number = String(isDriver ? i : i + 2).padStart(2, '0')
    const id = 100 + state.nextId('entity')
    const fob = isDriver && i <= 5 ? makeFob(state) : null
    state.assets.push({
      id,
      name: `${isDriver ? 'Driver' : 'Trailer'} ${number}`,
      type: isDriver ? 'driver' : 'trailer',
      info: isDriver
        ? { first_name: 'Driver', last_name: number, type: 'driver', email: `driver${number}@example.com` }
        : { type: 'trailer' },
      ibuttons: fob ? [fob] : [],
      groups: [1 + (i % 2)],
      device: null,
      counters: null
    })
    if (fob) state.ibuttons.push({ id: fob, entity: id })
  }
}

function makeFob(state: GatewayState): string {
  return Array.from({ length: 16 }, () => '0123456789ABCDEF'.charAt(Math.floor(state.random() * 16))).join('')
}
