import { z } from 'zod'
import { count, defineCalls, deviceKey, filePiece, imeiDigits, isoTime, jobId, nothing, view } from '../define.ts'

/** The subject of a support bundle: a job with its device and vehicle, a device of the table, or a vehicle. */
export const bundleAbout = z.union([
  z.strictObject({ jobId }),
  z.strictObject({ key: deviceKey }),
  z.strictObject({ imei: imeiDigits }),
  z.strictObject({ vehicleId: z.number().int().nonnegative() })
])
export type BundleAbout = z.infer<typeof bundleAbout>

/** The parts that a person may leave out; secrets are never included. */
export const bundleHolds = z.strictObject({ photos: z.boolean(), positions: z.boolean(), names: z.boolean() })
export type BundleHolds = z.infer<typeof bundleHolds>

/** The kinds of parts, in their order in the file. */
export const bundlePartKinds = [
  'about',
  'versions',
  'job',
  'journal',
  'operations',
  'writes',
  'timeline',
  'snapshot',
  'evidence',
  'limits',
  'recording',
  'answers',
  'device',
  'vehicle',
  'photo',
  'faults',
  'selfTest'
] as const
export const bundlePartKind = z.enum(bundlePartKinds)
export type BundlePartKind = z.infer<typeof bundlePartKind>

export const bundlePart = z.object({
  name: z.string(),
  kind: bundlePartKind,
  bytes: count,
  /** The number of items; null when a number means nothing. */
  items: count.nullable(),
  from: isoTime.nullable(),
  to: isoTime.nullable()
})
export type BundlePart = z.infer<typeof bundlePart>

/** A prepared bundle, which can be reviewed before it is saved. */
export const preparedBundle = z.object({
  fileName: z.string(),
  bytes: count,
  writtenAt: isoTime,
  holds: bundleHolds,
  masked: z.object({ secrets: count, positions: count, names: count }),
  /** The number of texts that would be redacted without positions and without names. */
  removable: z.object({ positions: count, names: count }),
  /** The name of its subject: vehicle, device or job. */
  about: z.string(),
  parts: z.array(bundlePart)
})
export type PreparedBundle = z.infer<typeof preparedBundle>

export const bundlesCalls = defineCalls({
  /** Collects the data and creates the file; `bundles.progress` reports the progress. */
  'bundles.prepare': {
    input: z.strictObject({ view, about: bundleAbout, holds: bundleHolds }),
    output: preparedBundle
  },
  /** A piece of a part of the file; `next` is null at its end. */
  'bundles.look': {
    input: z.strictObject({ view, part: z.string().min(1).max(100), from: count }),
    output: z.object({ text: z.string(), next: count.nullable() })
  },
  'bundles.part': { input: z.strictObject({ view, from: count }), output: filePiece },
  'bundles.end': { input: z.strictObject({ view }), output: nothing }
})

export const bundleWait = z.enum(['evidence', 'computer', 'device', 'vehicle', 'events', 'accessories', 'writing'])
export type BundleWait = z.infer<typeof bundleWait>

export const bundleProgress = z.object({
  view: z.string(),
  done: count,
  total: count,
  waitsFor: bundleWait,
  /** The question to the gateway or the device that has no answer yet, and how many there are. */
  call: z.object({ n: count, of: count }).nullable()
})
