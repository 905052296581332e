import { z } from 'zod'
import { handedOverOperation } from '../../../gateway/waitingWork/handover/handedOver.ts'
import type { JournalEntry } from '../../../data/store/jobs/seal.ts'
import { fileHead } from './fileForm.ts'

/**
 * The source of a file, without the logs and the pictures. It is stored, so that the same file can be created again.
 */
export const keptContent = z.object({
  head: fileHead,
  /** The last entry of each job in the file: the entry about the handover. */
  jobs: z.array(z.object({ id: z.string(), seq: z.number(), hash: z.string() })),
  operations: z.array(handedOverOperation),
  attachments: z.array(
    z.object({
      sha256: z.string(),
      mediaType: z.enum(['image/jpeg', 'image/png']),
      sizeBytes: z.number(),
      keptAt: z.string(),
      jobs: z.array(z.string())
    })
  ),
  snapshots: z.array(z.object({ job: z.string(), sha256: z.string(), sizeBytes: z.number() }))
})

export type Content = z.infer<typeof keptContent>

export interface ContentSource {
  entriesUpTo(jobId: string, seq: number): JournalEntry[]
  /** A picture in pieces; nothing if the picture is missing. */
  pieces(sha256: string): Iterable<Uint8Array>
  /** The file of a snapshot of this job; null if it is missing or was changed. */
  snapshot(jobId: string, sha256: string): string | null
}

/** All lines of a file except its end. The same content gives the same lines. */
export function* linesOf(
  { head, jobs, operations, attachments, snapshots }: Content,
  source: ContentSource
): Generator<string> {
  yield line(head)
  for (const { id, seq, hash } of jobs) {
    const entries = source.entriesUpTo(id, seq)
    yield line({ job: { id, entries: entries.length, head: hash } })
    for (const entry of entries) yield line({ entry })
  }
  for (const operation of operations) yield line({ operation })
  for (const { job, sha256 } of snapshots) {
    const text = source.snapshot(job, sha256)
    if (text !== null) yield line({ snapshot: { job, text } })
  }
  for (const attachment of attachments) {
    yield line({ attachment })
    for (const piece of source.pieces(attachment.sha256)) yield line({ piece: Buffer.from(piece).toString('base64') })
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}
