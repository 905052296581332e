import { ref } from 'vue'
import { en } from './locales/en.ts'
import { es } from './locales/es.ts'

export type Language = 'en' | 'es'
export type TextKey = keyof typeof en
type Placeholders<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never
type Params<Key extends TextKey> = [Placeholders<(typeof en)[Key]>] extends [never]
  ? []
  : [params: Record<Placeholders<(typeof en)[Key]>, string | number>]
type PluralKey = TextKey extends infer Key ? (Key extends `${infer Base}.one` ? Base : never) : never

/** The language of everything that this page itself says. */
export const language = ref<Language>('en')

function lookUp(key: TextKey, params: Record<string, string | number> = {}): string {
  const text: string = (language.value === 'es' ? es : en)[key]
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in params ? String(params[name]) : whole))
}

/** The text of a key in the present language, its placeholders filled. */
export function t<Key extends TextKey>(key: Key, ...[params]: Params<Key>): string {
  return lookUp(key, params)
}

/** The singular or plural text of a number, `{n}` filled with it. */
export function plural(base: PluralKey, n: number): string {
  const form = new Intl.PluralRules(language.value).select(n) === 'one' ? 'one' : 'other'
  return lookUp(`${base}.${form}` as TextKey, { n: n.toLocaleString(language.value) })
}
