import { z } from 'zod'
import { isoTime } from '../define.ts'
import { fact } from '../support/facts.ts'
import { messageSchema } from '../base/messageSchema.ts'

export const deviceCompare = z.object({
  /** notShown: not found or not permitted. signedOut, away: could not be asked; its last answer stays, with its age. */
  gateway: z.object({
    state: z.enum(['asking', 'answers', 'notShown', 'signedOut', 'away']),
    why: messageSchema.nullable()
  }),
  vehicle: z.object({ id: z.number(), name: z.string(), plate: z.string().nullable() }).nullable(),
  /** Device against gateway, fact by fact, without facts that neither reports. */
  facts: z.array(fact),
  /** The position at the gateway and its distance from the device's own; null when unknown. */
  places: z.object({
    gateway: z.object({ latitude: z.number(), longitude: z.number(), ageS: z.number() }).nullable(),
    apartM: z.number().nullable(),
    isParked: z.boolean().nullable()
  }),
  newest: z.object({ at: isoTime, ageS: z.number(), delayS: z.number().nullable() }).nullable(),
  /** The delays from device to gateway for each event, oldest first. */
  delays: z.array(z.object({ at: isoTime, delayS: z.number() }))
})
export type DeviceCompare = z.infer<typeof deviceCompare>
