import { z } from 'zod'
import { defineCalls, isoTime } from '../define.ts'
import { messageSchema } from '../messageSchema.ts'
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

/** So much of a picture goes with one call, as base64: no call gets in the way of the others. */
export const largestPieceLength = 700_000

const jobId = z.string().min(1).max(40)

export const attachmentsCalls = defineCalls({
  /** Gives a job a picture, piece by piece; the last piece is answered by what became of the picture. */
  'attachments.add': {
    input: z.strictObject({
      jobId,
      stepId: z.string().min(1).max(60).nullable(),
      purpose: photoPurpose,
      source: z.enum(['file', 'webcam']),
      /** The same for all pieces of one picture. */
      upload: z.string().min(8).max(40),
      totalBytes: z.number().int().min(1),
      /** Where this piece begins, in bytes. */
      from: z.number().int().min(0),
      base64: z.string().min(4).max(largestPieceLength)
    }),
    output: z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('more') }),
      z.object({ outcome: z.literal('kept'), attachment }),
      /** Nothing was kept; the words are for the person. */
      z.object({ outcome: z.literal('refused'), reason: messageSchema })
    ])
  },
  /** One piece of a picture that a job holds. */
  'attachments.read': {
    input: z.strictObject({ jobId, sha256: z.string().regex(/^[0-9a-f]{64}$/), piece: z.number().int().min(0) }),
    output: z.object({ mediaType: z.string(), sizeBytes: z.number(), base64: z.string(), isLast: z.boolean() })
  }
})
