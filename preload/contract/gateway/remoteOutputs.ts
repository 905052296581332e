import { z } from 'zod'
import { accessoryTest, lineState, recordId } from './accessories.ts'
import { defineCalls, isoTime } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'

/** A condition for switching an output on; switching off needs none. */
export const outputCondition = z.object({
  id: z.enum(['fresh', 'standing', 'engineOff', 'idle']),
  holds: z.boolean(),
  what: messageSchema
})
export type OutputCondition = z.infer<typeof outputCondition>

export const outputLogEntry = z.object({
  at: isoTime.nullable(),
  otype: z.string().nullable(),
  out: z.number().nullable(),
  on: z.boolean().nullable(),
  user: z.string().nullable()
})
export type OutputLogEntry = z.infer<typeof outputLogEntry>

const otype = z
  .string()
  .trim()
  .min(1)
  .max(20)
  .regex(/^[0-9A-Za-z_-]+$/)

export const remoteOutputsCalls = defineCalls({
  'remoteOutputs.story': {
    input: z.strictObject({ vehicleId: recordId }),
    output: z.object({
      conditions: z.array(outputCondition),
      lines: z.array(lineState),
      linesAt: isoTime.nullable(),
      log: z.array(outputLogEntry),
      /** Values of `otype` that the log shows; only `e` (expander) is documented. */
      knownTypes: z.array(z.string()),
      /**
       * How long the button must be held, and after how long an unconfirmed command has expired: limits of the profile.
       */
      holdMs: z.number(),
      expiresS: z.number(),
      /** How long a confirmed output stays on before Fitter switches it off. */
      mostOnS: z.number(),
      readAt: isoTime
    })
  },
  /**
   * Sent once. `confirmed`: the person held the button. Unconfirmed within the profile's limit it has expired, its
   * effect unknown.
   */
  'remoteOutputs.set': {
    input: z.strictObject({
      vehicleId: recordId,
      otype,
      out: z.number().int().min(1).max(4),
      on: z.boolean(),
      confirmed: z.literal(true)
    }),
    output: accessoryTest
  }
})
