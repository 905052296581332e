/** How a person reads: language, units and time zone of everything that is shown or printed. */
export interface ReaderSettings {
  /** The name of a folder of resources/messages, such as `es`. */
  language: string
  units: 'metric' | 'imperial'
  /** IANA name, such as `Europe/Madrid`. */
  timeZone: string
}
export type Language = ReaderSettings['language']
export type Units = ReaderSettings['units']

/** The locale of a language: our English writes the day before the month. */
export function localeOf(language: Language): string {
  return language === 'en' ? 'en-GB' : language
}

/**
 * Checklists, explanations and event labels are written in English and Spanish; readers of another language get the
 * English ones.
 */
export function writtenIn(language: Language): 'en' | 'es' {
  return language === 'es' ? 'es' : 'en'
}

interface Chosen {
  language: Language
  units: 'gateway' | ReaderSettings['units']
  gatewayUnits: ReaderSettings['units'] | null
  timeZone: string | null
}

/** The units that a person reads in; those of a gateway account that was never read are metric. */
export function unitsOf({ units, gatewayUnits }: Pick<Chosen, 'units' | 'gatewayUnits'>): ReaderSettings['units'] {
  return units === 'gateway' ? (gatewayUnits ?? 'metric') : units
}

/** How the person with these settings reads; without a chosen time zone, in that of this computer. */
export function readerOf(settings: Chosen): Partial<ReaderSettings> {
  const { language, timeZone } = settings
  return { language, units: unitsOf(settings), ...(timeZone === null ? {} : { timeZone }) }
}
