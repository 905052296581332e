import { z } from 'zod'
import { defineCalls, isoTime, nothing } from './define.ts'
import { messageSchema } from './messageSchema.ts'

/** Something that was kept and is missing, and who has read that. */
export const lossRecord = z.object({ key: z.number(), foundAt: isoTime, message: messageSchema, readAt: isoTime.nullable(), readBy: z.string().nullable() })
export type LossRecord = z.infer<typeof lossRecord>

/** A damaged file that was put aside in the data folder. Fitter never deletes one. */
export const putAside = z.object({ name: z.string(), sizeBytes: z.number(), at: isoTime })

export const lossesCalls = defineCalls({
  /** Everything that was ever found missing, newest first, and the damaged files that were put aside. */
  'losses.list': { input: nothing, output: z.object({ losses: z.array(lossRecord), putAside: z.array(putAside) }) },
  /** A person has read it: no notice any more. It stays in the list. */
  'losses.acknowledge': { input: z.strictObject({ key: z.number().int() }), output: nothing }
})
