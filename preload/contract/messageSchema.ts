import { z } from 'zod'
import { plainMessage, type Message, type MessageValue } from './messages.ts'

/** The form of a message in calls, events and stored entries. */
export const messageSchema: z.ZodType<Message> = z.object({
  id: z.string().max(100),
  values: z.record(z.string(), z.lazy((): z.ZodType<MessageValue> => messageValue))
})
const messageValue: z.ZodType<MessageValue> = z.union([z.string(), z.number(), messageSchema, z.array(z.union([z.string(), messageSchema]))])

/**
 * A message for data in which earlier versions stored a sentence (log, rows, report files): the sentence is read as plain
 * text.
 */
export const storedMessage = z.union([z.string().transform(plainMessage), messageSchema])
/** The same for optional texts: earlier versions stored an empty sentence for none. */
export const storedMessageOrNothing = z.union([messageSchema, z.null(), z.string().transform((text) => (text === '' ? null : plainMessage(text)))])
