/** How a person wants to read: everything that is shown or printed follows it. */
export interface ReaderSettings {
  language: 'en' | 'es'
  units: 'metric' | 'imperial'
  /** IANA name, such as `Europe/Madrid`. */
  timeZone: string
}
export type Language = ReaderSettings['language']

/** The writing habits behind a language: our English is the one that writes the day before the month. */
export const localeOf: Readonly<Record<Language, string>> = { en: 'en-GB', es: 'es' }
