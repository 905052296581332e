import type { ClientBase } from 'pg'
import { AppError } from '../../preload/contract/errors.ts'
import type { AttachmentFacts, AttachmentStore } from '../store/attachments.ts'

const pieceBytes = 262_144

/** Gives those of these pictures that the team log does not have; how many. They go before the entries that name them. */
export async function pushPictures(client: ClientBase, attachments: AttachmentStore, pictures: readonly AttachmentFacts[], signal: AbortSignal): Promise<number> {
  const own = new Map(pictures.map((facts) => [facts.sha256, facts]))
  if (own.size === 0) return 0
  const { rows } = await client.query<{ missing: string }>('select fitter.missing($1) as missing', [[...own.keys()]])
  let pushed = 0
  for (const { missing: sha256 } of rows) {
    const { mediaType, sizeBytes } = own.get(sha256) ?? {}
    if (mediaType === undefined || sizeBytes === undefined || !isAsKept(attachments, sha256)) continue
    for (let number = 0; number * pieceBytes < sizeBytes; number++) {
      signal.throwIfAborted()
      const piece = attachments.piece(sha256, number)
      if (!piece) break
      await client.query('select fitter.keep_piece($1, $2, $3, $4, $5)', [sha256, mediaType, sizeBytes, number, piece])
    }
    const { rows: closed } = await client.query<{ is_whole: boolean }>('select fitter.close_content($1) as is_whole', [sha256])
    if (closed[0]?.is_whole) pushed += 1
  }
  return pushed
}

/** One that is gone or was changed on this disk keeps nothing else from the team log; the check of the data tells it. */
function isAsKept(attachments: AttachmentStore, sha256: string): boolean {
  try {
    attachments.piece(sha256, 0)
    return true
  } catch (error) {
    if (error instanceof AppError && (error.code === 'DATA_UNUSABLE' || error.code === 'NOT_FOUND')) return false
    throw error
  }
}
