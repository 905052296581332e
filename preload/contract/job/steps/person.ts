import { z } from 'zod'
import { templateText } from './texts.ts'

/** What a picture must show. */
export const photoPurpose = z.enum([
  'mounting',
  'wiring',
  'odometer',
  'plate',
  'label',
  'damageBefore',
  'cameraView',
  'other'
])

export type PhotoPurpose = z.infer<typeof photoPurpose>

const unit = z.string().max(20)

export const personSettings = {
  photo: z.strictObject({
    /** Omitted: something else. */
    purpose: photoPurpose.optional(),
    /** Omitted: one. */
    minPhotos: z.number().int().min(1).max(12).optional()
  }),
  question: z.strictObject({
    /** Omitted: yes or no. */
    form: z.enum(['yesNo', 'text', 'number', 'choice']).optional(),
    /** For yes or no: the answer that passes. */
    expected: z.boolean().optional(),
    unit: unit.optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    /** For a choice: whether it passes; omitted: yes. */
    choices: z
      .array(z.strictObject({ id: z.string().min(1).max(60), text: templateText, passes: z.boolean().optional() }))
      .min(2)
      .max(20)
      .optional()
  }),
  measurement: z.strictObject({ unit: unit.optional(), min: z.number().optional(), max: z.number().optional() }),
  signOff: z.strictObject({
    /** Who must sign; omitted: names are enough. */
    signatures: z.enum(['technician', 'both']).optional()
  })
}
