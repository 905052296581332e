import type { EcuValue } from '../../../../preload/contract/gateway/accessories.ts'
import type { DeviceWrite } from '../../../../preload/contract/device/workspace.ts'
import { say } from '../../../say.ts'
import { t } from '../../../texts.ts'
import { textAt } from '../../readings/values.ts'

/** Names of the presets; other presets show their own name. */
const named = [
  'ENGINE_SPEED',
  'ENGINE_COOLANT_TEMPERATURE',
  'ENGINE_OIL_PRESSURE',
  'ENGINE_TOTAL_HOURS',
  'WHEEL_BASED_VEHICLE_SPEED',
  'TOTAL_VEHICLE_DISTANCE',
  'BATTERY_POTENTIAL',
  'ENGINE_FUEL_RATE',
  'FUEL_LEVEL',
  'ENGINE_TOTAL_FUEL_USED'
] as const

/** The display name of a parameter: `ENGINE_SPEED` is engine speed. */
export function parameterName(code: string): string {
  const known = named.find((one) => one === code.toUpperCase())
  if (known) return t(`windowEngineBus.name.${known}`)
  const words = code.replaceAll('_', ' ').trim().toLowerCase()
  return words === '' ? code : (words[0] ?? '').toUpperCase() + words.slice(1)
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
 * What was sent compared with what the gateway shows. Names are compared unchanged: no document describes how one becomes
 * the other, so a parameter without a match is simply not found.
 */
export function ecuTable(sent: readonly DeviceWrite[], values: readonly EcuValue[]): EcuTableRow[] {
  const rows = new Map<string, EcuTableRow>()
  for (const { operation, input, at, outcome } of sent) {
    const code = textAt(input, 'PARAM_NAME')
    if (operation !== 'ecu.addParameter' || code === undefined || rows.has(code.toLowerCase())) continue
    rows.set(code.toLowerCase(), { code, name: parameterName(code), sentAt: at, outcome, seen: null })
  }
  for (const value of values) {
    const row = rows.get(value.name.toLowerCase())
    if (row) row.seen = value
    else
      rows.set(value.name.toLowerCase(), {
        code: value.name,
        name: value.description || parameterName(value.name),
        sentAt: null,
        outcome: null,
        seen: value
      })
  }
  return [...rows.values()]
}
