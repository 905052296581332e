import { z } from 'zod'
import { isoTime } from '../define.ts'
import { fact } from '../diagnosis/facts.ts'
import { messageSchema } from '../messageSchema.ts'

/** What device screens show from the gateway beside the device's own readings. */
export const deviceCompare = z.object({
  /**
   * asking: no answer yet. notShown: the gateway does not show this device (not found or not permitted). signedOut, away:
   * it could not be asked; its last answer stays, with its age.
   */
  gateway: z.object({ state: z.enum(['asking', 'answers', 'notShown', 'signedOut', 'away']), why: messageSchema.nullable() }),
  /** The vehicle that the gateway shows with this device. */
  vehicle: z.object({ id: z.number(), name: z.string(), plate: z.string().nullable() }).nullable(),
  /** Device against gateway, fact by fact, without facts that neither reports. */
  facts: z.array(fact),
  /** The position at the gateway and its distance from the device's own; null when unknown. */
  places: z.object({
    gateway: z.object({ latitude: z.number(), longitude: z.number(), ageS: z.number() }).nullable(),
    apartM: z.number().nullable(),
    isParked: z.boolean().nullable()
  }),
  /** The newest event of this device at the gateway. */
  newest: z.object({ at: isoTime, ageS: z.number(), delayS: z.number().nullable() }).nullable(),
  /** The delays from device to gateway for each event, oldest first. */
  delays: z.array(z.object({ at: isoTime, delayS: z.number() }))
})
export type DeviceCompare = z.infer<typeof deviceCompare>
