import { z } from 'zod'
import { writtenMessage } from '../../messages.ts'
import { messageSchema, storedMessage } from '../../base/messageSchema.ts'

/** A text by a customer, in one language or both; the reader gets their own. */
export const writtenText = z.strictObject({ en: z.string().min(1).max(500), es: z.string().min(1).max(500).optional() })
export type WrittenText = z.infer<typeof writtenText>

/** A text of a checklist: an id of the catalogue, a written text, or a sentence. */
export const templateText = z
  .union([messageSchema, writtenText.transform(writtenMessage), storedMessage])
  .meta({ id: 'Text' })

export const inputLine = z.string().regex(/^IN[1-7]$/)
export const outputLine = z.enum(['OUT1', 'OUT2', 'OUT3', 'OUT4'])
