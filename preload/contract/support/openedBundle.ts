import { z } from 'zod'
import { bundleHolds } from './bundles.ts'
import { count, defineCalls, isoTime, json, nothing } from '../define.ts'

/** The answer to a call of this contract on the computer that wrote the support bundle. */
export const recordedAnswer = z.strictObject({
  call: z.string().max(60),
  input: json,
  output: json,
  readAt: isoTime.max(40)
})
export type RecordedAnswer = z.infer<typeof recordedAnswer>

/** The support bundle on screen. Nothing in it is live: `writtenAt` is its present. */
export const shownBundle = z.object({
  writtenAt: isoTime,
  fitter: z.string(),
  /** Who wrote it; empty when names were left out. */
  by: z.string(),
  jobId: z.string().nullable(),
  imei: z.string().nullable(),
  vehicleId: z.number().nullable(),
  vehicleName: z.string().nullable(),
  /** It was made about the device: its job goes along. */
  isAboutDevice: z.literal(true).optional(),
  /** The key of its device in the table; null without a device. */
  deviceKey: z.string().nullable(),
  isTraining: z.boolean(),
  /** What its writer left out is false. */
  holds: bundleHolds.optional(),
  photos: z.number().int().nonnegative().optional()
})
export type ShownBundle = z.infer<typeof shownBundle>

/** A bundle that was opened on this computer during the last 24 hours. */
export const keptBundle = shownBundle
  .pick({ writtenAt: true, by: true, jobId: true, imei: true, vehicleName: true })
  .extend({
    id: z.string(),
    sizeBytes: z.number().int().nonnegative(),
    /** Then it is removed. */
    until: isoTime
  })
export type KeptBundle = z.infer<typeof keptBundle>

const keptId = z.strictObject({ id: z.string().regex(/^[0-9a-f]{12}$/) })

export const openedBundleCalls = defineCalls({
  /** Uploads a support bundle piece by piece; the last piece opens it in every window. */
  'cab.add': {
    input: z.strictObject({
      upload: z.string().min(8).max(40),
      totalBytes: z.number().int().min(1),
      from: count,
      base64: z.string().min(4).max(700_000)
    }),
    output: z.object({ outcome: z.enum(['more', 'open']) })
  },
  'cab.drop': { input: z.strictObject({ upload: z.string().min(1).max(40) }), output: nothing },
  /** Closes the support bundle: windows return to their previous screens. */
  'cab.leave': { input: nothing, output: nothing },
  /** The bundles that were opened during the last 24 hours, newest first. */
  'cab.list': { input: nothing, output: z.object({ bundles: z.array(keptBundle) }) },
  /** Opens one of them in every window. NOT_FOUND when it is no longer kept. */
  'cab.reopen': { input: keptId, output: nothing },
  /** Removes one of them from this computer. */
  'cab.forget': { input: keptId, output: z.object({ bundles: z.array(keptBundle) }) }
})
