import type { InjectionKey } from 'vue'
import type { Attachment } from '../../../../preload/contract/job/attachments.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import { call } from '../../../base/bridge.ts'
import { fromBase64, sendPieces } from '../../../base/shell/filePieces.ts'

export interface PhotoWish {
  jobId: string
  stepId: string | null
  purpose: Attachment['purpose']
  source: 'file' | 'webcam'
}

export type PhotoUpload = { outcome: 'kept'; attachment: Attachment } | { outcome: 'refused'; reason: Message }

/** Adds a picture to a job, piece by piece. */
export async function uploadPhoto(picture: Blob, wish: PhotoWish): Promise<PhotoUpload> {
  const upload = crypto.randomUUID()
  const answer = await sendPieces(picture, (piece) => call('attachments.add', { ...wish, upload, ...piece }))
  if (answer.outcome === 'more') throw new Error('The core expects more than the picture has.')
  return answer
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
