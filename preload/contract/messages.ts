import type { MessageValues } from './messageValues.ts'

/** What a message says beside its own words: a name, a number, a time, or another message. */
export type MessageValue = string | number | Message | (string | Message)[]

/** Something that Fitter says, as data. It becomes text only where a person reads it (preload/messages). */
export interface Message {
  /** `<topic>.<name>`, as in resources/messages. Stored messages may have ids of another version. */
  id: string
  /** A value's name tells its unit (`forS`, `distanceM`, `seenAt`): text is made of it in the reader's language and units. */
  values: Record<string, MessageValue>
}

export type MessageId = keyof MessageValues<MessageValue>
/** The values that a message has to have. The types are written from the English catalogue by bin/messageTypes.ts. */
export type ValuesOf<Id extends MessageId> = MessageValues<MessageValue>[Id]
type Given<Id extends MessageId> = keyof ValuesOf<Id> extends never ? [] : [values: ValuesOf<Id>]

/** A message of the catalogue. */
export function message<Id extends MessageId>(id: Id, ...[values]: Given<Id>): Message {
  return { id, values: { ...values } }
}

/** Words that are not ours: typed by a person, said by the other side, or written to the log by an earlier version. */
export function plainMessage(text: string): Message {
  return { id: 'plain.text', values: { text } }
}

const writtenId = 'plain.byLanguage'

/** Words of a customer in one language or more, by its code: the reader gets their own, else the English ones. */
export function writtenMessage(byLanguage: { en: string; es?: string | undefined }): Message {
  return { id: writtenId, values: { en: byLanguage.en, ...(byLanguage.es === undefined ? {} : { es: byLanguage.es }) } }
}

/** What such words say in a language; undefined for any other message. */
export function writtenWords({ id, values }: Message, language: string): string | undefined {
  if (id !== writtenId) return undefined
  return String(values[language] ?? values['en'] ?? Object.values(values)[0] ?? '')
}

/** The languages that written words are there in; undefined for a message of the catalogue. */
export function writtenLanguages({ id, values }: Message): string[] | undefined {
  if (id === 'plain.text') return ['en']
  return id === writtenId ? Object.keys(values) : undefined
}

/** Whether a value among others is a message: it has the fields of one and no other. */
export function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false
  const { id, values } = value as Partial<Message>
  return typeof id === 'string' && typeof values === 'object' && values !== null && !Array.isArray(values)
}

/** A text as it may be stored: earlier versions kept sentences, this one keeps messages. */
export function asMessage(stored: string | Message): Message {
  return typeof stored === 'string' ? plainMessage(stored) : stored
}

/** For logs and stack traces, where no reader's language is known. */
export function nameMessage({ id, values }: Message): string {
  return id === 'plain.text' ? String(values['text']) : `${id} ${JSON.stringify(values)}`
}
