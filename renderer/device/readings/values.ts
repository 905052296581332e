import { formatNumber } from '../../../preload/base/messages/quantities.ts'
import { formatTime } from '../../../preload/base/messages/times.ts'
import { language } from '../../base/say.ts'
import { t } from '../../base/texts.ts'

/** A part of an answer; any level may be missing. */
export function valueAt(value: unknown, ...path: string[]): unknown {
  let present: unknown = value
  for (const name of path)
    present = typeof present === 'object' && present !== null ? (present as Record<string, unknown>)[name] : undefined
  return present
}

export function numberAt(value: unknown, ...path: string[]): number | undefined {
  const found = valueAt(value, ...path)
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}

/** Undefined also for an empty text. */
export function textAt(value: unknown, ...path: string[]): string | undefined {
  const found = valueAt(value, ...path)
  return typeof found === 'string' && found.trim() !== '' ? found : undefined
}

export function flagAt(value: unknown, ...path: string[]): boolean | undefined {
  const found = valueAt(value, ...path)
  return typeof found === 'boolean' ? found : undefined
}

/** No readable value. */
export const none = '–'

export function withUnit(value: number | undefined, unit: string, digits = 0): string {
  if (value === undefined) return none
  const text = formatNumber(value, language.value, digits, digits)
  return unit === '' ? text : `${text}\u00A0${unit}`
}

/** Bytes in the largest unit that results in a number of at least 1. */
export function formatBytes(bytes: number | undefined): string {
  if (bytes === undefined) return none
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, Math.abs(bytes))) / 3))
  return withUnit(bytes / 1000 ** step, units[step] ?? 'B', step === 0 ? 0 : 1)
}

/** Days, hours and minutes of a number of seconds. */
export function formatLong(seconds: number | undefined): string {
  if (seconds === undefined) return none
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor((seconds % 86_400) / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const parts = [
    days > 0 ? `${String(days)} d` : '',
    days > 0 || hours > 0 ? `${String(hours)} h` : '',
    `${String(minutes)} min`
  ]
  return parts.filter(Boolean).join(' ').replaceAll(/(\d) /g, '$1\u00A0')
}

const interfaceStates = ['Enabled', 'Disabled', 'Interface_disabled', 'Scanning', 'Completed'] as const

/** The state of an interface in words; an undocumented state unchanged. */
export function interfaceState(name: string | undefined): string {
  const known = interfaceStates.find((one) => one === name)
  return known ? t(`windowWorkspace.interface.${known}`) : (name ?? none)
}

/** The day of a release in the person's language; unchanged when it is not a date. */
export function releaseDay(text: string | undefined): string {
  const released = readReleaseDate(text)
  return released
    ? formatTime(released.toISOString(), 'day', { language: language.value, timeZone: 'UTC' })
    : (text ?? none)
}

/** `YYYYMMDDHHmmss` of the document as a time; undefined for anything else. */
export function readReleaseDate(text: string | undefined): Date | undefined {
  const match = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(text ?? '')
  if (!match) return undefined
  const date = new Date(
    `${match[1] ?? ''}-${match[2] ?? ''}-${match[3] ?? ''}T${match[4] ?? ''}:${match[5] ?? ''}:${match[6] ?? ''}Z`
  )
  return Number.isNaN(date.getTime()) ? undefined : date
}

export function shareOf(part: number | undefined, whole: number | undefined): number | undefined {
  return part === undefined || whole === undefined || whole <= 0 ? undefined : Math.min(1, Math.max(0, part / whole))
}

/** The compass point of a bearing in degrees. */
export function compassPoint(bearing: number): string {
  const points = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const
  return t(`windowWorkspace.compass.${points[Math.round((((bearing % 360) + 360) % 360) / 45) % 8] ?? 'N'}`)
}
