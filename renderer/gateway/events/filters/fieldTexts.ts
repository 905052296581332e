import type { RawdataCell } from '../../../../preload/contract/gateway/vehicles/rawdata.ts'
import { isKnownField, knownField } from '../../../../preload/gateway/events/fields.ts'
import { formatNumber, formatQuantity, kmPerMile } from '../../../../preload/base/messages/quantities.ts'
import { reader } from '../../../base/say.ts'
import { t } from '../../../base/texts.ts'

/** A field in the gateway's catalogue. */
export interface FieldInfo {
  name: string
  description: string
  type: string
  group: string
}

/** The name of a field: in the person's language if Fitter has a text, else the gateway's name. */
export function fieldName(name: string, fields: readonly FieldInfo[]): string {
  if (name === 'where') return t('common.place')
  if (isKnownField(name)) return t(`windowEventLog.field.${name}`)
  return fields.find((field) => field.name === name)?.description || name
}

/** The symbol and the factor for displaying a field's number; without temperatures. */
export function fieldUnit(name: string): { symbol: string; factor: number; digits: number } {
  const isImperial = reader.value.units === 'imperial'
  switch (knownField(name)?.unit) {
    case 'Kmh':
      return isImperial ? { symbol: 'mph', factor: 1 / kmPerMile, digits: 0 } : { symbol: 'km/h', factor: 1, digits: 0 }
    case 'Mv':
      return { symbol: 'V', factor: 0.001, digits: 1 }
    case 'Dbm':
      return { symbol: 'dBm', factor: 1, digits: 0 }
    case 'S':
      return { symbol: 's', factor: 1, digits: 0 }
    case 'M':
      return isImperial
        ? { symbol: 'mi', factor: 0.001 / kmPerMile, digits: 1 }
        : { symbol: 'km', factor: 0.001, digits: 1 }
    case 'Percent':
      return { symbol: '%', factor: 1, digits: 0 }
    default:
      return { symbol: name === 'head' ? '°' : '', factor: 1, digits: 3 }
  }
}

/** A cell of the table; its column shows the unit. */
export function cellText(name: string, value: RawdataCell | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? t('windowApp.common.yes') : t('windowApp.common.no')
  if (typeof value === 'string') return value
  if (name === 'device_id' || name === 'aid' || name === 'lat' || name === 'lon') return String(value)
  const { factor, digits } = fieldUnit(name)
  return formatNumber(value * factor, reader.value.language, digits, digits === 1 ? 1 : 0)
}

/** The same with its unit, for use outside the table. */
export function valueText(name: string, value: RawdataCell): string {
  if (typeof value !== 'number') return cellText(name, value)
  const unit = knownField(name)?.unit
  if (unit === 'S') return formatQuantity('S', value, reader.value)
  const { symbol } = fieldUnit(name)
  return symbol === ''
    ? cellText(name, value)
    : symbol === '°'
      ? `${cellText(name, value)}°`
      : `${cellText(name, value)} ${symbol}`
}

/** True for a field with values for a chart axis. */
export function isNumeric(field: FieldInfo): boolean {
  return (
    field.type === 'number' &&
    ![
      'id',
      'vid',
      'pid',
      'device_id',
      'aid',
      'type',
      'code',
      'lat',
      'lon',
      'event_epoch',
      'system_epoch',
      'event_hour',
      'system_hour',
      'system_minute',
      'event_wkday',
      'dphoto_ptr'
    ].includes(field.name)
  )
}
