import type { Json } from '../../../../preload/contract/define.ts'
import { readJson } from '../file/errors.ts'
import type { JournalEntry } from './seal.ts'

/** An entry as it is stored. */
export interface JournalRow extends Omit<JournalEntry, 'data'> {
  data: string
}

/** In the order of an entry's fields: files of handed-over jobs are created again byte by byte. */
export const journalColumns = 'seq, at, type, step_id as stepId, data, hash'

export const insertEntryRow =
  'insert into journal (job_id, seq, at, type, step_id, data, hash) values (?, ?, ?, ?, ?, ?, ?)'

/** The values of that statement. */
export function entryValues(jobId: string, { seq, at, type, stepId, data, hash }: JournalEntry) {
  return [jobId, seq, at, type, stepId, JSON.stringify(data), hash] as const
}

/** Throws DATA_UNUSABLE when the data is not JSON. */
export function entryOf(row: JournalRow): JournalEntry {
  return { ...row, data: readJson<Json>(row.data) }
}
