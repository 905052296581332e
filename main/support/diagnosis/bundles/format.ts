import { z } from 'zod'
import { bundleHolds, bundlePartKind, type BundlePartKind } from '../../../../preload/contract/support/bundles.ts'
import { isoTime } from '../../../../preload/contract/define.ts'
import { largestPhotoBytes } from '../../../job/photos/photoLimits.ts'

/**
 * A ZIP archive: a manifest that lists every part with size and SHA-256, a text that explains it, and the parts. Never
 * unpacked to the disk.
 */
export const bundleFormat = 'fitter-support-bundle'
export const bundleVersion = 1

export const manifestName = 'manifest.json'

/** The file name of each kind of part, and how it is read. There can be several pictures and snapshots. */
export const partKinds = {
  about: { name: /^README\.txt$/, form: 'text' },
  versions: { name: /^versions\.json$/, form: 'json' },
  job: { name: /^job\.json$/, form: 'json' },
  journal: { name: /^journal\.jsonl$/, form: 'lines' },
  operations: { name: /^operations\.jsonl$/, form: 'lines' },
  writes: { name: /^device-writes\.jsonl$/, form: 'lines' },
  timeline: { name: /^timeline\.jsonl$/, form: 'lines' },
  snapshot: { name: /^snapshots\/[0-9A-Za-z-]{1,60}\.json$/, form: 'json' },
  evidence: { name: /^evidence\.json$/, form: 'json' },
  limits: { name: /^limits\.json$/, form: 'json' },
  recording: { name: /^recording\.json$/, form: 'json' },
  answers: { name: /^answers\.jsonl$/, form: 'lines' },
  device: { name: /^device\.json$/, form: 'json' },
  vehicle: { name: /^vehicle\.json$/, form: 'json' },
  photo: { name: /^photos\/[0-9a-f]{64}\.(jpg|png)$/, form: 'picture' },
  faults: { name: /^faults\.jsonl$/, form: 'lines' },
  selfTest: { name: /^self-test\.json$/, form: 'json' }
} as const satisfies Record<BundlePartKind, { name: RegExp; form: 'json' | 'lines' | 'text' | 'picture' }>

/** No Fitter writes or reads more than this. */
export const bundleLimits = {
  fileBytes: 600_000_000,
  unpackedBytes: 700_000_000,
  parts: 2_000,
  manifestBytes: 2_000_000,
  jsonBytes: 64_000_000,
  linesBytes: 160_000_000,
  lineBytes: 8_000_000,
  lines: 500_000,
  /** A single string: text parts never contain a picture. */
  stringLength: 4_000_000,
  pictureBytes: largestPhotoBytes * 2
} as const

const count = (most: number) => z.number().int().min(0).max(most)
const text = z.string().max(400)
const hash = z.string().regex(/^[0-9a-f]{64}$/)

export const manifestPart = z.strictObject({
  name: z.string().max(100),
  kind: bundlePartKind,
  bytes: count(bundleLimits.unpackedBytes),
  sha256: hash,
  /** The number of items (entries, readings, lines); null when a number means nothing. */
  items: count(100_000_000).nullable(),
  from: isoTime.max(40).nullable(),
  to: isoTime.max(40).nullable()
})
export type ManifestPart = z.infer<typeof manifestPart>

export const manifest = z.strictObject({
  format: z.literal(bundleFormat),
  version: z.literal(bundleVersion),
  writtenAt: isoTime.max(40),
  fitter: z.string().max(60),
  subject: z.strictObject({
    jobId: z
      .string()
      .regex(/^[0-9A-Za-z-]{1,40}$/)
      .nullable(),
    imei: text.nullable(),
    model: text.nullable(),
    vehicleId: z.number().int().nullable(),
    vehicleName: text.nullable(),
    /** It was made about the device: its job goes along. Absent where it is about the job, or about no device. */
    isAboutDevice: z.literal(true).optional()
  }),
  /** Who wrote it; empty when names were left out. */
  by: text,
  isTraining: z.boolean(),
  /** True: it is included. */
  holds: bundleHolds,
  masked: z.strictObject({ secrets: count(100_000_000), positions: count(100_000_000), names: count(100_000_000) }),
  /** `seq` of log entries with redacted values: their hashes are those of the original. */
  changedEntries: z.array(z.number().int()).max(bundleLimits.lines),
  parts: z.array(manifestPart).max(bundleLimits.parts)
})
export type Manifest = z.infer<typeof manifest>

export const versions = z.strictObject({
  fitter: text,
  frontEnd: text,
  system: text,
  release: text,
  processor: text,
  node: text,
  /** Of the data file. */
  schema: count(100_000),
  language: text,
  timeZone: text
})
export type Versions = z.infer<typeof versions>
