import { localeOf, type Language } from '../../../preload/base/messages/settings.ts'

/** Months are written as `2026-03`, in UTC as the core counts them. */
export function endOfMonth(month: string): string {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 1)).toISOString()
}

/** Every month from the latest to the earliest, also those without a job. */
export function monthsBetween(newest: string, oldest: string): string[] {
  const months: string[] = []
  let [year, month] = [Number(newest.slice(0, 4)), Number(newest.slice(5, 7))]
  for (;;) {
    const name = `${year}-${String(month).padStart(2, '0')}`
    if (name < oldest) return months
    months.push(name)
    month -= 1
    if (month === 0) [year, month] = [year - 1, 12]
  }
}

/** "March 2021", in the reader's language. */
export function monthName(month: string, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`)
  )
}
