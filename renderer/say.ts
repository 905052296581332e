import { computed, ref, shallowReactive } from 'vue'
import type { Message } from '../preload/contract/messages.ts'
import { createFormatter } from '../preload/messages/formatter.ts'
import { textId } from '../preload/messages/sharedIds.ts'
import type { Language, ReaderSettings } from '../preload/messages/settings.ts'
import { BridgeError } from './bridge.ts'

type Catalogue = Promise<{ topics: Record<string, Record<string, string>> }>

const loaders: Readonly<Record<Language, readonly [first: () => Catalogue, more: () => Catalogue]>> = {
  en: [() => import('./catalogues/en.ts'), () => import('./catalogues/enMore.ts')],
  es: [() => import('./catalogues/es.ts'), () => import('./catalogues/esMore.ts')]
}
/** The language of everything that this page says. */
export const language = ref<Language>('en')
const loaded = shallowReactive(new Map<string, Map<string, string>>())
let wantsMore = false

async function loadPart(wanted: Language, part: 0 | 1): Promise<void> {
  const name = `${wanted} ${String(part)}`
  if (loaded.has(name)) return
  const { topics } = await loaders[wanted][part]()
  loaded.set(name, new Map(Object.values(topics).flatMap((texts) => Object.entries(texts))))
}

/** Loads the texts of a language. Until it has, that language says ids. */
export async function loadLanguage(wanted: Language): Promise<void> {
  await Promise.all([loadPart(wanted, 0), wantsMore ? loadPart(wanted, 1) : undefined])
}

/** Loads the texts of the screens that are not part of the first load, and from then on with each language. */
export async function loadMoreTexts(): Promise<void> {
  wantsMore = true
  await loadPart(language.value, 1)
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
  const parts = [0, 1].map((part) => loaded.get(`${language.value} ${String(part)}`))
  return createFormatter(reader.value, (id) => {
    const own = textId(id)
    return parts[0]?.get(own) ?? parts[1]?.get(own)
  })
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
