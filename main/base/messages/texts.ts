import { createFormatter } from '../../../preload/base/messages/formatter.ts'
import type { ReaderSettings } from '../../../preload/base/messages/settings.ts'
import { openCatalogue } from './catalogue.ts'
import { systemLanguage, systemTimeZone } from './system.ts'

/**
 * Texts for one reader outside the window: the terminal or a report. Defaults come from the system: its language
 * (English if Fitter does not support it) and its time zone.
 */
export function createTexts(wanted: Partial<ReaderSettings> = {}) {
  const settings: ReaderSettings = {
    language: wanted.language ?? systemLanguage(),
    units: wanted.units ?? 'metric',
    timeZone: wanted.timeZone ?? systemTimeZone()
  }
  const find = openCatalogue(settings.language)
  return {
    settings,
    say: createFormatter(settings, find),
    /** The text of an id as the catalogue has it, with its placeholders. */
    find,
    /** Whether a text with that id exists: ids built from stored words may have none. */
    has: (id: string): boolean => find(id) !== undefined
  }
}

export type Texts = ReturnType<typeof createTexts>
