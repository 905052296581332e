import { computed, ref, shallowReactive } from 'vue'
import type { Message } from '../preload/contract/messages.ts'
import { createFormatter } from '../preload/messages/formatter.ts'
import { textId } from '../preload/messages/sharedIds.ts'
import type { Language, ReaderSettings } from '../preload/messages/settings.ts'
import { BridgeError } from './bridge.ts'

const loaders: Readonly<Record<Language, () => Promise<{ topics: Record<string, Record<string, string>> }>>> = {
  en: () => import('./catalogues/en.ts'),
  es: () => import('./catalogues/es.ts')
}
const laterLoaders: typeof loaders = {
  en: () => import('./catalogues/enLater.ts'),
  es: () => import('./catalogues/esLater.ts')
}
/** The language of everything that this page says. */
export const language = ref<Language>('en')
const loaded = shallowReactive(new Map<Language, Map<string, string>>())

/** Languages with the texts of the later screens. */
const withLater = new Set<Language>()
let needsLater = false

/** Loads the texts of a language. Until it has, that language says ids. */
export async function loadLanguage(wanted: Language): Promise<void> {
  if (!loaded.has(wanted)) addTexts(wanted, await loaders[wanted]())
  if (!needsLater || withLater.has(wanted)) return
  addTexts(wanted, await laterLoaders[wanted]())
  withLater.add(wanted)
}

/** Loads the texts of the later screens, now and with every language that is chosen from now on. */
export async function loadLaterTexts(wanted: Language = language.value): Promise<void> {
  needsLater = true
  await loadLanguage(wanted)
}

function addTexts(wanted: Language, { topics }: { topics: Record<string, Record<string, string>> }): void {
  loaded.set(wanted, new Map([...(loaded.get(wanted) ?? []), ...Object.values(topics).flatMap((texts) => Object.entries(texts))]))
}

/** Shows the page in a language as soon as its texts are there; the last choice wins. */
export async function showLanguage(wanted: Language): Promise<void> {
  lastWanted = wanted
  await loadLanguage(wanted)
  if (lastWanted === wanted) language.value = wanted
}
let lastWanted: Language = 'en'

/** The units that the person reads in. */
export const units = ref<ReaderSettings['units']>('metric')
/** IANA name; empty: that of this computer. */
export const timeZone = ref('')
export const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** How the person reads: every text, number and time on the page follows it. */
export const reader = computed<ReaderSettings>(() => ({ language: language.value, units: units.value, timeZone: timeZone.value || ownTimeZone }))

const format = computed(() => {
  const texts = loaded.get(language.value)
  return createFormatter(reader.value, (id) => texts?.get(textId(id)))
})

/** What a message says in the person's language and units; words that are no message are shown as they are. */
export function say(message: Message | string | null | undefined): string {
  if (message === null || message === undefined) return ''
  return typeof message === 'string' ? message : format.value(message)
}

/** What a failure says. */
export function sayError(error: Error): string {
  return error instanceof BridgeError ? say(error.sentence) : say(error.message)
}
