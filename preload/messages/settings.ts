/** How a person wants to read: everything that is shown or printed follows it. */
export interface ReaderSettings {
  language: 'en' | 'es'
  units: 'metric' | 'imperial'
  /** IANA name, such as `Europe/Madrid`. */
  timeZone: string
}
export type Language = ReaderSettings['language']
