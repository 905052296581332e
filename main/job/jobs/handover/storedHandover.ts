import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { sha256Hex } from '../../../data/store/jobs/seal.ts'
import { plainJson } from '../record/journal.ts'
import { keptContent, type Content, type ContentSource } from './content.ts'
import type { TransferOptions } from './transferParts.ts'

/** The stored content of a handover, so that its file can be created again or the work taken back. */
export interface StoredHandover {
  content: Content
  sha256: string
  sizeBytes: number
}

/** @throws AppError DATA_UNUSABLE if no handover has this id, or if it cannot be read. */
export function keptHandover({ handovers }: Pick<TransferOptions, 'handovers'>, id: string): StoredHandover {
  const kept = handovers.away(id)
  const read = keptContent.safeParse(kept?.given)
  if (!kept || !read.success) throw new AppError('DATA_UNUSABLE', message('store.damaged'))
  return { content: read.data, sha256: kept.sha256, sizeBytes: kept.sizeBytes }
}

/**
 * The content of a handover without logs and pictures, as the text that was hashed: with its fields in the fixed order.
 */
export function textOf(content: Content): string {
  return JSON.stringify(keptContent.parse(plainJson(content)))
}

/** The same for a stored handover. @throws AppError DATA_UNUSABLE if it differs from the text that was hashed. */
export function keptText(
  options: Pick<TransferOptions, 'handovers'>,
  id: string
): { content: Content; text: string; sha256: string } {
  const { content, sha256 } = keptHandover(options, id)
  const text = textOf(content)
  if (sha256Hex(text) !== sha256) throw new AppError('DATA_UNUSABLE', message('transfer.notTheSame'))
  return { content, text, sha256 }
}

export function contentHere({
  log,
  attachments,
  snapshots
}: Pick<TransferOptions, 'log' | 'attachments' | 'snapshots'>): ContentSource {
  return {
    entriesUpTo: (jobId, seq) => log.journal(jobId).filter((entry) => entry.seq <= seq),
    *pieces(sha256) {
      for (let number = 0; ; number += 1) {
        const piece = attachments.piece(sha256, number)
        if (!piece) return
        yield piece
      }
    },
    snapshot: (jobId, sha256) => snapshots.ofJob(jobId, sha256)
  }
}
