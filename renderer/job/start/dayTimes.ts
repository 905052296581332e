const dayMs = 86_400_000

interface ClockParts {
  weekday: number
  sinceMidnightMs: number
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

function clockOf(atMs: number, timeZone: string): ClockParts {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric'
  }).formatToParts(atMs)
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value ?? 0)
  return {
    weekday: weekdays.indexOf(parts.find(({ type }) => type === 'weekday')?.value ?? ''),
    sinceMidnightMs: number('hour') * 3_600_000 + number('minute') * 60_000 + number('second') * 1_000 + (atMs % 1_000)
  }
}

/** The midnight before a moment in the person's time zone. */
export function startOfDay(atMs: number, timeZone: string): number {
  return atMs - clockOf(atMs, timeZone).sinceMidnightMs
}

/**
 * The midnight before the Monday of that week. Calculated from noon, because days with a clock change do not have 24
 * hours.
 */
export function startOfWeek(atMs: number, timeZone: string): number {
  const midnight = startOfDay(atMs, timeZone)
  return startOfDay(midnight - clockOf(atMs, timeZone).weekday * dayMs + dayMs / 2, timeZone)
}

/** The hour of the day, with its fraction. */
export function hourOf(atMs: number, timeZone: string): number {
  return clockOf(atMs, timeZone).sinceMidnightMs / 3_600_000
}
