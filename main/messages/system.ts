import type { Language } from '../../preload/messages/settings.ts'

export function systemLanguage(): Language {
  return Intl.DateTimeFormat().resolvedOptions().locale.startsWith('es') ? 'es' : 'en'
}

export function systemTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
