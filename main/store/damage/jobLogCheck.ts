import type { Json } from '../../../preload/contract/define.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { JournalRow } from '../jobs/jobs.ts'
import { hashEntry, startHash } from '../jobs/seal.ts'

/** What is wrong with the log of a job: from which entry on its seal is broken, and how much of it can be read. */
export interface JobDamage {
  /** The first entry that does not fit to those before it; null when only the end is missing. */
  entry: number | null
  /** Entries that are there and can be read. */
  readable: number
  message: Message
}

/** Looks the log of a job over, entry by entry. Undefined when all of it is as it was written. */
export function findDamage(jobId: string, rows: Iterable<JournalRow>, lastHash: string | undefined): JobDamage | undefined {
  let previous = startHash(jobId)
  let broken: number | undefined
  let readable = 0
  for (const row of rows) {
    const hash = tryHash(previous, row)
    if (hash !== undefined) readable += 1
    if (hash !== row.hash) broken ??= row.seq
    previous = row.hash
  }
  if (broken !== undefined) return { entry: broken, readable, message: message('store.logChanged', { job: jobId, entry: broken }) }
  if (lastHash !== undefined && previous !== lastHash) return { entry: null, readable, message: message('store.logCut', { job: jobId }) }
  return undefined
}

function tryHash(previous: string, { seq, at, type, step_id, data }: JournalRow): string | undefined {
  try {
    return hashEntry(previous, { seq, at, type, stepId: step_id, data: JSON.parse(data) as Json })
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

/** Whether an entry goes on from the one before it. */
export function goesOnFrom(previous: string, row: JournalRow): boolean {
  return tryHash(previous, row) === row.hash
}
