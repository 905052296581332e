import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import {
  fileOf,
  findAttachment,
  openAttachment,
  pieceBytes,
  piecesOf,
  writeAttachment,
  type WrittenFile
} from './attachmentFiles.ts'
import type { DataFile } from '../file/database.ts'
import { onData } from '../file/errors.ts'
import { attachmentsFolderName } from '../file/fileNames.ts'
import { sha256Hex } from './seal.ts'

/** What is known about stored bytes without reading them. */
export interface AttachmentFacts {
  sha256: string
  mediaType: string
  sizeBytes: number
  keptAt: string
}

export type AttachmentStore = ReturnType<typeof createAttachmentStore>

const columns = 'sha256, media_type as mediaType, size_bytes as sizeBytes, kept_at as keptAt'

/** Pictures of jobs: the bytes are files named by their hash, the rows list them by job. */
export function createAttachmentStore(data: DataFile) {
  const folder = path.join(path.dirname(data.file), attachmentsFolderName)
  const factsQuery = data.prepare<[string], AttachmentFacts>(`select ${columns} from attachment where sha256 = ?`)
  const insert = data.prepare('insert into attachment (sha256, media_type, size_bytes, kept_at) values (?, ?, ?, ?)')
  const hold = data.prepare('insert into job_attachment (job_id, sha256) values (?, ?) on conflict do nothing')
  const ofJob = data.prepare<[string], AttachmentFacts>(
    `select ${columns} from job_attachment join attachment using (sha256) where job_id = ? order by kept_at, sha256`
  )

  /** All bytes. Throws AppError NOT_FOUND, and DATA_UNUSABLE when the bytes have changed. */
  function read(sha256: string): Uint8Array {
    if (!factsQuery.get(sha256))
      throw new AppError('NOT_FOUND', message('store.noAttachment', { hash: sha256.slice(0, 16) }))
    const bytes = onData(() => Buffer.concat([...piecesOf(folder, sha256)]))
    if (sha256Hex(bytes) !== sha256) throw changed(sha256)
    return bytes
  }

  return {
    /** Writes bytes to the disk under their hash, before anything names them, without blocking a thread. */
    write: (bytes: Uint8Array): Promise<WrittenFile> => data.withRoom(() => writeAttachment(folder, bytes)),
    /**
     * Adds the result of `write` to a job once, and returns the hash; within `store.together` with the rest or not at
     * all.
     */
    keep({
      jobId,
      file: { sha256, sizeBytes },
      mediaType,
      at
    }: {
      jobId: string
      file: WrittenFile
      mediaType: string
      at: string
    }): string {
      data.write(() => {
        // A row never names a missing file, even if someone emptied the folder in the meantime.
        const name = fileOf(folder, sha256)
        const present = name === undefined ? undefined : fs.lstatSync(name, { throwIfNoEntry: false })
        if (!present?.isFile() || present.size !== sizeBytes) throw changed(sha256)
        if (!factsQuery.get(sha256)) insert.run(sha256, mediaType, sizeBytes, at)
        hold.run(jobId, sha256)
      })
      return sha256
    },
    has: (sha256: string): boolean => factsQuery.get(sha256) !== undefined,
    /** The result of `write`, even before anything names it; undefined when the file is not complete. */
    find: (file: WrittenFile): Promise<WrittenFile | undefined> => findAttachment(folder, file),
    /** The bytes of `write`, piece by piece, even before anything names them. */
    pieces: (sha256: string): Iterable<Uint8Array> => piecesOf(folder, sha256),
    facts: (sha256: string): AttachmentFacts | undefined => factsQuery.get(sha256),
    read,
    /**
     * One piece, counted from 0; undefined beyond the end. With the first one, all bytes are checked against the hash.
     */
    piece(sha256: string, number: number): Uint8Array | undefined {
      if (number === 0) return read(sha256).subarray(0, pieceBytes)
      return onData(() => readPiece(folder, sha256, number))
    },
    /** The pictures of a job, in the order of their addition. */
    ofJob: (jobId: string): AttachmentFacts[] => ofJob.all(jobId)
  }
}

function readPiece(folder: string, sha256: string, number: number): Uint8Array | undefined {
  const handle = openAttachment(folder, sha256)
  if (handle === undefined) return undefined
  try {
    const bytes = Buffer.alloc(pieceBytes)
    const length = fs.readSync(handle, bytes, 0, pieceBytes, number * pieceBytes)
    return length === 0 ? undefined : bytes.subarray(0, length)
  } finally {
    fs.closeSync(handle)
  }
}

function changed(sha256: string): AppError {
  return new AppError('DATA_UNUSABLE', message('store.attachmentChanged', { hash: sha256.slice(0, 16) }))
}
