import type { Language } from '../../preload/messages/settings.ts'

/** The language that the system speaks, as far as Fitter does. */
export function systemLanguage(): Language {
  return Intl.DateTimeFormat().resolvedOptions().locale.startsWith('es') ? 'es' : 'en'
}

export function systemTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
