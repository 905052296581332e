import fs from 'node:fs'
import Database from 'better-sqlite3'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import type { JobFacets } from '../../preload/contract/jobLog.ts'
import type { NumbersFilter, WorkNumbers } from '../../preload/contract/numbers.ts'
import { checkData, type CheckRequest, type DataCheck } from './check.ts'
import { onData, translateDataError } from './errors.ts'
import { countFacets } from './jobFacets.ts'
import type { JobFilter } from './jobFilter.ts'
import { buildNumbers, readNumbers } from './readNumbers.ts'
import { migrate } from './migrate.ts'
import { syncToDisk } from './syncToDisk.ts'

/** What is done in a thread of its own, on the data file or a copy of it. */
export type DataWork =
  | ({ task: 'check'; file: string } & CheckRequest)
  /** Counts what a filter of the log holds. */
  | { task: 'facets'; file: string; filter: JobFilter }
  /** Adds up what the work took. */
  | { task: 'numbers'; file: string; filter: NumbersFilter }
  /** Counts the jobs that ended before that was kept. */
  | { task: 'buildNumbers'; file: string }
  /** Writes a whole copy of `file` into `target`, which is there and empty. */
  | { task: 'copy'; file: string; target: string }
  /** Brings a copy up to this version and checks everything in it. */
  | { task: 'prepare'; file: string }

export interface DataWorkResults {
  check: DataCheck
  facets: JobFacets
  numbers: Omit<WorkNumbers, 'building'>
  buildNumbers: number
  copy: null
  prepare: DataCheck
}

export type Tell = (done: number, total: number) => void

export async function runDataWork(work: DataWork, tell: Tell): Promise<DataWorkResults[DataWork['task']]> {
  switch (work.task) {
    case 'check':
      return withFile(work.file, { readonly: true }, (sql) => {
        // One view of the file from beginning to end: the other thread goes on writing.
        sql.exec('begin')
        return checkData(sql, work, tell)
      })
    case 'facets':
      return withFile(work.file, { readonly: true }, (sql) => countFacets(sql, work.filter))
    case 'numbers':
      return withFile(work.file, { readonly: true }, (sql) => readNumbers(sql, work.filter))
    case 'buildNumbers':
      return withFile(work.file, {}, (sql) => buildNumbers(sql, tell))
    case 'copy':
      await copy(work.file, work.target, tell)
      return null
    case 'prepare':
      return withFile(work.file, {}, (sql) => {
        // One that is no database of Fitter at all ends here, before anything in it is believed.
        const isOurs = sql.prepare("select 1 from sqlite_master where name = 'journal'").get() !== undefined
        if (!isOurs) throw new AppError('INVALID_REQUEST', message('store.backupNotIntact'))
        migrate(sql, null, tell)
        const result = checkData(sql, {}, tell)
        sql.pragma('journal_mode = delete')
        return result
      })
  }
}

function withFile<T>(file: string, options: Database.Options, work: (sql: Database.Database) => T): T {
  return onData(() => {
    const sql = new Database(file, { timeout: 5_000, ...options })
    try {
      return work(sql)
    } finally {
      sql.close()
    }
  })
}

const pagesAtOnce = 2_000

async function copy(file: string, target: string, tell: Tell): Promise<void> {
  const sql = new Database(file, { timeout: 5_000, readonly: true })
  try {
    // One view of the file from beginning to end, while the other thread goes on writing.
    sql.exec('begin')
    sql.prepare('select 1 from setting').get()
    await sql.backup(target, {
      progress({ totalPages, remainingPages }) {
        tell(totalPages - remainingPages, totalPages)
        return pagesAtOnce
      }
    })
  } catch (error) {
    throw translateDataError(error)
  } finally {
    sql.close()
  }
  // A backup is read from anywhere, also from a medium that takes no second file beside it.
  withFile(target, {}, (copied) => copied.pragma('journal_mode = delete'))
  fs.chmodSync(target, 0o600)
  syncToDisk(target)
}
