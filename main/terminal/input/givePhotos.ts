import fs from 'node:fs'
import type { Attachment } from '../../../preload/contract/job/attachments.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { Jobs } from '../../job/jobs/jobs.ts'
import { readBounded } from './readBounded.ts'

/** Larger files are refused; the job itself has a stricter limit. */
const mostPhotoBytes = 100_000_000

/** Attaches the pictures at these paths to a step; stops at the first refused one and reports why. */
export async function givePhotos(
  jobs: Pick<Jobs, 'attach'>,
  { jobId, stepId, purpose }: { jobId: string; stepId: string; purpose: Attachment['purpose'] },
  paths: readonly string[]
): Promise<Message | undefined> {
  for (const file of paths) {
    if (!isFile(file)) return message('terminal.photoNotRead', { file })
    let bytes: Uint8Array
    try {
      bytes = readBounded(file, mostPhotoBytes)
    } catch (error) {
      if (error instanceof AppError) return error.sentence
      throw error
    }
    const given = await jobs.attach(jobId, stepId, { bytes, purpose, source: 'file' })
    if (given.outcome === 'refused') return message('terminal.photoRefused', { file, why: given.reason })
  }
  return undefined
}

function isFile(name: string): boolean {
  try {
    return fs.statSync(name).isFile()
  } catch (error) {
    // Missing, or a name that no file can have.
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
