import type { Unit } from '../../base/messages/quantities.ts'

export interface KnownField {
  unit: Unit | null
  kind: 'number' | 'boolean' | 'text'
}

const number = (unit: Unit | null = null): KnownField => ({ unit, kind: 'number' })
const flag: KnownField = { unit: null, kind: 'boolean' }
const text: KnownField = { unit: null, kind: 'text' }

/** Fields with a name in the person's language ("Rawdata event"): speed in km/h, the modem's signal in dBm. */
export const knownFields = {
  type: number(),
  label: text,
  code: number(),
  speed: number('Kmh'),
  head: number(),
  sv: number(),
  hdop: number(),
  vdop: number(),
  valid_position: flag,
  lat: number(),
  lon: number(),
  cf_rssi: number('Dbm'),
  comdelay: number('S'),
  ecu_battery: number('Mv'),
  ecu_distance: number('M'),
  ecu_rpm: number(),
  dev_dist: number('M'),
  dev_ign: number('S'),
  dev_idle: number('S'),
  ea_a: number('Mv'),
  ea_b: number('Mv'),
  ea_c: number('Mv'),
  btt_battery: number('Percent'),
  btt_humidity: number('Percent'),
  btt_light: number('Percent'),
  aid: number(),
  device_id: number(),
  metric_value: number(),
  dphoto_ptr: number()
} as const satisfies Readonly<Record<string, KnownField>>

export type KnownFieldName = keyof typeof knownFields

/** Undefined for a field that only the gateway describes. */
export function knownField(name: string): KnownField | undefined {
  return Object.hasOwn(knownFields, name) ? knownFields[name as KnownFieldName] : undefined
}

export function isKnownField(name: string): name is KnownFieldName {
  return Object.hasOwn(knownFields, name)
}

/** Read with every event: needed by the table, the analysis and the description of an event. */
export const alwaysRead = [
  'type',
  'code',
  'label',
  'lat',
  'lon',
  'valid_position',
  'speed',
  'head',
  'sv',
  'hdop',
  'cf_rssi',
  'comdelay',
  'aid',
  'device_id',
  'metric',
  'dphoto_ptr',
  'ecu_battery',
  'event_epoch',
  'system_epoch'
] as const

export const mostEventViews = 30
