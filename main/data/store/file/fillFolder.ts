import fs from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { JobSummary } from '../../../../preload/contract/job/jobs.ts'
import { onData } from './errors.ts'
import { databaseFileName, lockFileName } from './fileNames.ts'
import { holdFolder } from './folderLock.ts'
import { migrateFile } from './migrate.ts'
import { keepForOwner } from './ownerOnly.ts'
import { putInPlace } from './syncToDisk.ts'
import { entryValues, insertEntryRow } from '../jobs/journalRow.ts'
import { builtName, countJob, preparedOnce, putNumbers } from '../jobs/jobNumbers.ts'
import { insertJobRow, rowOf } from '../jobs/jobRow.ts'
import { sealOf, type JournalEntry } from '../jobs/seal.ts'

/** A job with its whole log, each entry chained to the one before. */
export interface WholeJob {
  entries: readonly JournalEntry[]
  summary: JobSummary
}

const atOnce = 200

export interface FillOptions {
  signal?: AbortSignal
  progress?(done: number): void
}

/**
 * Writes whole jobs into a new data file, in an empty folder: nobody reads the file before it is complete, so this is much
 * faster than adding entries as they happen. INVALID_REQUEST when the folder is not empty, CANCELLED when it was stopped.
 */
export async function fillFolder(
  folder: string,
  jobs: Iterable<WholeJob>,
  { signal, progress = () => undefined }: FillOptions = {}
): Promise<void> {
  const file = path.join(folder, databaseFileName)
  const partial = `${file}.part`
  const release = onData(() => {
    keepForOwner(folder)
    const held = holdFolder(folder)
    // The lock, and what a kill left of an earlier filling.
    const isOwn = (name: string): boolean => name.startsWith(lockFileName) || name === path.basename(partial)
    if (fs.readdirSync(folder).every(isOwn)) return held
    held()
    throw new AppError('INVALID_REQUEST', message('store.folderNotEmpty', { folder }))
  })
  try {
    onData(() => {
      fs.rmSync(partial, { force: true })
      fs.closeSync(fs.openSync(partial, 'wx', 0o600))
    })
    const filling = openFilling(partial)
    try {
      let batch: WholeJob[] = []
      for (const job of jobs) {
        batch.push(job)
        if (batch.length < atOnce) continue
        progress(filling.add(batch))
        batch = []
        // Otherwise nobody could stop it.
        await setImmediate()
        if (signal?.aborted) throw new AppError('CANCELLED', message('backups.stopped'))
      }
      progress(filling.add(batch))
      filling.end()
    } finally {
      filling.close()
    }
    onData(() => putInPlace(partial, file))
  } finally {
    fs.rmSync(partial, { force: true })
    release()
  }
}

function openFilling(file: string) {
  const sql = new Database(file)
  // A failure discards the file.
  sql.pragma('journal_mode = off')
  sql.pragma('synchronous = off')
  sql.pragma('cache_size = -200000')
  migrateFile(sql, null, () => undefined)
  // Every row is written together with the one that it refers to.
  sql.pragma('foreign_keys = off')
  // It looks for each entry before it is added, and here every entry is new.
  const { text = '' } =
    sql
      .prepare<[], { text: string }>("select sql as text from sqlite_schema where name = 'journal_is_never_replaced'")
      .get() ?? {}
  sql.exec('drop trigger journal_is_never_replaced')
  const prepare = preparedOnce((text) => sql.prepare(text))
  prepare('insert into setting (name, value) values (?, ?)').run(builtName, 'true')
  const put = sql.transaction((jobs: readonly WholeJob[]) => {
    for (const { entries, summary } of jobs) {
      const { id } = summary
      prepare(insertJobRow).run({ ...rowOf(summary), lastHash: sealOf(id, entries) })
      for (const entry of entries) prepare(insertEntryRow).run(...entryValues(id, entry))
      putNumbers(prepare, id, countJob(entries))
    }
  })
  let done = 0
  return {
    add(jobs: readonly WholeJob[]): number {
      onData(() => put(jobs))
      done += jobs.length
      return done
    },
    /** Once every job is there. */
    end: () => void onData(() => sql.exec(text)),
    close: () => void sql.close()
  }
}
