import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import type { JobFacets } from '../../preload/contract/jobLog.ts'
import type { NumbersFilter, WorkNumbers } from '../../preload/contract/numbers.ts'
import { fetchPictures, hasPieces, putPiecesIn, takePiecesOut } from './attachmentPieces.ts'
import { checkData, type CheckRequest, type DataCheck } from './check.ts'
import { onData, translateDataError } from './errors.ts'
import { attachmentsFolderName } from './fileNames.ts'
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
  /** Writes a whole copy of `file`, with the pictures in it, into `target`, which is there and empty. */
  | { task: 'copy'; file: string; target: string }
  /**
   * Copies `from` to `file` in the data folder, brings that up to this version, gets the pictures that it names out of it
   * and out of the folders beside `from`, and checks everything in it.
   */
  | { task: 'prepare'; from: string; file: string }

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
      return prepare(work.from, work.file, tell)
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

function prepare(from: string, file: string, tell: Tell): DataCheck {
  onData(() => {
    fs.copyFileSync(from, file, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE)
    fs.chmodSync(file, 0o600)
  })
  return withFile(file, {}, (sql) => {
    // One that is no database of Fitter at all ends here, before anything in it is believed.
    const isOurs = sql.prepare("select 1 from sqlite_master where name = 'journal'").get() !== undefined
    if (!isOurs) throw new AppError('INVALID_REQUEST', message('store.backupNotIntact'))
    migrate(sql, null, tell)
    sql.transaction(() => {
      if (hasPieces(sql)) takePiecesOut(sql, tell)
    }).immediate()
    const beside = path.dirname(path.resolve(from))
    fetchPictures(sql, [beside, path.dirname(beside)].map((folder) => path.join(folder, attachmentsFolderName)))
    const result = checkData(sql, {}, tell)
    sql.pragma('journal_mode = delete')
    return result
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
  withFile(target, {}, (copied) => {
    // A backup is read from anywhere, also from a medium that takes no second file beside it.
    copied.pragma('journal_mode = delete')
    // All of it is synced at the end.
    copied.pragma('synchronous = off')
    putPiecesIn(copied, path.join(path.dirname(file), attachmentsFolderName), tell)
  })
  fs.chmodSync(target, 0o600)
  syncToDisk(target)
}
