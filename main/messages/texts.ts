import type { Message } from '../../preload/contract/messages.ts'
import { createFormatter } from '../../preload/messages/formatter.ts'
import type { ReaderSettings } from '../../preload/messages/settings.ts'
import { openCatalogue } from './catalogue.ts'
import { systemLanguage, systemTimeZone } from './system.ts'


/** Texts for one reader outside of the window: the terminal, a report. */
export interface Texts {
  settings: ReaderSettings
  say(message: Message): string
  /** Whether there is a text of that id: ids made of stored words may have none. */
  has(id: string): boolean
}

/** What is not given is as the system has it: its language (English when it speaks neither of ours), its time zone. */
export function createTexts(wanted: Partial<ReaderSettings> = {}): Texts {
  const settings: ReaderSettings = {
    language: wanted.language ?? systemLanguage(),
    units: wanted.units ?? 'metric',
    timeZone: wanted.timeZone ?? systemTimeZone()
  }
  const find = openCatalogue(settings.language)
  return { settings, say: createFormatter(settings, find), has: (id) => find(id) !== undefined }
}
