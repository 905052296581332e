import { z } from 'zod'
import { templateText } from './words.ts'

const analogMv = z.number().min(0).max(28_000)
const radio = z.strictObject({
  /** Left out: it does not matter. */
  isOn: z.boolean().optional(),
  /** The name of the network; its password is a secret and is never part of a checklist. */
  ssid: z.string().min(1).max(32).optional()
})

/** What the steps about the device's own settings and wiring may be told, by kind. */
export const orderedSettings = {
  clock: z.object({}),
  analog: z.strictObject({
    channels: z
      .array(
        z
          .strictObject({ channel: z.enum(['AN1', 'AN2', 'DAN']), name: templateText.optional(), minMv: analogMv, maxMv: analogMv })
          .refine(({ minMv, maxMv }) => minMv <= maxMv)
      )
      .max(3)
      .optional()
  }),
  wifi: radio,
  hotspot: radio
}
