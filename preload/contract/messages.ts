import type { MessageValues } from './base/messageValues.ts'

/** A language is named as its folder of resources/messages, as in BCP 47. */
export const languageForm = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

/** A value in a message: a name, a number, a time, or another message. */
export type MessageValue = string | number | Message | (string | Message)[]

/** A text of Fitter as data. It becomes text only for a reader (preload/base/messages). */
export interface Message {
  /** `<topic>.<name>`, as in resources/messages. Stored messages may have ids of another version. */
  id: string
  /**
   * A value's name ends with its unit (`forS`, `distanceM`, `seenAt`): the formatter uses the reader's language and
   * units.
   */
  values: Record<string, MessageValue>
}

export type MessageId = keyof MessageValues<MessageValue>
/** The values that a message needs. bin/messageTypes.ts writes the types from the English catalogue. */
export type ValuesOf<Id extends MessageId> = MessageValues<MessageValue>[Id]
type Given<Id extends MessageId> = keyof ValuesOf<Id> extends never ? [] : [values: ValuesOf<Id>]

export function message<Id extends MessageId>(id: Id, ...[values]: Given<Id>): Message {
  return { id, values: { ...values } }
}

/** Words that are not Fitter's: typed by a person, or received from the other side. */
export function plainMessage(text: string): Message {
  return { id: 'plain.text', values: { text } }
}

const writtenId = 'plain.byLanguage'

/** A customer's text in one or more languages, by code: the reader gets their own, otherwise the English one. */
export function writtenMessage(byLanguage: { en: string; es?: string | undefined }): Message {
  return { id: writtenId, values: { en: byLanguage.en, ...(byLanguage.es === undefined ? {} : { es: byLanguage.es }) } }
}

/** Such a text in a language; undefined for any other message. */
export function writtenWords({ id, values }: Message, language: string): string | undefined {
  if (id !== writtenId) return undefined
  return String(values[language] ?? values['en'] ?? Object.values(values)[0] ?? '')
}

/** The languages of such a text; undefined for a message of the catalogue. */
export function writtenLanguages({ id, values }: Message): string[] | undefined {
  if (id === 'plain.text') return ['en']
  return id === writtenId ? Object.keys(values) : undefined
}

/** Whether a value is a message: it has exactly the fields of one. */
export function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false
  const { id, values } = value as Partial<Message>
  return typeof id === 'string' && typeof values === 'object' && values !== null && !Array.isArray(values)
}

/** A stored text: a message, or words that are not Fitter's. */
export function asMessage(stored: string | Message): Message {
  return typeof stored === 'string' ? plainMessage(stored) : stored
}

/** For logs and stack traces, which have no reader's language. */
export function nameMessage({ id, values }: Message): string {
  return id === 'plain.text' ? String(values['text']) : `${id} ${JSON.stringify(values)}`
}
