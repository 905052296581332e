import { message, type Message } from '../../../../preload/contract/messages.ts'
import { refuseRequest } from '../transport/refuse.ts'

/** The type of a documented input. Text from a terminal is accepted for numbers and booleans in path and query only. */
export type FieldKind =
  | 'id'
  | 'imei'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'text'
  | 'numberOrText'
  | 'csv'
  | 'fields'
  | 'select'
  | 'time'
  | 'duration'
  | 'object'
  | 'array'
  | 'any'
  | readonly string[]

/** Related resources to join: `{device: ['latest.loc', 'network']}` is `device:latest.loc network`. */
export type Select =
  string | readonly string[] | { fields?: readonly string[]; join?: Record<string, string | readonly string[]> }
export type Csv = string | number | readonly (string | number)[]
/** `YYYY-MM-DD[Thh:mm:ss]`, an ISO 8601 UTC time, or a Date. */
export type Time = string | Date
export type SearchValue = string | number | boolean | readonly (string | number)[]

const wordsByKind: Record<Exclude<FieldKind, readonly string[]>, Message> = {
  id: message('gatewayCall.wholeNumber'),
  imei: message('gatewayCall.imei'),
  integer: message('gatewayCall.wholeNumber'),
  number: message('gatewayCall.number'),
  boolean: message('gatewayCall.trueOrFalse'),
  text: message('gatewayCall.text'),
  numberOrText: message('gatewayCall.numberOrText'),
  csv: message('gatewayCall.valueList'),
  fields: message('gatewayCall.fieldList'),
  select: message('gatewayCall.select'),
  time: message('gatewayCall.time'),
  duration: message('gatewayCall.duration'),
  object: message('gatewayCall.object'),
  array: message('gatewayCall.list'),
  any: message('gatewayCall.anyValue')
}

function describeKind(kind: FieldKind): Message {
  return typeof kind === 'string'
    ? wordsByKind[kind as keyof typeof wordsByKind]
    : message('gatewayCall.oneOf', { choices: kind.join(', ') })
}

function wrong(name: string, kind: FieldKind): never {
  throw refuseRequest(message('gatewayCall.mustBe', { name, kind: describeKind(kind) }))
}

export function encodeField(name: string, kind: FieldKind, value: unknown): string {
  if (typeof kind !== 'string') {
    const allowed = kind as readonly string[]
    const text = plainText(value)
    return text !== undefined && allowed.includes(text) ? text : wrong(name, kind)
  }
  switch (kind) {
    case 'id':
    case 'integer': {
      const text = plainText(value)
      const pattern = kind === 'id' ? /^\d{1,16}$/ : /^-?\d{1,16}$/
      return text !== undefined && pattern.test(text) ? text : wrong(name, kind)
    }
    case 'imei': {
      const text = plainText(value)
      return text !== undefined && /^\d{15}$/.test(text) ? text : wrong(name, kind)
    }
    case 'number': {
      const text = plainText(value)
      return text !== undefined && text.trim() !== '' && Number.isFinite(Number(text)) ? text : wrong(name, kind)
    }
    case 'boolean':
      if (value === true || value === 'true' || value === '1' || value === 1) return 'true'
      if (value === false || value === 'false' || value === '0' || value === 0) return 'false'
      return wrong(name, kind)
    case 'text':
    case 'numberOrText': {
      const text = plainText(value)
      return text !== undefined && text !== '' ? text : wrong(name, kind)
    }
    case 'csv':
      return csvText(name, kind, value)
    case 'fields':
      return csvText(name, kind, value)
    case 'select':
      return selectText(name, value)
    case 'time':
      return timeText(name, value)
    case 'duration': {
      const pattern = /^P(?!$)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?)$/
      return typeof value === 'string' && pattern.test(value) ? value : wrong(name, kind)
    }
    default:
      return wrong(name, 'text')
  }
}

export function checkBodyField(name: string, kind: FieldKind, value: unknown): void {
  if (typeof kind !== 'string') {
    if (typeof value !== 'string' || !(kind as readonly string[]).includes(value)) wrong(name, kind)
    return
  }
  const isRight = {
    id: () => Number.isSafeInteger(value) && (value as number) >= 0,
    integer: () => Number.isSafeInteger(value),
    imei: () => /^\d{15}$/.test(String(value)),
    number: () => typeof value === 'number' && Number.isFinite(value),
    boolean: () => typeof value === 'boolean',
    text: () => typeof value === 'string',
    numberOrText: () => typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value)),
    csv: () => typeof value === 'string',
    fields: () => typeof value === 'string',
    select: () => typeof value === 'string',
    time: () => typeof value === 'string',
    duration: () => typeof value === 'string',
    object: () => value !== null && typeof value === 'object' && !Array.isArray(value),
    array: () => Array.isArray(value),
    any: () => true
  }[kind as keyof typeof wordsByKind]
  if (!isRight()) wrong(name, kind)
}

export function encodeSearch(name: string, value: unknown): string {
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === 'string' || typeof item === 'number')) return JSON.stringify(value)
  } else {
    const text = typeof value === 'boolean' ? String(value) : plainText(value)
    if (text !== undefined) return text
  }
  throw refuseRequest(message('gatewayCall.searchValue', { name }))
}

function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return undefined
}

function csvText(name: string, kind: FieldKind, value: unknown): string {
  if (!Array.isArray(value)) return plainText(value) || wrong(name, kind)
  const parts = value.map((item) => plainText(item) ?? wrong(name, kind))
  if (parts.length === 0) wrong(name, kind)
  // A field expression may contain a comma: then the JSON form of a list, which the document allows for fields.
  if (parts.some((part) => part.includes(','))) return kind === 'fields' ? JSON.stringify(parts) : wrong(name, kind)
  return parts.join(',')
}

function selectText(name: string, value: unknown): string {
  if (typeof value === 'string' || Array.isArray(value)) return csvText(name, 'select', value)
  if (value === null || typeof value !== 'object') return wrong(name, 'select')
  const { fields = [], join = {} } = value as { fields?: unknown; join?: unknown }
  if (!Array.isArray(fields) || join === null || typeof join !== 'object') return wrong(name, 'select')
  const joins = Object.entries(join).map(
    ([resource, keys]) => `${resource}:${Array.isArray(keys) ? keys.join(' ') : String(keys)}`
  )
  return csvText(name, 'select', [...fields, ...joins])
}

function timeText(name: string, value: unknown): string {
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? wrong(name, 'time') : value.toISOString().slice(0, 19)
  if (typeof value !== 'string') return wrong(name, 'time')
  if (/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$/.test(value) && !Number.isNaN(Date.parse(value))) return value
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/.test(value) && !Number.isNaN(Date.parse(value)))
    return value.slice(0, 19)
  return wrong(name, 'time')
}
