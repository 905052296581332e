import { textIn, type Fields } from './fields.ts'

export interface TyrePlace {
  location: number
  /** From the front. */
  axle: number
  /** From the left, facing forward. */
  position: number
}
export interface TyreWarning extends TyrePlace {
  alarm: string
  isAlarming: boolean
  isDefective: boolean
  looseness: string
  isBatteryLow: boolean
}
export interface TyreProvision {
  system: 'truck' | 'trailer' | null
  state: 'ok' | 'malfunction' | 'deactivated' | null
  axles: number
  modules: number
  sensors: (TyrePlace & { sensorId: string })[]
}
export interface Tyres {
  pressuresPsi: (TyrePlace & { psi: number })[]
  temperaturesC: (TyrePlace & { celsius: number })[]
  warnings: TyreWarning[]
  provision: TyreProvision | null
  /** Entries without the documented form. */
  unreadable: string[]
}

const alarms = [
  'ok',
  'under-inflation warning',
  'under-inflation alarm',
  'tyre leak alarm',
  'module does not report',
  'temperature warning',
  'module over-temperature'
]
const looseness = ['fixed', 'loose', 'turned', 'not supported']

/** Axle and position of a tyre location 0..255; undefined for any other number. */
export function tyrePlace(location: number): TyrePlace | undefined {
  if (!Number.isInteger(location) || location < 0 || location > 255) return undefined
  return { location, axle: (location >> 4) & 0x0f, position: location & 0x0f }
}

/**
 * Tyre-pressure fields of a rawdata event, in psi and Celsius ("Accessory data"). Values of vendors that pad nothing
 * are read too (resources/forms.json, "tyres"); others are named.
 */
export function readTyres(event: Fields): Tyres {
  const unreadable: string[] = []
  const read = <T>(field: string, decode: (place: TyrePlace, rest: string) => T | undefined, skip = 0): T[] =>
    entriesOf(event, field)
      .slice(skip)
      .flatMap((entry) => {
        const place = tyrePlace(/^\d{3}/.test(entry) ? Number(entry.slice(0, 3)) : -1)
        const decoded = place && decode(place, entry.slice(3))
        if (decoded === undefined) unreadable.push(`${field}: ${entry.slice(0, 40)}`)
        return decoded === undefined ? [] : [decoded]
      })
  return {
    pressuresPsi: read('ecu_tires_psi', (place, rest) =>
      /^\d{1,3}$/.test(rest) ? { ...place, psi: Number(rest) } : undefined
    ),
    temperaturesC: read('ecu_tires_tmp', (place, rest) =>
      /^[+-]?\d{1,3}(\.\d+)?$/.test(rest) ? { ...place, celsius: Number(rest) } : undefined
    ),
    warnings: [...read('ecu_tpms_warnings', readWarning), ...read('ecu_tpms_conditions', readCondition)],
    provision: readProvision(event, unreadable, () =>
      read(
        'ecu_tpms_provision',
        (place, rest) => (/^\d{1,10}$/.test(rest) ? { ...place, sensorId: rest } : undefined),
        1
      )
    ),
    unreadable
  }
}

function readWarning(place: TyrePlace, rest: string): TyreWarning | undefined {
  if (!/^\d{4}$/.test(rest)) return undefined
  const [b = 0, c = 0, d = 0, e = 0] = [...rest].map(Number)
  const alarm = alarms[b]
  const loose = looseness[d]
  if (alarm === undefined || loose === undefined) return undefined
  return { ...place, alarm, isAlarming: b !== 0, isDefective: c === 1, looseness: loose, isBatteryLow: e !== 0 }
}

/** The conditions of another vendor's set: seven digits without a documented meaning, all 0 without an alarm. */
function readCondition(place: TyrePlace, rest: string): TyreWarning | undefined {
  if (!/^\d{7}$/.test(rest)) return undefined
  return {
    ...place,
    alarm: `conditions ${rest}`,
    isAlarming: /[1-9]/.test(rest),
    isDefective: false,
    looseness: 'not supported',
    isBatteryLow: false
  }
}

function readProvision(
  event: Fields,
  unreadable: string[],
  readSensors: () => TyreProvision['sensors']
): TyreProvision | null {
  const first = entriesOf(event, 'ecu_tpms_provision')[0]
  if (first === undefined) return null
  const match = /^(\d)\s*(\d)\s*(\d\d)\s*(\d\d)$/.exec(first)
  if (!match) {
    unreadable.push(`ecu_tpms_provision: ${first.slice(0, 40)}`)
    return null
  }
  return {
    system: (['truck', 'trailer'] as const)[Number(match[1])] ?? null,
    state: (['ok', 'malfunction', 'deactivated'] as const)[Number(match[2])] ?? null,
    axles: Number(match[3]),
    modules: Number(match[4]),
    sensors: readSensors()
  }
}

function entriesOf(event: Fields, field: string): string[] {
  return (textIn(event, field) ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}
