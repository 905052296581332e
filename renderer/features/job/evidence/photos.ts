import type { InjectionKey } from 'vue'
import type { Attachment } from '../../../../preload/contract/jobs/attachments.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import { call } from '../../../bridge.ts'
import { fromBase64, pieceBytes, toBase64 } from '../../../shell/filePieces.ts'

export interface PhotoWish {
  jobId: string
  stepId: string | null
  purpose: Attachment['purpose']
  source: 'file' | 'webcam'
}

export type PhotoUpload = { outcome: 'kept'; attachment: Attachment } | { outcome: 'refused'; reason: Message }

/** Adds a picture to a job, piece by piece. */
export async function uploadPhoto(picture: Blob, wish: PhotoWish): Promise<PhotoUpload> {
  const bytes = new Uint8Array(await picture.arrayBuffer())
  // An empty file is sent as one zero byte, so that the core refuses it with the same message.
  const whole = bytes.length > 0 ? bytes : new Uint8Array(1)
  const upload = crypto.randomUUID()
  for (let from = 0; ; from += pieceBytes) {
    const piece = whole.subarray(from, from + pieceBytes)
    const answer = await call('attachments.add', { ...wish, upload, totalBytes: whole.length, from, base64: toBase64(piece) })
    if (answer.outcome !== 'more') return answer
  }
}

/** The bytes of a job's picture as an object URL; the caller revokes it. */
export async function readPhoto(jobId: string, sha256: string): Promise<string> {
  const pieces: string[] = []
  for (let piece = 0; ; piece += 1) {
    const { base64, mediaType, isLast } = await call('attachments.read', { jobId, sha256, piece })
    pieces.push(base64)
    if (isLast) return pictureAddress(pieces, mediaType)
  }
}

/** The source of pictures for the jobs below; this computer by default. */
export const photoReader: InjectionKey<typeof readPhoto> = Symbol('photoReader')

/** What an image can show of these bytes. */
export function pictureAddress(pieces: readonly string[], mediaType: string): string {
  return URL.createObjectURL(new Blob(pieces.map(fromBase64), { type: mediaType }))
}
