import { z } from 'zod'
import { isoTime } from '../../../preload/contract/define.ts'
import { storedMessage } from '../../../preload/contract/messageSchema.ts'

/** One thing that happened, whoever tells of it. */
export const timelineLine = z.strictObject({
  at: isoTime.max(40),
  /** log: the job's own; device: something was sent to it; gateway: work for it. */
  source: z.enum(['log', 'device', 'gateway']),
  kind: z.string().max(80),
  stepId: z.string().max(200).nullable(),
  what: storedMessage
})
export type TimelineLine = z.infer<typeof timelineLine>
