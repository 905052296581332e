import { localeOf, type ReaderSettings } from './settings.ts'

type TimeForm =
  | 'year'
  | 'weekday'
  | 'month'
  | 'dayAndMonth'
  | 'monthAndYear'
  | 'dayAndTime'
  | 'shortDayAndTime'
  | 'day'
  | 'time'
  | 'timeWithSeconds'
  | 'timeWithMs'
  | 'stamp'
  | 'sortable'

const forms: Readonly<Record<TimeForm, Intl.DateTimeFormatOptions>> = {
  year: { year: 'numeric' },
  month: { month: 'short' },
  dayAndMonth: { day: 'numeric', month: 'short' },
  monthAndYear: { month: 'short', year: 'numeric' },
  dayAndTime: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  shortDayAndTime: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  weekday: { weekday: 'long', day: 'numeric', month: 'long' },
  time: { hour: '2-digit', minute: '2-digit' },
  timeWithSeconds: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  timeWithMs: { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
  stamp: {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short'
  },
  sortable: { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' }
}
const formats = new Map<string, Intl.DateTimeFormat>()

const repeatedAfterMs = [30, 60, 120].map((minutes) => minutes * 60_000)

/** A time for a table, on the reader's clock: sortable, and with its offset in an hour that the clock shows twice. */
export function formatTableTime(iso: string, settings: Pick<ReaderSettings, 'language' | 'timeZone'>): string {
  const text = formatTime(iso, 'sortable', settings)
  const at = Date.parse(iso)
  const isTwice = repeatedAfterMs.some((ms) =>
    [at - ms, at + ms].some((other) => !Number.isNaN(at) && formatTime(other, 'sortable', settings) === text)
  )
  if (!isTwice) return text
  const zone =
    new Intl.DateTimeFormat('en', { timeZone: settings.timeZone, timeZoneName: 'longOffset' })
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return `${text}${zone.replace(/^GMT$/, 'GMT+00:00').replace('GMT', '')}`
}

/** The formats of a time: always a 24-hour clock, as in a technician's papers. */
export function timeOptions(form: TimeForm, timeZone: string): Intl.DateTimeFormatOptions {
  return { ...forms[form], hourCycle: 'h23', timeZone }
}

/**
 * A time (ISO, or epoch ms) in the reader's language and time zone; a text that is not a time is returned unchanged.
 */
export function formatTime(
  time: string | number,
  form: TimeForm,
  { language, timeZone }: Pick<ReaderSettings, 'language' | 'timeZone'>
): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return String(time)
  const key = `${language} ${form} ${timeZone}`
  let format = formats.get(key)
  if (!format) {
    // The Swedish locale writes a sortable date, which tables use in every language.
    format = new Intl.DateTimeFormat(form === 'sortable' ? 'sv' : localeOf(language), timeOptions(form, timeZone))
    formats.set(key, format)
  }
  return format.format(date)
}
