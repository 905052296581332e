import { dateOf, startOfDate, startOfDay, startOfWeek } from '../../../preload/base/messages/zone.ts'
import { reader } from '../say.ts'
import { presentMs } from '../ui/time/presentTime.ts'

/** When jobs were made: ISO times, the end is exclusive. */
export interface DateRange {
  from?: string
  to?: string
  /** How the range was chosen; by days when absent. */
  preset?: Preset
}

export const presets = ['today', 'week', 'month', 'year'] as const
export type Preset = (typeof presets)[number]

/** The first moment of today in the person's calendar, or of the day that many days ago. */
export function sinceDaysAgo(days: number): string {
  return new Date(startOfDay(presentMs(), reader.value.timeZone, -days)).toISOString()
}

/** From the first of the person's days to the end of the last one; an empty text is no limit. */
export function rangeOfDays(first: string, last: string): DateRange {
  const { timeZone } = reader.value
  const isoOf = (date: string, plusDays = 0) => new Date(startOfDate(date, timeZone, plusDays)).toISOString()
  return { ...(first ? { from: isoOf(first) } : {}), ...(last ? { to: isoOf(last, 1) } : {}) }
}

/** From the start of the day, week (Monday), month or year in the person's calendar, without an end. */
export function rangeOf(preset: Preset): DateRange & { from: string } {
  const { timeZone } = reader.value
  const nowMs = presentMs()
  const date = dateOf(nowMs, timeZone)
  const begins = {
    today: () => startOfDay(nowMs, timeZone),
    week: () => startOfWeek(nowMs, timeZone),
    month: () => startOfDate(`${date.slice(0, 7)}-01`, timeZone),
    year: () => startOfDate(`${date.slice(0, 4)}-01-01`, timeZone)
  }
  return { from: new Date(begins[preset]()).toISOString(), preset }
}
