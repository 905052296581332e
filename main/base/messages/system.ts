import type { Language } from '../../../preload/base/messages/settings.ts'
import { listLanguages } from './catalogue.ts'

/** The system's language, if Fitter has it; otherwise English. */
export function systemLanguage(): Language {
  const { locale } = Intl.DateTimeFormat().resolvedOptions()
  const known = listLanguages().filter((language) => locale === language || locale.startsWith(`${language}-`))
  return known.sort((one, other) => other.length - one.length)[0] ?? 'en'
}

export function systemTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
