import { z } from 'zod'
import { messageSchema } from '../messageSchema.ts'

/** One thing that has to hold before an output may go on, with what was read. What cannot be read does not hold. */
export const outputCondition = z.object({
  id: z.enum(['device', 'standstill', 'motion', 'engineOff', 'outputOff', 'noShort', 'noJob']),
  holds: z.boolean(),
  what: messageSchema,
  /** As it was read; null where there is nothing to read. */
  value: messageSchema.nullable(),
  /** What a person does about it; null while it holds. */
  todo: messageSchema.nullable()
})
export type OutputCondition = z.infer<typeof outputCondition>
