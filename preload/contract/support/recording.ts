import { z } from 'zod'
import { json } from '../define.ts'
import { evidence } from './evidence.ts'

/**
 * `at` is the path to the value. With `front` a list got these items and kept that many; with neither it was removed.
 */
export const recordedChange = z.strictObject({
  at: z.array(z.union([z.string().max(200), z.number().int().nonnegative()])).max(40),
  value: json.optional(),
  front: z.array(json).optional(),
  kept: z.number().int().nonnegative().optional()
})
export type RecordedChange = z.infer<typeof recordedChange>

/** Evidence over time: the first one, and the changes from look to look. Times are epoch ms of this computer. */
export const recordedSession = z.strictObject({
  version: z.literal(1),
  subject: z.strictObject({ imei: z.string().max(40).nullable(), vehicleId: z.number().nullable() }),
  fromMs: z.number(),
  toMs: z.number(),
  parts: z
    .array(
      z.strictObject({
        atMs: z.number(),
        first: evidence,
        steps: z.array(z.strictObject({ atMs: z.number(), changes: z.array(recordedChange).max(20_000) })).max(1_000)
      })
    )
    .min(1)
    .max(2_000)
})
export type RecordedSession = z.infer<typeof recordedSession>
