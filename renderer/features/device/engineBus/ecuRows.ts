import type { EcuRow } from '../../../../preload/contract/device/workspace.ts'

export const ecuFields = [
  'PARAM_NAME',
  'PGN',
  'TRANSMISSION_RATE',
  'PRIORITY',
  'DLC',
  'LENGTH',
  'START_POSITION',
  'MULTIPLIER',
  'GROUP',
  'OFFSET'
] as const satisfies readonly (keyof EcuRow)[]

export const ecuGroups = ['SIGNAL', 'PERCENT', 'EXTENDED_SIGNAL', 'NUMBER_VALUE']

export function emptyRow(): EcuRow {
  return { PARAM_NAME: '', PGN: '', TRANSMISSION_RATE: '1000', PRIORITY: '6', DLC: '8', LENGTH: '1', START_POSITION: '1', MULTIPLIER: '1', GROUP: 'SIGNAL', OFFSET: '0' }
}
