import { z } from 'zod'
import { recordId } from './accessories.ts'
import { defineCalls, isoTime } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'

export const navMessage = z.object({
  id: z.number().nullable(),
  text: z.string(),
  type: z.string(),
  user: z.string(),
  at: isoTime.nullable(),
  isRead: z.boolean().nullable(),
  isDeleted: z.boolean().nullable()
})
export type NavMessage = z.infer<typeof navMessage>

export const navUnitState = z.object({
  isOnline: z.boolean().nullable(),
  pending: z.number().nullable(),
  readAt: isoTime
})
export type NavUnitState = z.infer<typeof navUnitState>

const vehicle = { vehicleId: recordId }
/** Counted in characters as people see them. */
const text40 = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => [...text].length <= 40, 'The navigation unit takes at most 40 characters.')
const asciiText40 = text40.refine(
  (text) => /^[\x20-\x7e]*$/.test(text),
  'The text of a job may only have plain letters, digits and signs (ASCII).'
)

/** The result of something that was sent once. unknown: the answer was lost; it is not sent again. */
const sent = z.object({
  kind: z.enum(['sent', 'unknown']),
  detail: messageSchema,
  deviceIsOnline: z.boolean().nullable(),
  id: z.number().nullable()
})
export type NavUnitSent = z.infer<typeof sent>

export const navUnitCalls = defineCalls({
  'navUnit.state': { input: z.strictObject(vehicle), output: navUnitState },
  /** Read back, because an answer alone is no proof. */
  'navUnit.setMode': { input: z.strictObject({ ...vehicle, on: z.boolean() }), output: navUnitState },
  'navUnit.messages': {
    input: z.strictObject({ ...vehicle, days: z.number().int().min(1).max(31).default(7) }),
    output: z.object({ messages: z.array(navMessage), total: z.number().nullable(), readAt: isoTime })
  },
  'navUnit.sendMessage': {
    input: z.strictObject({ ...vehicle, type: z.enum(['inbox', 'screen']), text: text40 }),
    output: sent
  },
  'navUnit.sendJob': {
    input: z.strictObject({
      ...vehicle,
      text: asciiText40,
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180)
    }),
    output: sent
  }
})
