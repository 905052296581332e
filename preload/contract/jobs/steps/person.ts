import { z } from 'zod'
import { templateText } from './texts.ts'

/** What a picture is to show. */
export const photoPurpose = z.enum(['mounting', 'wiring', 'odometer', 'plate', 'damageBefore', 'cameraView', 'other'])

const unit = z.string().max(20)

/** What the steps that only a person can answer may be told, by kind. */
export const personSettings = {
  photo: z.strictObject({
    /** Left out: something else. */
    purpose: photoPurpose.optional(),
    /** Left out: one. */
    minPhotos: z.number().int().min(1).max(12).optional()
  }),
  question: z.strictObject({
    /** Left out: yes or no. */
    form: z.enum(['yesNo', 'text', 'number', 'choice']).optional(),
    /** Of yes or no: the answer that passes. */
    expected: z.boolean().optional(),
    /** Of a number. */
    unit: unit.optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    /** Of a choice; one that does not say so passes. */
    choices: z
      .array(z.strictObject({ id: z.string().min(1).max(60), text: templateText, passes: z.boolean().optional() }))
      .min(2)
      .max(20)
      .optional()
  }),
  /** A value read off an instrument. */
  measurement: z.strictObject({ unit: unit.optional(), min: z.number().optional(), max: z.number().optional() }),
  signOff: z.strictObject({
    /** Whose signature has to be there; left out: names are enough. */
    signatures: z.enum(['technician', 'both']).optional()
  })
}
