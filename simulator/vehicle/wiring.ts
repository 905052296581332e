import { noiseAt } from '../random.ts'
import type { InputLine, KeyPosition, OutputLine } from './lines.ts'
import { rippleSettlesMs } from './supply.ts'

/** Wrong or broken wiring between the vehicle and its device. */
export const wiringFaults = [
  'shortOnOut1',
  'chatter',
  'pwrDropsWhileCranking',
  'ignitionWireMissing',
  'ignitionOnPermanentFeed',
  'ignitionLoose',
  'ignitionFloats',
  'electric',
  'noPower',
  'powerFlickers',
  'powerSwitched',
  'out1StuckOn',
  'out1StuckOff',
  'relayIneffective',
  'input1NotConnected'
] as const
export type WiringFault = (typeof wiringFaults)[number]

export interface WiredVehicle {
  seed: number
  atMs: number
  faults: ReadonlySet<WiringFault>
  key: KeyPosition
  isCranking: boolean
  engineOn: boolean
  engineMs: number
  powerCut: boolean
  pressed: ReadonlySet<InputLine>
  outputs: ReadonlySet<OutputLine>
}

const flickerEveryMs = 4_000
const flickerLastsMs = 600

/** The device has power from the vehicle, not only from its own battery. */
export function isPowered({ powerCut, faults, key, isCranking, atMs }: WiredVehicle): boolean {
  if (powerCut || faults.has('noPower')) return false
  if (faults.has('powerSwitched') && key === 'off') return false
  if (faults.has('powerFlickers') && atMs % flickerEveryMs < flickerLastsMs) return false
  return !(isCranking && faults.has('pwrDropsWhileCranking'))
}

const looseEveryMs = 3_000
const looseForMs = 400
const floatsEveryMs = 100

export function hasIgnition({ faults, key, atMs }: WiredVehicle): boolean {
  if (faults.has('ignitionFloats')) return Math.floor(atMs / floatsEveryMs) % 2 === 0
  if (faults.has('ignitionLoose') && atMs % looseEveryMs < looseForMs) return false
  if (faults.has('ignitionWireMissing')) return false
  if (faults.has('ignitionOnPermanentFeed')) return true
  return key !== 'off'
}

/** Ignition by the alternator's ripple, which an electric motor does not produce. */
export function hasRipple(vehicle: WiredVehicle): boolean {
  if (vehicle.faults.has('electric')) return false
  return vehicle.engineOn && vehicle.engineMs >= rippleSettlesMs && !vehicle.powerCut && !vehicle.faults.has('noPower')
}

export function isInputOn({ seed, atMs, faults, pressed }: WiredVehicle, line: InputLine): boolean {
  if (line === 'IN1' && faults.has('input1NotConnected')) return false
  if (line === 'IN1' && faults.has('chatter')) return noiseAt(seed, 'chatter', Math.floor(atMs / 150)) > 0
  return pressed.has(line)
}

/** A shorted output trips when it is on. */
export function isShorted({ faults, outputs }: Pick<WiredVehicle, 'faults' | 'outputs'>, line: OutputLine): boolean {
  return line === 'OUT1' && outputs.has('OUT1') && faults.has('shortOnOut1')
}

/** OUT1 interrupts the starter if its relay is wired into that circuit and has power. */
export function isStarterBlocked(wired: Pick<WiredVehicle, 'faults' | 'outputs'>): boolean {
  return wired.outputs.has('OUT1') && !isShorted(wired, 'OUT1') && !wired.faults.has('relayIneffective')
}
