import { z } from 'zod'
import { isoTime } from '../define.ts'
import { fact } from '../diagnosis/facts.ts'
import { messageSchema } from '../messageSchema.ts'

/** What the screens of a device show of the gateway beside the device's own answers. */
export const deviceCompare = z.object({
  /**
   * asking: no answer yet. notShown: it does not show this device (not found or not permitted). signedOut, away: it could
   * not be asked; what it said before stays, with its age.
   */
  gateway: z.object({ state: z.enum(['asking', 'answers', 'notShown', 'signedOut', 'away']), why: messageSchema.nullable() }),
  /** The vehicle that the gateway shows with this device. */
  vehicle: z.object({ id: z.number(), name: z.string(), plate: z.string().nullable() }).nullable(),
  /** Device against gateway, fact by fact; what neither says is left out. */
  facts: z.array(fact),
  /** Where the gateway has it, and how far that is from where the device says it is; null where it cannot be told. */
  places: z.object({
    gateway: z.object({ latitude: z.number(), longitude: z.number(), ageS: z.number() }).nullable(),
    apartM: z.number().nullable(),
    isParked: z.boolean().nullable()
  }),
  /** The newest event of this device at the gateway. */
  newest: z.object({ at: isoTime, ageS: z.number(), delayS: z.number().nullable() }).nullable(),
  /** From the device to the gateway, event by event, oldest first. */
  delays: z.array(z.object({ at: isoTime, delayS: z.number() }))
})
export type DeviceCompare = z.infer<typeof deviceCompare>
