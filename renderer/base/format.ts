import { formatQuantity } from '../../preload/base/messages/quantities.ts'
import { formatTime } from '../../preload/base/messages/times.ts'
import { reader } from './say.ts'
import { t } from './texts.ts'

/** Milliseconds as `m:ss`, or `h:mm:ss` from an hour on. */
export function formatDuration(ms: number): string {
  const total = Math.max(0, Math.round(ms / 1000))
  const hours = Math.floor(total / 3600)
  const minutes = Math.floor((total % 3600) / 60)
  const seconds = String(total % 60).padStart(2, '0')
  return hours > 0 ? `${String(hours)}:${String(minutes).padStart(2, '0')}:${seconds}` : `${String(minutes)}:${seconds}`
}

/** Time of day with milliseconds, as evidence shows it. */
export function formatClock(time: string | number): string {
  return formatTime(time, 'timeWithMs', reader.value)
}

/** Time of day to the second. */
export function formatSecond(time: string | number): string {
  return formatTime(time, 'timeWithSeconds', reader.value)
}

/** Day and time in the person's language and time zone. */
export function formatWhen(time: string | number): string {
  return formatTime(time, 'dayAndTime', reader.value)
}

/** Day in the person's language and time zone. */
export function formatDay(time: string | number): string {
  return formatTime(time, 'day', reader.value)
}

/** Time of day in the person's time zone, to the minute. */
export function formatTimeOfDay(time: string | number): string {
  return formatTime(time, 'time', reader.value)
}

/** The day by its name, as a heading: it begins with a capital in every language. */
export function formatWeekday(time: string | number): string {
  const text = formatTime(time, 'weekday', reader.value)
  return text.charAt(0).toLocaleUpperCase(reader.value.language) + text.slice(1)
}

/** How long ago, coarse: "now", "12 s ago", "4 min ago", then the date. */
export function formatAgo(time: string | number, nowMs: number): string {
  const ageS = Math.round((nowMs - new Date(time).getTime()) / 1000)
  if (Number.isNaN(ageS)) return String(time)
  if (ageS < 2) return t('common.nowInText')
  if (ageS < 60) return t('windowApp.time.secondsAgo', { n: ageS })
  if (ageS < 3600) return t('windowApp.time.minutesAgo', { n: Math.floor(ageS / 60) })
  return formatWhen(time)
}

/** A moment beside others: the time of day for today, with the day before that. */
export function formatMoment(time: string | number, nowMs: number): string {
  const isToday = formatTime(time, 'day', reader.value) === formatTime(nowMs, 'day', reader.value)
  return formatTime(time, isToday ? 'timeWithSeconds' : 'shortDayAndTime', reader.value)
}

/** Seconds with their unit, in minutes, hours or days where there are many. */
export function formatSeconds(seconds: number): string {
  return formatQuantity('S', seconds, reader.value)
}

/** Millivolts as volts with two decimals. */
export function formatVolts(millivolts: number): string {
  return formatQuantity('Mv', millivolts, reader.value)
}

/** A speed in km/h in the person's units. */
export function formatSpeed(speedKmh: number): string {
  return formatQuantity('Kmh', Math.round(speedKmh), reader.value)
}

/** An IMEI in its one grouping, as far as it is typed: nine digits, and the six by which people call a device. */
export function groupImei(digits: string): string {
  return [digits.slice(0, 9), digits.slice(9, 15), digits.slice(15)].filter((group) => group !== '').join(' ')
}

/**
 * The two parts of an IMEI: what all devices of a batch share, and the last six digits, by which people call a device.
 */
export function splitImei(imei: string): { head: string; tail: string } {
  return { head: imei.slice(0, -6), tail: imei.slice(-6) }
}
