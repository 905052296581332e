import { z } from 'zod'
import type { Json } from '../../../preload/contract/define.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { JournalEntry } from '../../data/store/jobs/seal.ts'

// Its data was parsed from JSON: checking it again would take longer than everything else.
const loggedEntry = z.object({
  seq: z.number().int(),
  at: z.string().max(40),
  type: z.string().min(1).max(60),
  stepId: z.string().max(200).nullable(),
  data: z.custom<Json>((data) => data !== undefined)
})

/** An entry of a log at the server: the hashed text and its hash. @throws AppError DATA_UNUSABLE for another form. */
export function entryOf({ text, hash }: { text: string; hash: string }): JournalEntry {
  const read = readEntry({ text, hash })
  if (!read) throw new AppError('DATA_UNUSABLE', message('jobs.logDamaged'))
  return read
}

/** The same; undefined for another form. */
export function readEntry({ text, hash }: { text: string; hash: string }): JournalEntry | undefined {
  // The server accepts only valid JSON.
  const read = loggedEntry.safeParse(JSON.parse(text))
  return read.success ? { ...read.data, hash } : undefined
}
