import { computed, ref, shallowReactive } from 'vue'
import type { Message } from '../preload/contract/messages.ts'
import { createFormatter } from '../preload/messages/formatter.ts'
import { textId } from '../preload/messages/sharedIds.ts'
import type { Language, ReaderSettings } from '../preload/messages/settings.ts'
import { BridgeError } from './bridge.ts'

type Part = 'first' | 'late'
type Loader = () => Promise<{ topics: Record<string, Record<string, string>> }>
const loaders: Readonly<Record<Language, Record<Part, Loader>>> = {
  en: { first: () => import('./catalogues/en.ts'), late: () => import('./catalogues/late/en.ts') },
  es: { first: () => import('./catalogues/es.ts'), late: () => import('./catalogues/late/es.ts') }
}
/** The language of everything that this page says. */
export const language = ref<Language>('en')
const loaded = shallowReactive(new Map<Language, Map<string, string>>())
const loadedParts = new Set<string>()
const wantedParts = new Set<Part>(['first'])

/** Loads the texts of a language. Until it has, that language says ids. */
export async function loadLanguage(wanted: Language, parts: Iterable<Part> = ['first', 'late']): Promise<void> {
  await Promise.all(
    [...parts].map(async (part) => {
      if (loadedParts.has(`${wanted} ${part}`)) return
      const { topics } = await loaders[wanted][part]()
      loadedParts.add(`${wanted} ${part}`)
      loaded.set(wanted, new Map([...(loaded.get(wanted) ?? []), ...Object.values(topics).flatMap((texts) => Object.entries(texts))]))
    })
  )
}

/** Loads the texts that only screens after the first one need; from then on every language is loaded with them. */
export async function loadLateTexts(): Promise<void> {
  wantedParts.add('late')
  await loadLanguage(language.value)
}

/** Shows the page in a language as soon as its texts are there; the last choice wins. */
export async function showLanguage(wanted: Language): Promise<void> {
  lastWanted = wanted
  if ([...wantedParts].some((part) => !loadedParts.has(`${wanted} ${part}`))) await loadLanguage(wanted, wantedParts)
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

/** What a message says in another language, for a text that somebody else reads. */
export async function sayIn(wanted: Language, message: Message): Promise<string> {
  await loadLanguage(wanted)
  return createFormatter({ ...reader.value, language: wanted }, (id) => loaded.get(wanted)?.get(textId(id)))(message)
}

/** What a message says in the person's language and units; words that are no message are shown as they are. */
export function say(message: Message | string | null | undefined): string {
  if (message === null || message === undefined) return ''
  return typeof message === 'string' ? message : format.value(message)
}

/** What a failure says. */
export function sayError(error: Error): string {
  return error instanceof BridgeError ? say(error.sentence) : say(error.message)
}
