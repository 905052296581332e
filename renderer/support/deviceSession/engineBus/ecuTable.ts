import type { EcuValue } from '../../../../preload/contract/gateway/accessories.ts'
import type { DeviceWrite } from '../../../../preload/contract/device/workspace.ts'
import { busName } from '../../../../preload/job/busName.ts'
import { say } from '../../../base/say.ts'
import { t } from '../../../base/texts.ts'
import { textAt } from '../../../device/readings/values.ts'

/** Names of the presets, as the maker's list and earlier ones of Fitter have them; others show their own name. */
const named = {
  engine_speed: 'ENGINE_SPEED',
  eec1_engine_speed: 'ENGINE_SPEED',
  engine_coolant_temperature: 'ENGINE_COOLANT_TEMPERATURE',
  et1_engine_coolant_temperature: 'ENGINE_COOLANT_TEMPERATURE',
  engine_oil_pressure: 'ENGINE_OIL_PRESSURE',
  efl_p1_engine_oil_pressure: 'ENGINE_OIL_PRESSURE',
  engine_total_hours: 'ENGINE_TOTAL_HOURS',
  hours_engine_total_hours_of_operation: 'ENGINE_TOTAL_HOURS',
  wheel_based_vehicle_speed: 'WHEEL_BASED_VEHICLE_SPEED',
  ccvs1_wheel_based_vehicle_speed: 'WHEEL_BASED_VEHICLE_SPEED',
  total_vehicle_distance: 'TOTAL_VEHICLE_DISTANCE',
  vd_total_vehicle_distance: 'TOTAL_VEHICLE_DISTANCE',
  battery_potential: 'BATTERY_POTENTIAL',
  vep1_battery_potential_power_input_1: 'BATTERY_POTENTIAL',
  engine_fuel_rate: 'ENGINE_FUEL_RATE',
  lfe1_engine_fuel_rate: 'ENGINE_FUEL_RATE',
  fuel_level: 'FUEL_LEVEL',
  dd1_fuel_level_1: 'FUEL_LEVEL',
  engine_total_fuel_used: 'ENGINE_TOTAL_FUEL_USED',
  lfc1_engine_total_fuel_used: 'ENGINE_TOTAL_FUEL_USED'
} as const

/**
 * The display name of a parameter: `ENGINE_SPEED` is engine speed, `AMB - BAROMETRIC PRESSURE` is barometric pressure
 * (AMB).
 */
export function parameterName(code: string): string {
  const known = Object.entries(named).find(([name]) => name === busName(code))?.[1]
  if (known) return t(`windowEngineBus.name.${known}`)
  const [, group, signal = code] = /^([A-Z0-9_/]+) - (.+)$/.exec(code) ?? []
  const words = signal.replaceAll('_', ' ').trim().toLowerCase()
  const name = words === '' ? code : (words[0] ?? '').toUpperCase() + words.slice(1)
  return group === undefined ? name : `${name} (${group})`
}

/** True for a parameter that Fitter sent, without a valid value at the gateway. */
export function isMissing({ sentAt, seen }: Pick<EcuTableRow, 'sentAt' | 'seen'>): boolean {
  return sentAt !== null && seen?.flag !== 'T'
}

/** Why a parameter has no valid value, in one sentence. */
export function reasonOf({ seen }: Pick<EcuTableRow, 'seen'>, isGatewayKnown: boolean): string {
  if (seen) return say(seen.meaning)
  return t(isGatewayKnown ? 'windowEngineBus.notFound' : 'windowEngineBus.notAsked')
}

/** A remedy that all rows with one share: it is said once. */
export function commonRemedy(rows: readonly EcuTableRow[]): string {
  const [first = '', ...rest] = rows.flatMap(({ seen }) => (seen?.remedy ? [say(seen.remedy)] : []))
  return rest.length > 0 && rest.every((one) => one === first) ? first : ''
}

/** A parameter that was sent to the device, that the gateway shows, or both. */
export interface EcuTableRow {
  code: string
  name: string
  /** When this computer sent the parameter; null when it did not. */
  sentAt: string | null
  outcome: DeviceWrite['outcome'] | null
  seen: EcuValue | null
}

/**
 * What was sent compared with what the gateway shows. No document describes how a name becomes a field: without the
 * signs that a field cannot have they are the same, and a parameter without a match is simply not found.
 */
export function ecuTable(sent: readonly DeviceWrite[], values: readonly EcuValue[]): EcuTableRow[] {
  const rows = new Map<string, EcuTableRow>()
  for (const { operation, input, at, outcome } of sent) {
    const code = textAt(input, 'PARAM_NAME')
    if (operation !== 'ecu.addParameter' || code === undefined || rows.has(busName(code))) continue
    rows.set(busName(code), { code, name: parameterName(code), sentAt: at, outcome, seen: null })
  }
  for (const value of values) {
    const row = rows.get(busName(value.name))
    if (row) row.seen = value
    else
      rows.set(busName(value.name), {
        code: value.name,
        name: value.description || parameterName(value.name),
        sentAt: null,
        outcome: null,
        seen: value
      })
  }
  return [...rows.values()]
}
