import { writtenIn, type Language } from '../../../preload/base/messages/settings.ts'
import { isMessage } from '../../../preload/contract/messages.ts'
import { say } from '../../base/say.ts'

export type Written = Record<string, unknown>
export interface Words {
  en?: string
  es?: string
}

/** Messages of the core in the form for editing: texts by language. */
export function asWritten<T>(value: T): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isMessage(value))
    return value.id === 'plain.text'
      ? { en: value.values['text'] }
      : value.id === 'plain.byLanguage'
        ? { ...value.values }
        : value
  if (Array.isArray(value)) return value.map((one) => asWritten(one))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asWritten(one)]))
}

/** With one field changed; undefined removes it. */
export function withField(thing: Written, name: string, value: unknown): Written {
  const { [name]: _before, ...rest } = thing
  return value === undefined
    ? rest
    : name in thing
      ? Object.fromEntries(Object.entries(thing).map(([key, one]) => [key, key === name ? value : one]))
      : { ...rest, [name]: value }
}

/** The name of a kind of step, or of what can be ordered. */
export function kindName(kind: string): string {
  return say({ id: `kinds.${kind}`, values: {} })
}

/** What can be ordered, by name. */
export function orderedThings(kinds: readonly string[]): { id: string; text: string }[] {
  return kinds.map((id) => ({ id, text: kindName(id) })).sort((one, other) => one.text.localeCompare(other.text))
}

/**
 * The plainest thing that a checklist calls by a name of its own: that of the first step with this name in its
 * condition.
 */
export function namedThing(as: string, steps: readonly Written[]): Written {
  const step = steps.find(({ when }) => JSON.stringify(when ?? null).includes(`"ordered":${JSON.stringify(as)}`))
  return { kind: step?.['kind'] ?? 'output', as, ...(step?.['output'] === undefined ? {} : { output: step['output'] }) }
}

/** The words of a written text for a reader of this language. */
export function wordsIn(value: unknown, language: Language): string {
  const words = (value ?? {}) as Words
  return words[writtenIn(language)] || words.en || words.es || ''
}
