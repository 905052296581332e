import type { Json } from '../../../../preload/contract/define.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { JournalRow } from '../jobs/journalRow.ts'
import { hashEntry, startHash } from '../jobs/seal.ts'

/** The damage of a job's log: the entry from which its seal is broken, and the number of readable entries. */
export interface JobDamage {
  /** The first entry that does not match those before it; null when only the end is missing. */
  entry: number | null
  readable: number
  message: Message
}

/** Checks the log of a job, entry by entry. Undefined when it is intact. */
export function findDamage(
  jobId: string,
  rows: Iterable<JournalRow>,
  lastHash: string | undefined
): JobDamage | undefined {
  let previous = startHash(jobId)
  let broken: number | undefined
  let readable = 0
  for (const row of rows) {
    const hash = tryHash(previous, row)
    if (hash !== undefined) readable += 1
    if (hash !== row.hash) broken ??= row.seq
    previous = row.hash
  }
  if (broken !== undefined)
    return { entry: broken, readable, message: message('store.logChanged', { job: jobId, entry: broken }) }
  if (lastHash !== undefined && previous !== lastHash)
    return { entry: null, readable, message: message('store.logCut', { job: jobId }) }
  return undefined
}

function tryHash(previous: string, row: JournalRow): string | undefined {
  try {
    return hashEntry(previous, { ...row, data: JSON.parse(row.data) as Json })
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

/** Whether an entry continues the one before. */
export function goesOnFrom(previous: string, row: JournalRow): boolean {
  return tryHash(previous, row) === row.hash
}
