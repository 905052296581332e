/** The offset of a time zone from UTC at a moment. */
function offsetMs(atMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric'
  }).formatToParts(atMs)
  const [year, month, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map((type) =>
    Number(parts.find((part) => part.type === type)?.value)
  )
  return Date.UTC(year as number, (month as number) - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000
}

/** `2026-05-04T06:00`, in the person's time zone. */
export function wallText(atMs: number, timeZone: string): string {
  return new Date(atMs + offsetMs(atMs, timeZone)).toISOString().slice(0, 16)
}

/** `2026-05-04T08:00:00+02:00`: the time that a clock of that zone shows, with its offset from UTC. */
export function isoWithOffset(atMs: number, timeZone: string): string {
  const offset = offsetMs(atMs, timeZone)
  const minutes = Math.round(Math.abs(offset) / 60_000)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'))
  return `${new Date(atMs + offset).toISOString().slice(0, 19)}${offset < 0 ? '-' : '+'}${hours ?? ''}:${rest ?? ''}`
}

/** The moment at which a clock of that zone shows this; NaN for an invalid time. */
export function wallMs(text: string, timeZone: string): number {
  const shown = Date.parse(`${text}Z`)
  if (Number.isNaN(shown)) return NaN
  // Twice, because a clock change may be between the estimate and the moment.
  const first = shown - offsetMs(shown, timeZone)
  return shown - offsetMs(first, timeZone)
}

/** Midnight of a moment's day, plus a number of days. */
export function dayMs(atMs: number, timeZone: string, plusDays = 0): number {
  const day = Date.parse(`${wallText(atMs, timeZone).slice(0, 10)}T00:00Z`) + plusDays * 86_400_000
  return wallMs(new Date(day).toISOString().slice(0, 16), timeZone)
}
