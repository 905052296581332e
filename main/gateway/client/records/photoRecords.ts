import { z } from 'zod'
import { numberOrNull, textOrNull } from './fields.ts'

/** `b64data`: base64 JPEG; `source`: camera 0..3, 99 the flash camera; `epoch` in seconds. */
export const photo = z.looseObject({
  status: z.string().optional(),
  status_no: z.number().optional(),
  source: z.number().optional(),
  photo_id: z.union([z.number(), z.string()]).optional(),
  debug: textOrNull.optional(),
  epoch: z.number().optional(),
  imei: z.number().optional(),
  b64data: z.string().optional(),
  size: z.number().optional()
})
export type Photo = z.infer<typeof photo>

export const photoEvent = z.looseObject({
  id: z.number().optional(),
  vid: z.number().optional(),
  device_id: z.number().optional(),
  dphoto_ptr: z.number().optional(),
  code: z.number().optional(),
  label: textOrNull.optional(),
  system_time: z.string().optional(),
  event_time: z.string().optional(),
  lat: numberOrNull.optional(),
  lon: numberOrNull.optional()
})
export type PhotoEvent = z.infer<typeof photoEvent>

/** `photocam/last`, `from_event`: one photo in progress, or a list of photos and their event. */
export const photoAnswer = z.looseObject({
  status: z.string().optional(),
  status_no: z.number().optional(),
  source: z.number().optional(),
  photos: z.array(photo).optional(),
  event: photoEvent.nullable().optional()
})
export type PhotoAnswer = z.infer<typeof photoAnswer>
