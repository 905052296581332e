import type { Json } from '../../../../preload/contract/define.ts'
import { isMessage, writtenLanguages, type Message } from '../../../../preload/contract/messages.ts'
import type { Template } from '../../../../preload/contract/job/templates.ts'
import type { WrittenText } from '../../../../preload/contract/job/steps/texts.ts'
import { canonicalJson } from '../../../data/store/jobs/seal.ts'
import { plainJson } from '../record/journal.ts'

export type SayIn = (language: 'en' | 'es', text: Message) => string

/** A checklist in the form of a file: self-contained, with each text by language. */
export function writeTemplate(template: Template, say: SayIn): { [field: string]: Json } {
  return plainJson(withTexts(template, say)) as { [field: string]: Json }
}

function withTexts(value: unknown, say: SayIn): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isMessage(value)) return inLanguages(value, say)
  if (Array.isArray(value)) return value.map((one) => withTexts(one, say))
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withTexts(field, say)]))
}

function inLanguages(text: Message, say: SayIn): WrittenText {
  const languages = writtenLanguages(text)
  // A text in one language must not look as if it had been translated.
  return {
    en: say('en', text),
    ...(languages === undefined || languages.includes('es') ? { es: say('es', text) } : {})
  }
}

/** Whether two checklists have the same content, whatever their versions. */
export function sayTheSame(one: Template, other: Template, say: SayIn): boolean {
  const bare = ({ version: _version, $schema: _schema, ...rest }: Record<string, unknown>) => canonicalJson(rest)
  return bare(writeTemplate(one, say)) === bare(writeTemplate(other, say))
}
