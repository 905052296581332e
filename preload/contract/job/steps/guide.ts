import { z } from 'zod'
import { templateText } from './texts.ts'

/** A picture in a checklist is small: each job keeps a copy of its checklist. */
const mostPictureLength = 300_000

/** Where a step is connected in this model of vehicle: its wires, and a picture of the place. */
export const stepGuide = z
  .strictObject({
    wires: z
      .array(
        z.strictObject({
          /** The line of the device: `IGN`, `IN2`. */
          line: z.string().min(1).max(6),
          pin: z.string().min(1).max(4).optional(),
          wire: templateText
        })
      )
      .max(12)
      .optional(),
    /** JPEG or PNG as a data address. */
    picture: z
      .string()
      .max(mostPictureLength)
      .regex(/^data:image\/(?:jpeg|png);base64,[A-Za-z0-9+/]+={0,2}$/)
      .optional()
  })
  .meta({ id: 'Guide' })
export type StepGuide = z.infer<typeof stepGuide>
