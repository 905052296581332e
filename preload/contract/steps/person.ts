import { z } from 'zod'

/** What a picture is to show. */
export const photoPurpose = z.enum(['mounting', 'wiring', 'odometer', 'plate', 'damageBefore', 'cameraView', 'other'])
export type PhotoPurpose = z.infer<typeof photoPurpose>

/** What the steps that only a person can answer may be told, by kind. */
export const personSettings = {
  question: z.strictObject({
    /** The answer that passes. */
    expected: z.boolean().optional()
  }),
  /** A value read off an instrument. */
  measurement: z.strictObject({ unit: z.string().max(20).optional(), min: z.number().optional(), max: z.number().optional() }),
  signOff: z.object({})
}
