import { z } from 'zod'
import { defineCalls, isoTime, jobId } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'
import { photoPurpose } from './steps/person.ts'

/** A picture of a job: the original, and the smaller copy for reports. Never changed once written. */
export const attachment = z.object({
  seq: z.number(),
  /** The step and its attempt; null: the job as a whole. */
  stepId: z.string().nullable(),
  attempt: z.number(),
  sha256: z.string(),
  mediaType: z.enum(['image/jpeg', 'image/png']),
  bytes: z.number(),
  width: z.number(),
  height: z.number(),
  purpose: photoPurpose,
  /** By the camera's clock; null when the picture does not contain it. */
  takenAt: isoTime.nullable(),
  keptAt: isoTime,
  source: z.enum(['file', 'webcam', 'vehicleCamera']),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** The source of the position: the device beside it, the camera itself, or the gateway's event. */
  placeSource: z.enum(['device', 'photo', 'gateway']).nullable(),
  /** The copy for reports: a JPEG of at most 2560 pixels with time and position at the bottom. */
  reportSha256: z.string()
})
export type Attachment = z.infer<typeof attachment>

export const jobAttached = z.object({ jobId: z.string(), attachment })

/** The size of a piece of a picture in one call, as base64: small enough not to delay other calls. */
export const largestPieceLength = 700_000

export const attachmentsCalls = defineCalls({
  /** Uploads a picture for a job, piece by piece; the last piece returns the result. */
  'attachments.add': {
    input: z.strictObject({
      jobId,
      stepId: z.string().min(1).max(60).nullable(),
      purpose: photoPurpose,
      source: z.enum(['file', 'webcam']),
      upload: z.string().min(8).max(40),
      totalBytes: z.number().int().min(1),
      from: z.number().int().min(0),
      base64: z.string().min(4).max(largestPieceLength)
    }),
    output: z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('more') }),
      z.object({ outcome: z.literal('kept'), attachment }),
      /** Nothing was stored; the text explains it to the person. */
      z.object({ outcome: z.literal('refused'), reason: messageSchema })
    ])
  },
  'attachments.read': {
    input: z.strictObject({ jobId, sha256: z.string().regex(/^[0-9a-f]{64}$/), piece: z.number().int().min(0) }),
    output: z.object({ mediaType: z.string(), sizeBytes: z.number(), base64: z.string(), isLast: z.boolean() })
  }
})
