import { z } from 'zod'
import { plainMessage, type Message, type MessageValue } from './messages.ts'

/** The form of a message in calls, events and stored entries. */
export const messageSchema: z.ZodType<Message> = z.object({
  id: z.string().max(100),
  values: z.record(z.string(), z.lazy((): z.ZodType<MessageValue> => messageValue))
})
const messageValue: z.ZodType<MessageValue> = z.union([z.string(), z.number(), messageSchema, z.array(z.union([z.string(), messageSchema]))])

/** A message where earlier versions stored a sentence, in the log, in rows and in report files: it is read as plain words. */
export const storedMessage = z.union([z.string().transform(plainMessage), messageSchema])
/** Where there may be nothing to say: earlier versions kept an empty sentence for that. */
export const storedMessageOrNothing = z.union([messageSchema, z.null(), z.string().transform((text) => (text === '' ? null : plainMessage(text)))])
