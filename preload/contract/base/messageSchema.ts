import { z } from 'zod'
import { plainMessage, type Message, type MessageValue } from '../messages.ts'

export const messageSchema: z.ZodType<Message> = z.object({
  id: z.string().max(100),
  values: z.record(
    z.string(),
    z.lazy((): z.ZodType<MessageValue> => messageValue)
  )
})
const messageValue: z.ZodType<MessageValue> = z.union([
  z.string(),
  z.number(),
  messageSchema,
  z.array(z.union([z.string(), messageSchema]))
])

/** A message, or words that are not Fitter's, which are read as plain text. */
export const storedMessage = z.union([z.string().transform(plainMessage), messageSchema])
/** The same for optional texts: no words are none. */
export const storedMessageOrNothing = z.union([
  messageSchema,
  z.null(),
  z.string().transform((text) => (text === '' ? null : plainMessage(text)))
])
