import fs from 'node:fs'
import type { Attachment } from '../../preload/contract/attachments.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { largestPhotoBytes } from '../photos/limits.ts'

/** Gives a step the pictures at these paths; tells why one was not taken, and then leaves the rest out. */
export async function givePhotos(jobs: Pick<Jobs, 'attach'>, { jobId, stepId, purpose }: { jobId: string; stepId: string; purpose: Attachment['purpose'] }, paths: readonly string[]): Promise<Message | undefined> {
  for (const file of paths) {
    const bytes = readPhoto(file)
    if (!bytes) return message('terminal.photoNotRead', { file })
    if (bytes === 'tooLarge') return message('terminal.photoRefused', { file, why: message('photos.tooLarge', { largestMb: largestPhotoBytes / 1_000_000 }) })
    const given = await jobs.attach(jobId, stepId, { bytes, purpose, source: 'file' })
    if (given.outcome === 'refused') return message('terminal.photoRefused', { file, why: given.reason })
  }
  return undefined
}

function readPhoto(file: string): Uint8Array | 'tooLarge' | undefined {
  try {
    const facts = fs.statSync(file)
    if (!facts.isFile()) return undefined
    // Nobody reads gigabytes to hear that they are too many.
    return facts.size > largestPhotoBytes ? 'tooLarge' : fs.readFileSync(file)
  } catch (error) {
    // Not there, not permitted, or a name that no file can have: the person is told by name.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
