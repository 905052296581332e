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

/** A day of the person's calendar. */
export function startOfDay(day: string, plusDays = 0): string {
  const at = new Date(`${day}T00:00:00`)
  at.setDate(at.getDate() + plusDays)
  return at.toISOString()
}

/** From the start of the day, week (Monday), month or year, without an end. */
export function rangeOf(preset: Preset, now = new Date(presentMs())): DateRange {
  const at = new Date(now)
  at.setHours(0, 0, 0, 0)
  if (preset === 'week') at.setDate(at.getDate() - ((at.getDay() + 6) % 7))
  if (preset === 'month') at.setDate(1)
  if (preset === 'year') at.setMonth(0, 1)
  return { from: at.toISOString(), preset }
}
