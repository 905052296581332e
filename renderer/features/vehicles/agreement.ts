import { message, type Message } from '../../../preload/contract/messages.ts'
import type { VehicleSheet } from '../../../preload/contract/vehicles.ts'
import type { Place } from '../../map/places.ts'
import type { Relation } from '../../ui/WitnessMark.vue'

/** What the device beside the person says of itself; null where it was not read. */
export interface DeviceWitness {
  imei: string
  place: Place | null
  /** By the names of its own API: IGN, PWR, IN1 to IN3. */
  lines: Readonly<Record<string, unknown>> | null
}
export interface GatewayWitness {
  imei: string | null
  place: (Place & { atMs: number }) | null
  lines: NonNullable<VehicleSheet['device']>['lines']
}
export interface AgreementLine {
  relation: Relation
  text: Message
}

/** An older word of the gateway says nothing about now. */
const oldAfterMs = 120_000
const samePlaceM = 100
const lineNames = [
  ['IGN', 'ignition'],
  ['PWR', 'power'],
  ['IN1', 'input1'],
  ['IN2', 'input2'],
  ['IN3', 'input3']
] as const

/** Where the device beside the person and the gateway agree, line by line; what only one of them can say is left out. */
export function agreementOf(device: DeviceWitness, gateway: GatewayWitness, nowMs: number): AgreementLine[] {
  if (gateway.imei !== device.imei) return [{ relation: gateway.imei === null ? 'deviceOnly' : 'differ', text: message('windowVehicle.agree.otherImei') }]
  const lines: AgreementLine[] = [{ relation: 'agree', text: message('windowVehicle.agree.imei') }]
  if (device.place && gateway.place) lines.push(agreementOfPlace(device.place, gateway.place, nowMs))
  if (device.lines && gateway.lines) lines.push(...agreementOfLines(device.lines, gateway.lines, nowMs))
  return lines
}

function agreementOfPlace(device: Place, gateway: Place & { atMs: number }, nowMs: number): AgreementLine {
  const apartM = Math.round(metresBetween(device, gateway))
  if (apartM <= samePlaceM) return { relation: 'agree', text: message('windowVehicle.agree.place', { apartM }) }
  const isOld = nowMs - gateway.atMs > oldAfterMs
  return isOld ? { relation: 'old', text: message('windowVehicle.agree.placeOld', { apartM }) } : { relation: 'differ', text: message('windowVehicle.agree.placeDiffers', { apartM }) }
}

function agreementOfLines(device: Readonly<Record<string, unknown>>, gateway: NonNullable<GatewayWitness['lines']>, nowMs: number): AgreementLine[] {
  const theirs = { ignition: gateway.ignition, power: gateway.power, input1: gateway.inputs[0], input2: gateway.inputs[1], input3: gateway.inputs[2] }
  const compared = lineNames.filter(([ours, name]) => typeof device[ours] === 'boolean' && typeof theirs[name] === 'boolean')
  const [same, other] = [compared.filter(([ours, name]) => device[ours] === theirs[name]), compared.filter(([ours, name]) => device[ours] !== theirs[name])]
  const said = (names: typeof compared): Message[] => {
    const inputs = names.filter(([ours]) => ours.startsWith('IN'))
    const shown = inputs.length === 3 ? names.filter((name) => !inputs.includes(name)) : names
    return [...shown.map(([, name]) => message(`windowVehicle.line.${name}`)), ...(inputs.length === 3 ? [message('windowVehicle.line.inputs')] : [])]
  }
  const isOld = gateway.at === null || nowMs - Date.parse(gateway.at) > oldAfterMs
  return [
    ...(same.length > 0 ? [{ relation: 'agree' as const, text: message('windowVehicle.agree.lines', { lines: said(same) }) }] : []),
    ...(other.length > 0
      ? [isOld ? { relation: 'old' as const, text: message('windowVehicle.agree.linesOld', { lines: said(other) }) } : { relation: 'differ' as const, text: message('windowVehicle.agree.linesDiffer', { lines: said(other) }) }]
      : [])
  ]
}

const earthRadiusM = 6_371_000

function metresBetween(a: Place, b: Place): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const [north, east] = [radians(b.latitude - a.latitude), radians(b.longitude - a.longitude)]
  const half = Math.sin(north / 2) ** 2 + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(east / 2) ** 2
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(half)))
}
