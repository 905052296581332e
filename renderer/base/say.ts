import { loaders } from 'virtual:fitter-catalogues'
import { computed, ref, shallowReactive } from 'vue'
import type { Message } from '../../preload/contract/messages.ts'
import { createFormatter } from '../../preload/base/messages/formatter.ts'
import type { Language, ReaderSettings } from '../../preload/base/messages/settings.ts'
import { BridgeError } from './bridge.ts'

/** English for a language that another Fitter had. */
function loaderOf(language: Language): (typeof loaders)[string] {
  return (loaders[language] ?? loaders['en']) as (typeof loaders)[string]
}

/** The language of everything that this page says. */
export const language = ref<Language>('en')
const loaded = shallowReactive(new Map<Language, { texts: Map<string, string>; isWhole: boolean }>())

/** Loads the texts of the frame and the first screen. Until they are there, that language says ids. */
export async function loadFirstTexts(wanted: Language): Promise<void> {
  if (loaded.has(wanted)) return
  const texts = textsOf(await loaderOf(wanted).first())
  if (!loaded.has(wanted)) loaded.set(wanted, { texts, isWhole: false })
}

/** Loads all texts of a language. */
export async function loadLanguage(wanted: Language): Promise<void> {
  if (loaded.get(wanted)?.isWhole) return
  const [first, rest] = await Promise.all([loaderOf(wanted).first(), loaderOf(wanted).rest()])
  loaded.set(wanted, { texts: new Map([...textsOf(first), ...textsOf(rest)]), isWhole: true })
}

function textsOf({ texts }: { texts: Readonly<Record<string, string>> }): Map<string, string> {
  return new Map(Object.entries(texts))
}

/** Shows the page in a language as soon as its texts are there; the last choice wins. */
export async function showLanguage(wanted: Language, load = loadLanguage): Promise<void> {
  lastWanted = wanted
  if (!loaded.has(wanted)) await load(wanted)
  if (lastWanted === wanted) language.value = wanted
}
let lastWanted: Language = 'en'

/** The units that the person reads in. */
export const units = ref<ReaderSettings['units']>('metric')
/** IANA name; null: that of this computer. */
export const timeZone = ref<string | null>(null)
export const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** How the person reads: every text, number and time on the page follows it. */
export const reader = computed<ReaderSettings>(() => ({
  language: language.value,
  units: units.value,
  timeZone: timeZone.value ?? ownTimeZone
}))

const format = computed(() => {
  const { texts, isWhole } = loaded.get(language.value) ?? { isWhole: true }
  // A text that is still on its way is left out for that moment, because an id would tell a person nothing.
  return createFormatter(reader.value, (id) => texts?.get(id) ?? (isWhole ? undefined : ''))
})

/** What a message says in a chosen language, for a text that someone else will read. */
export async function sayIn(wanted: Language, message: Message): Promise<string> {
  await loadLanguage(wanted)
  return createFormatter({ ...reader.value, language: wanted }, (id) => loaded.get(wanted)?.texts.get(id))(message)
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
