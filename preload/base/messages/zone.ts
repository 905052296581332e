const dayMs = 86_400_000

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

/**
 * The moment at which a clock of that zone shows this; NaN for an invalid time. The first of two when the clock was set
 * back. A time that a clock change left out: as if the change came later.
 */
export function wallMs(text: string, timeZone: string): number {
  const shown = Date.parse(`${text}Z`)
  if (Number.isNaN(shown)) return NaN
  // No zone is a day from UTC: one of them is before a change near that moment, the other after it.
  const candidates = [shown - dayMs, shown + dayMs].map((ms) => shown - offsetMs(ms, timeZone))
  const right = candidates.filter((ms) => ms + offsetMs(ms, timeZone) === shown)
  return right.length > 0 ? Math.min(...right) : Math.max(...candidates)
}

/** The first moment of a day such as `2026-05-04`, plus a number of days: 01:00 where midnight was left out. */
export function startOfDate(date: string, timeZone: string, plusDays = 0): number {
  const day = Date.parse(`${date}T00:00Z`) + plusDays * dayMs
  return wallMs(new Date(day).toISOString().slice(0, 16), timeZone)
}

/** The first moment of a moment's day, plus a number of days. */
export function startOfDay(atMs: number, timeZone: string, plusDays = 0): number {
  return startOfDate(dateOf(atMs, timeZone), timeZone, plusDays)
}

/** The first moment of the Monday of that week. */
export function startOfWeek(atMs: number, timeZone: string): number {
  const weekday = new Date(`${dateOf(atMs, timeZone)}T00:00Z`).getUTCDay()
  return startOfDay(atMs, timeZone, -((weekday + 6) % 7))
}

/** `2026-05-04`, in the person's time zone. */
export function dateOf(atMs: number, timeZone: string): string {
  return wallText(atMs, timeZone).slice(0, 10)
}

/** The hour of the day on a clock of that zone, with its fraction. */
export function hourOf(atMs: number, timeZone: string): number {
  return ((atMs + offsetMs(atMs, timeZone)) % dayMs) / 3_600_000
}
