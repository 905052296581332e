import type { Attachment } from '../../../../preload/contract/job/attachments.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import type { Brightness } from '../../photos/points.ts'

export interface AddedPhoto {
  bytes: Uint8Array
  purpose: Attachment['purpose']
  source: Attachment['source']
  /** By the camera's clock, where it is known from elsewhere than the file. */
  takenAt?: string | null
  latitude?: number | null
  longitude?: number | null
  placeSource?: 'gateway'
}

export type AttachOutcome =
  { outcome: 'kept'; attachment: Attachment; brightness: Brightness } | { outcome: 'refused'; reason: Message }
