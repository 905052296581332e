import { z } from 'zod'
import { isoTime } from './define.ts'
import { photoPurpose } from './steps/person.ts'

/** A picture that a job holds: what was kept, and the smaller copy of it that reports show. Never changed once written. */
export const attachment = z.object({
  seq: z.number(),
  /** The step and its attempt that it belongs to; null: the job as a whole. */
  stepId: z.string().nullable(),
  attempt: z.number(),
  /** Of the bytes that were kept. */
  sha256: z.string(),
  mediaType: z.enum(['image/jpeg', 'image/png']),
  bytes: z.number(),
  width: z.number(),
  height: z.number(),
  purpose: photoPurpose,
  /** By the camera's clock; null when it does not say. */
  takenAt: isoTime.nullable(),
  /** By this computer's clock. */
  keptAt: isoTime,
  source: z.enum(['file', 'webcam', 'vehicleCamera']),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** Who says where it was: the device beside it, the camera itself, or the gateway's event. */
  placeSource: z.enum(['device', 'photo', 'gateway']).nullable(),
  /** Of the copy that reports show: a JPEG of at most 2560 pixels, with time and place written at its foot. */
  reportSha256: z.string()
})
export type Attachment = z.infer<typeof attachment>

/** A picture was kept with a job. */
export const jobAttached = z.object({ jobId: z.string(), attachment })
