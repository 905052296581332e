import { z } from 'zod'
import { accessoryTest, photoView, recordId } from './accessories.ts'
import { defineCalls, isoTime, jobId } from '../define.ts'
import { largestPhotoLength } from './photoLength.ts'

export const photoEventView = z.object({
  eventId: z.number(),
  systemTime: z.string(),
  at: isoTime,
  label: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable()
})
export type PhotoEventView = z.infer<typeof photoEventView>

const day = z.string().regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$/)
const photos = z.object({ photos: z.array(photoView), event: photoEventView.nullable(), readAt: isoTime })

export const photosCalls = defineCalls({
  /** Takes a photo once, or follows the one in progress. */
  'photos.capture': {
    input: z.strictObject({ vehicleId: recordId, waitS: z.number().int().min(20).max(900).default(180) }),
    output: accessoryTest
  },
  'photos.last': { input: z.strictObject({ vehicleId: recordId }), output: photos },
  /** Events with photos, newest first. */
  'photos.browse': {
    input: z.strictObject({ vehicleId: recordId, from: day, to: day }),
    output: z.object({ events: z.array(photoEventView), readAt: isoTime })
  },
  'photos.open': {
    input: z.strictObject({
      vehicleId: recordId,
      eventId: recordId,
      systemTime: z
        .string()
        .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)
        .max(40)
    }),
    output: photos
  },
  /** Stores a photo with a job: the picture, its time and its position. */
  'photos.keep': {
    input: z.strictObject({
      jobId,
      vehicleId: recordId,
      photo: photoView
        .pick({ source: true, photoId: true, takenAt: true })
        .extend({ base64: z.string().min(4).max(largestPhotoLength) })
        .strict(),
      latitude: z.number().min(-90).max(90).nullable(),
      longitude: z.number().min(-180).max(180).nullable()
    }),
    output: z.object({ sha256: z.string() })
  }
})
