import type { CallOutput } from '../../preload/contract/index.ts'
import type { EcuRow } from '../../preload/contract/device/workspace.ts'
import { message } from '../../preload/contract/messages.ts'

type EcuPreset = CallOutput<'workspace.ecuPresets'>['presets'][number]

type Signal = [
  name: string,
  pgn: string,
  rate: string,
  priority: string,
  length: string,
  start: string,
  multiplier: string,
  offset: string
]

/**
 * Common SAE J1939-71 signals (SPN 190, 110, 100, 247, 84, 245, 168, 183, 96, 250). PGN, resolution and offset were checked
 * against public lists of SPNs; bytes are counted from 1. The device's document does not say how it counts positions, nor which
 * names it knows: these are a starting point, confirmed only by what the gateway shows afterwards.
 */
const note = message('ecuList.presetNote')

const engine: Signal[] = [
  ['ENGINE_SPEED', 'F004', '100', '3', '2', '4', '0.125', '0'],
  ['ENGINE_COOLANT_TEMPERATURE', 'FEEE', '1000', '6', '1', '1', '1', '-40'],
  ['ENGINE_OIL_PRESSURE', 'FEEF', '500', '6', '1', '4', '4', '0'],
  ['ENGINE_TOTAL_HOURS', 'FEE5', 'ON_REQUEST', '6', '4', '1', '0.05', '0']
]
const driving: Signal[] = [
  ['WHEEL_BASED_VEHICLE_SPEED', 'FEF1', '100', '6', '2', '2', '0.00390625', '0'],
  ['TOTAL_VEHICLE_DISTANCE', 'FEE0', '100', '6', '4', '5', '0.125', '0'],
  ['BATTERY_POTENTIAL', 'FEF7', '1000', '6', '2', '5', '0.05', '0']
]
const fuel: Signal[] = [
  ['ENGINE_FUEL_RATE', 'FEF2', '100', '6', '2', '1', '0.05', '0'],
  ['FUEL_LEVEL', 'FEFC', '1000', '6', '1', '2', '0.4', '0'],
  ['ENGINE_TOTAL_FUEL_USED', 'FEE9', 'ON_REQUEST', '6', '4', '5', '0.5', '0']
]

export const ecuPresets: readonly EcuPreset[] = [
  { id: 'j1939-engine', name: message('ecuList.presetEngine'), note, rows: engine.map(toRow) },
  { id: 'j1939-driving', name: message('ecuList.presetDriving'), note, rows: driving.map(toRow) },
  { id: 'j1939-fuel', name: message('ecuList.presetFuel'), note, rows: fuel.map(toRow) }
]

function toRow([
  PARAM_NAME,
  PGN,
  TRANSMISSION_RATE,
  PRIORITY,
  LENGTH,
  START_POSITION,
  MULTIPLIER,
  OFFSET
]: Signal): EcuRow {
  const GROUP = PARAM_NAME === 'FUEL_LEVEL' ? 'PERCENT' : 'SIGNAL'
  return { PARAM_NAME, PGN, TRANSMISSION_RATE, PRIORITY, DLC: '8', LENGTH, START_POSITION, MULTIPLIER, GROUP, OFFSET }
}
