import { misuseCall, type Call } from './call.ts'

/** Zones that `tz` and X-Time-Zone accept. */
export const zones: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
const zoneSet = new Set(zones)

export function isZone(zone: string): boolean {
  return zoneSet.has(zone)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The zone's offset from UTC at a moment, in minutes. */
export function offsetMinutes(zone: string, ms: number): number {
  if (zone === 'UTC') return 0
  let format = formats.get(zone)
  if (!format) {
    const style = {
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric'
    } as const
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...style })
    formats.set(zone, format)
  }
  const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
  const wall = Date.UTC(
    part['year'] ?? 0,
    (part['month'] ?? 1) - 1,
    part['day'],
    part['hour'],
    part['minute'],
    part['second']
  )
  return Math.round((wall - Math.floor(ms / 1000) * 1000) / 60_000)
}

/** ISO 8601 in the zone; whole seconds, or microseconds if `micros` (digits below the millisecond) is set. */
export function formatTime(ms: number, zone: string, micros?: number, utcMark = '+00:00'): string {
  const offset = offsetMinutes(zone, ms)
  const wall = new Date(ms + offset * 60_000).toISOString()
  const fraction = micros === undefined ? '' : `${wall.slice(19, 23)}${String(micros).padStart(3, '0')}`
  return wall.slice(0, 19) + fraction + (zone === 'UTC' ? utcMark : formatOffset(offset))
}

function formatOffset(minutes: number): string {
  const size = Math.abs(minutes)
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** The form of times in rawdata; the document only says ISO 8601, so the seed chooses, or it is left out. */
export function utcMarkOf(call: Call): string {
  if (call.state.form !== 'document') return ''
  return call.state.shape('utc mark', 2) === 0 ? '+00:00' : 'Z'
}

/** Unix milliseconds of `YYYY-MM-DD[Thh:mm:ss]` in the zone; undefined for any other text. */
export function parseTime(text: string, zone: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2}))?$/.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  const again = new Date(wall).toISOString()
  if (again.slice(0, 10) !== text.slice(0, 10) || hour > 23 || minute > 59 || second > 59) return undefined
  const guess = wall - offsetMinutes(zone, wall) * 60_000
  return wall - offsetMinutes(zone, guess) * 60_000
}

/** The moment a duration before `endMs`; undefined when the text is not an ISO 8601 duration. */
export function subtractDuration(endMs: number, text: string): number | undefined {
  const weeks = /^P(\d+)W$/.exec(text)
  if (weeks) return endMs - Number(weeks[1]) * 7 * 86_400_000
  const match = /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text)
  if (!match) return undefined
  const [years, months, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  const start = new Date(endMs)
  start.setUTCMonth(start.getUTCMonth() - months - 12 * years)
  return start.getTime() - (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
}

export interface TimeRange {
  fromMs: number
  toMs: number
}

/** `from`, `to` and `duration` of a query (conventions 5). Without a start: the day before `to`. */
export function readTimeRange(call: Call): TimeRange {
  const fromText = call.query.get('from')
  const toText = call.query.get('to')
  const duration = call.query.get('duration')
  const toMs = toText === null ? call.nowMs : parseTime(toText, call.zone)
  if (toMs === undefined) throw misuseCall(call, 'to is not YYYY-MM-DD[Thh:mm:ss]')
  if (fromText !== null && duration !== null) throw misuseCall(call, 'from and duration exclude each other')
  if (duration !== null) {
    const start = subtractDuration(toMs, duration)
    if (start === undefined) throw misuseCall(call, 'duration is not an ISO 8601 duration')
    return { fromMs: start, toMs }
  }
  const fromMs = fromText === null ? toMs - 86_400_000 : parseTime(fromText, call.zone)
  if (fromMs === undefined) throw misuseCall(call, 'from is not YYYY-MM-DD[Thh:mm:ss]')
  if (fromMs > toMs) throw misuseCall(call, 'from is after to')
  return { fromMs, toMs }
}
