/** How a person reads: language, units and time zone of everything that is shown or printed. */
export interface ReaderSettings {
  language: 'en' | 'es'
  units: 'metric' | 'imperial'
  /** IANA name, such as `Europe/Madrid`. */
  timeZone: string
}
export type Language = ReaderSettings['language']

/** The locale of each language: our English writes the day before the month. */
export const localeOf: Readonly<Record<Language, string>> = { en: 'en-GB', es: 'es' }
