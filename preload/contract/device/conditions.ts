import { z } from 'zod'
import { messageSchema } from '../base/messageSchema.ts'

/** A condition for switching an output on, with the reading. An unreadable condition is not met. */
export const outputCondition = z.object({
  id: z.enum(['device', 'standstill', 'motion', 'engineOff', 'outputOff', 'noShort', 'noJob']),
  holds: z.boolean(),
  what: messageSchema,
  /** The reading; null when there is nothing to read. */
  value: messageSchema.nullable(),
  /** How old the reading was then; null when there is none. Absent where a condition is no reading. */
  ageMs: z.number().nullable().optional(),
  /** The remedy; null while the condition is met. */
  todo: messageSchema.nullable()
})
export type OutputCondition = z.infer<typeof outputCondition>
