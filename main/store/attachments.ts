import { createHash } from 'node:crypto'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import type { DataFile } from './database.ts'
import { sha256Hex } from './seal.ts'

/** Bytes are kept in pieces of this size, the last one shorter. */
export const pieceBytes = 256 * 1024

/** What is known of kept bytes without reading them. */
export interface AttachmentFacts {
  sha256: string
  mediaType: string
  sizeBytes: number
  keptAt: string
}

export interface AttachmentStore {
  /**
   * Keeps bytes under their SHA-256 for a job, once however often they come, and returns the hash. The job must be there.
   * Within `store.together` it is kept with the rest or not at all.
   */
  keep(attachment: { jobId: string; bytes: Uint8Array; mediaType: string; at: string }): string
  has(sha256: string): boolean
  facts(sha256: string): AttachmentFacts | undefined
  /** The whole. Throws AppError NOT_FOUND, and DATA_UNUSABLE when the bytes are not the ones that were kept. */
  read(sha256: string): Uint8Array
  /** One piece, counted from 0; undefined beyond the end. It is not held against the hash: only the whole can be. */
  piece(sha256: string, number: number): Uint8Array | undefined
  /** What a job holds, in the order in which it was kept. */
  ofJob(jobId: string): AttachmentFacts[]
}

interface Row {
  sha256: string
  media_type: string
  size_bytes: number
  kept_at: string
}

function factsOf({ sha256, media_type, size_bytes, kept_at }: Row): AttachmentFacts {
  return { sha256, mediaType: media_type, sizeBytes: size_bytes, keptAt: kept_at }
}

export function createAttachmentStore(data: DataFile): AttachmentStore {
  const factsQuery = data.prepare<[string], Row>('select * from attachment where sha256 = ?')
  const insert = data.prepare('insert into attachment (sha256, media_type, size_bytes, kept_at) values (?, ?, ?, ?)')
  const insertPiece = data.prepare('insert into attachment_piece (sha256, number, bytes) values (?, ?, ?)')
  const hold = data.prepare('insert into job_attachment (job_id, sha256) values (?, ?) on conflict do nothing')
  const pieceQuery = data.prepare<[string, number], { bytes: Buffer }>('select bytes from attachment_piece where sha256 = ? and number = ?')
  const ofJob = data.prepare<[string], Row>(
    'select attachment.* from job_attachment join attachment using (sha256) where job_id = ? order by kept_at, sha256'
  )

  return {
    keep({ jobId, bytes, mediaType, at }) {
      const sha256 = sha256Hex(bytes)
      data.write(() => {
        if (!factsQuery.get(sha256)) {
          insert.run(sha256, mediaType, bytes.length, at)
          for (let number = 0; number * pieceBytes < bytes.length; number += 1) {
            insertPiece.run(sha256, number, bytes.subarray(number * pieceBytes, (number + 1) * pieceBytes))
          }
        }
        hold.run(jobId, sha256)
      })
      return sha256
    },
    has: (sha256) => factsQuery.get(sha256) !== undefined,
    facts(sha256) {
      const row = factsQuery.get(sha256)
      return row && factsOf(row)
    },
    read(sha256) {
      const row = factsQuery.get(sha256)
      if (!row) throw new AppError('NOT_FOUND', message('store.noAttachment', { hash: sha256.slice(0, 16) }))
      const pieces: Buffer[] = []
      const hash = createHash('sha256')
      for (let number = 0; ; number += 1) {
        const piece = pieceQuery.get(sha256, number)?.bytes
        if (!piece) break
        hash.update(piece)
        pieces.push(piece)
      }
      if (hash.digest('hex') !== sha256) throw new AppError('DATA_UNUSABLE', message('store.attachmentChanged', { hash: sha256.slice(0, 16) }))
      return Buffer.concat(pieces)
    },
    piece: (sha256, number) => pieceQuery.get(sha256, number)?.bytes,
    ofJob: (jobId) => ofJob.all(jobId).map(factsOf)
  }
}
