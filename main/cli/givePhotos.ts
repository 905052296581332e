import fs from 'node:fs'
import type { Attachment } from '../../preload/contract/attachments.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import type { Jobs } from '../jobs/jobs.ts'

/** Gives a step the pictures at these paths; tells why one was not taken, and then leaves the rest out. */
export async function givePhotos(jobs: Pick<Jobs, 'attach'>, { jobId, stepId, purpose }: { jobId: string; stepId: string; purpose: Attachment['purpose'] }, paths: readonly string[]): Promise<Message | undefined> {
  for (const file of paths) {
    const bytes = readPhoto(file)
    if (!bytes) return message('terminal.photoNotRead', { file })
    const given = await jobs.attach(jobId, stepId, { bytes, purpose, source: 'file' })
    if (given.outcome === 'refused') return message('terminal.photoRefused', { file, why: given.reason })
  }
  return undefined
}

function readPhoto(file: string): Uint8Array | undefined {
  const facts = fs.statSync(file, { throwIfNoEntry: false })
  if (!facts?.isFile()) return undefined
  try {
    return fs.readFileSync(file)
  } catch (error) {
    // Not permitted, or gone meanwhile: the person is told by name.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
