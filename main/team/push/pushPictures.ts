import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import type { AttachmentFacts, AttachmentStore } from '../../data/store/jobs/attachments.ts'
import { giveContent } from '../server/content.ts'

/**
 * Uploads those of these pictures that the team log lacks; returns the number. They come before the entries that name
 * them.
 */
export async function pushPictures(
  client: ClientBase,
  attachments: AttachmentStore,
  pictures: readonly AttachmentFacts[],
  signal: AbortSignal
): Promise<number> {
  const own = new Map(pictures.map((facts) => [facts.sha256, facts]))
  if (own.size === 0) return 0
  const { rows } = await client.query<{ missing: string }>('select fitter.missing($1) as missing', [[...own.keys()]])
  let pushed = 0
  for (const { missing: sha256 } of rows) {
    const { mediaType, sizeBytes } = own.get(sha256) ?? {}
    if (mediaType === undefined || sizeBytes === undefined || !isAsKept(attachments, sha256)) continue
    if (
      await giveContent(
        client,
        { sha256, mediaType, sizeBytes, pieceAt: (number) => attachments.piece(sha256, number) },
        signal
      )
    )
      pushed += 1
  }
  return pushed
}

/** A missing or changed picture on this disk does not block the rest; the data check reports it. */
function isAsKept(attachments: AttachmentStore, sha256: string): boolean {
  try {
    attachments.piece(sha256, 0)
    return true
  } catch (error) {
    if (error instanceof AppError && (error.code === 'DATA_UNUSABLE' || error.code === 'NOT_FOUND')) return false
    throw error
  }
}
