import { z } from 'zod'
import { isoTime, json } from '../../../../preload/contract/define.ts'
import { handedOverOperation } from '../../../gateway/waitingWork/handover/handedOver.ts'
import { largestPhotoBytes } from '../../photos/photoLimits.ts'

/**
 * A handover file: one JSON value per line, so that neither side needs more than one line in memory. First the header;
 * then each job with the entries of its log; the gateway work; the snapshots that the logs name; each picture in
 * pieces; at last the end with the SHA-256 of all lines before it. The end is written only after the work has left its
 * sender.
 */
export const fileVersion = 1

/** Larger handovers need several files; a larger file was not written by Fitter. */
export const limits = {
  jobs: 100,
  operations: 5_000,
  attachments: 40_000,
  entriesOfJob: 100_000,
  logBytes: 96_000_000,
  operationBytes: 64_000_000,
  snapshotsOfJob: 40,
  snapshotBytes: 48_000_000,
  lineBytes: 24_000_000,
  fileBytes: 8_000_000_000,
  nesting: 64,
  attachmentBytes: largestPhotoBytes * 2
} as const

const id = z.string().regex(/^[0-9A-Za-z-]{1,40}$/)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const count = (most: number) => z.number().int().min(0).max(most)
const name = z.string().max(200)

/** A file is created again byte by byte: the order of the fields is part of its form. */
export const fileHead = z.strictObject({
  fitter: z.literal('handover'),
  version: z.literal(fileVersion),
  id,
  at: isoTime,
  /** The gateway's clock at that time, if it was known (epoch ms). */
  gatewayMs: z.number().nullable(),
  from: name,
  /** Empty: anyone may take the work over. */
  to: name,
  isTraining: z.boolean(),
  jobs: count(limits.jobs).min(1),
  operations: count(limits.operations),
  attachments: count(limits.attachments),
  snapshots: count(limits.jobs * limits.snapshotsOfJob)
})
export type FileHead = z.infer<typeof fileHead>

export const fileLine = z.union([
  z.strictObject({ job: z.strictObject({ id, entries: count(limits.entriesOfJob).min(1), head: hash }) }),
  z.strictObject({
    entry: z.strictObject({
      seq: z.number().int().min(1),
      at: z.string().max(40),
      type: z.string().min(1).max(60),
      stepId: z.string().max(200).nullable(),
      data: json,
      hash
    })
  }),
  z.strictObject({ operation: handedOverOperation }),
  z.strictObject({ snapshot: z.strictObject({ job: id, text: z.string().min(1).max(1_000_000) }) }),
  z.strictObject({
    attachment: z.strictObject({
      sha256: hash,
      mediaType: z.enum(['image/jpeg', 'image/png']),
      sizeBytes: count(limits.attachmentBytes),
      keptAt: z.string().max(40),
      jobs: z.array(id).min(1).max(limits.jobs)
    })
  }),
  z.strictObject({ piece: z.string().max(1_000_000) }),
  z.strictObject({ end: z.strictObject({ lines: z.number().int(), sha256: hash }) })
])
export type FileLine = z.infer<typeof fileLine>
export type FileAttachment = Extract<FileLine, { attachment: unknown }>['attachment']

export function endLine({ lines, sha256 }: { lines: number; sha256: string }): string {
  return `${JSON.stringify({ end: { lines, sha256 } })}\n`
}
