import type { CallOutput, CallParsed } from '../../../../preload/contract/index.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { largestFileBytes } from '../../photos/photoLimits.ts'
import { pieceBytes } from '../../../data/store/jobs/attachmentFiles.ts'
import type { Jobs } from '../jobs.ts'
import type { AttachmentPort } from '../engine/ports.ts'

interface Upload {
  bytes: Uint8Array
  received: number
}

/** A person adds one picture after the other; earlier uploads that did not finish are discarded. */
const mostAtOnce = 3

/** Receives and sends pictures piece by piece. */
export function createPhotoPieces({
  jobs,
  attachments
}: {
  jobs: Pick<Jobs, 'attach' | 'show'>
  attachments: AttachmentPort
}) {
  const uploads = new Map<string, Upload>()

  function begin(id: string, totalBytes: number): Upload {
    for (const other of uploads.keys()) if (uploads.size >= mostAtOnce) uploads.delete(other)
    const upload = { bytes: new Uint8Array(totalBytes), received: 0 }
    uploads.set(id, upload)
    return upload
  }

  return {
    async add({
      jobId,
      stepId,
      purpose,
      source,
      upload: id,
      totalBytes,
      from,
      base64
    }: CallParsed<'attachments.add'>): Promise<CallOutput<'attachments.add'>> {
      if (totalBytes > largestFileBytes)
        return { outcome: 'refused', reason: message('photos.tooLarge', { largestMb: largestFileBytes / 1_000_000 }) }
      const upload = from === 0 ? begin(id, totalBytes) : uploads.get(id)
      const piece = Buffer.from(base64, 'base64')
      if (
        !upload ||
        upload.received !== from ||
        upload.bytes.length !== totalBytes ||
        from + piece.length > totalBytes
      ) {
        uploads.delete(id)
        return { outcome: 'refused', reason: message('photos.incomplete') }
      }
      upload.bytes.set(piece, from)
      upload.received += piece.length
      if (upload.received < totalBytes) return { outcome: 'more' }
      uploads.delete(id)
      const outcome = await jobs.attach(jobId, stepId, { bytes: upload.bytes, purpose, source })
      return outcome.outcome === 'kept' ? { outcome: 'kept', attachment: outcome.attachment } : outcome
    },
    read({ jobId, sha256, piece }: CallParsed<'attachments.read'>): CallOutput<'attachments.read'> {
      const isHeld = jobs.show(jobId).attachments?.some((one) => one.sha256 === sha256 || one.reportSha256 === sha256)
      const facts = attachments.facts(sha256)
      const bytes = isHeld && facts ? attachments.piece(sha256, piece) : undefined
      if (!facts || !bytes) throw new AppError('NOT_FOUND', message('photos.notOfJob'))
      return {
        mediaType: facts.mediaType,
        sizeBytes: facts.sizeBytes,
        base64: Buffer.from(bytes).toString('base64'),
        isLast: piece >= Math.ceil(facts.sizeBytes / pieceBytes) - 1
      }
    }
  }
}
