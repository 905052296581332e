import type { CallOutput } from '../../../preload/contract/index.ts'
import type { EcuRow } from '../../../preload/contract/device/workspace.ts'
import { message } from '../../../preload/contract/messages.ts'

type EcuPreset = CallOutput<'workspace.ecuPresets'>['presets'][number]

type Signal = [
  name: string,
  pgn: string,
  rate: string,
  priority: string,
  length: string,
  start: string,
  multiplier: string,
  group: string,
  offset?: string
]

/**
 * Common SAE J1939-71 signals (SPN 190, 110, 100, 247, 84, 245, 168, 183, 96, 250) in the names and forms of the list
 * that the maker publishes for the device (github.com/dctdevelop/syrus4-ecu-parameters, j1939.ecumonitor.conf). The
 * device does not report its list: they are confirmed only by what the gateway shows afterwards.
 */
const note = message('ecuList.presetNote')

const engine: Signal[] = [
  ['EEC1 - ENGINE SPEED', 'F004', 'CONTINUOUS', '3', '2_BYTES', '4-5', '0.125', 'NUMBER_VALUE'],
  ['ET1 - ENGINE COOLANT TEMPERATURE', 'FEEE', '1S', '6', '1_BYTE', '1', '1', 'NUMBER_VALUE', '-40'],
  ['EFL/P1 - ENGINE OIL PRESSURE', 'FEEF', '0.5S', '6', '1_BYTE', '4', '4', 'NUMBER_VALUE'],
  ['HOURS - ENGINE TOTAL HOURS OF OPERATION', 'FEE5', 'ON_REQUEST', '6', '4_BYTES', '1-4', '0.05', 'NUMBER_VALUE']
]
const driving: Signal[] = [
  ['CCVS1 - WHEEL-BASED VEHICLE SPEED', 'FEF1', '100MS', '6', '2_BYTES', '2-3', '0.00390625', 'NUMBER_VALUE'],
  ['VD - TOTAL VEHICLE DISTANCE', 'FEE0', '100MS', '6', '4_BYTES', '5-8', '0.125', 'NUMBER_VALUE'],
  ['VEP1 - BATTERY POTENTIAL / POWER INPUT 1', 'FEF7', '1S', '6', '2_BYTES', '5-6', '0.05', 'NUMBER_VALUE']
]
const fuel: Signal[] = [
  ['LFE1 - ENGINE FUEL RATE', 'FEF2', '100MS', '6', '2_BYTES', '1-2', '0.05', 'NUMBER_VALUE'],
  ['DD1 - FUEL LEVEL 1', 'FEFC', '1S', '6', '1_BYTE', '2', '0.4', 'PERCENT'],
  ['LFC1 - ENGINE TOTAL FUEL USED', 'FEE9', 'ON_REQUEST', '6', '4_BYTES', '5-8', '0.5', 'NUMBER_VALUE']
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
  GROUP,
  OFFSET = ''
]: Signal): EcuRow {
  return { PARAM_NAME, PGN, TRANSMISSION_RATE, PRIORITY, DLC: '8', LENGTH, START_POSITION, MULTIPLIER, GROUP, OFFSET }
}
