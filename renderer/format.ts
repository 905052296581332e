import { language, t } from './texts.ts'

/** Milliseconds as `m:ss`, or `h:mm:ss` from an hour on. */
export function formatDuration(ms: number): string {
  const total = Math.max(0, Math.round(ms / 1000))
  const hours = Math.floor(total / 3600)
  const minutes = Math.floor((total % 3600) / 60)
  const seconds = String(total % 60).padStart(2, '0')
  return hours > 0 ? `${String(hours)}:${String(minutes).padStart(2, '0')}:${seconds}` : `${String(minutes)}:${seconds}`
}

/** Time of day with milliseconds, as evidence shows it. */
export function formatClock(iso: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** Day and time in the person's language. */
export function formatWhen(iso: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  return date.toLocaleString(language.value, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
}

/** How long ago, coarse: "now", "12 s ago", "4 min ago", then the date. */
export function formatAgo(iso: string, nowMs: number): string {
  const ageS = Math.round((nowMs - new Date(iso).getTime()) / 1000)
  if (Number.isNaN(ageS)) return iso
  if (ageS < 2) return t('time.now')
  if (ageS < 60) return t('time.secondsAgo', { n: ageS })
  if (ageS < 3600) return t('time.minutesAgo', { n: Math.floor(ageS / 60) })
  return formatWhen(iso)
}

/** Millivolts as volts with two decimals. */
export function formatVolts(millivolts: number): string {
  return `${(millivolts / 1000).toFixed(2)} V`
}

/** A speed in km/h in the person's units. */
export function formatSpeed(speedKmh: number, units: 'metric' | 'imperial'): string {
  return units === 'imperial' ? `${(speedKmh / 1.609344).toFixed(0)} mph` : `${speedKmh.toFixed(0)} km/h`
}

/** The two parts of an IMEI: what all devices of a batch share, and the last six digits, printed large on the label. */
export function splitImei(imei: string): { head: string; tail: string } {
  return { head: imei.slice(0, -6), tail: imei.slice(-6) }
}
