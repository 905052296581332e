import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../preload/contract/errors.ts'
import { databaseFileName } from './fileNames.ts'
import { onData } from './errors.ts'
import { migrations } from './migrations/index.ts'

export interface DataFile {
  readonly file: string
  readonly sql: Database.Database
  /** Grows by one each time the file is opened for writing; a writer with an older number has lost its lease. */
  readonly fence: number
  /** Runs `work` in one transaction that is on the disk when it returns. */
  write<T>(work: () => T): T
  close(): void
}

/**
 * Opens the one database of a data folder and keeps it for this process alone until `close`.
 * The operating system lets go of the lock when a process dies, however it dies.
 * Throws AppError DATA_LOCKED or DATA_UNUSABLE.
 */
export function openDataFile(folder: string): DataFile {
  return onData(() => {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = path.join(folder, databaseFileName)
    // Made here so that nobody else on this computer may read it, whoever made the folder.
    fs.closeSync(fs.openSync(file, 'a', 0o600))
    const sql = new Database(file, { timeout: 250 })
    try {
      // Exclusive comes first: in that mode SQLite needs no shared-memory file and a second process is refused at once.
      sql.pragma('locking_mode = exclusive')
      sql.pragma('journal_mode = wal')
      sql.pragma('synchronous = full')
      sql.pragma('foreign_keys = on')
      migrate(sql)
      const fence = takeLease(sql)
      return makeDataFile(file, sql, fence)
    } catch (error) {
      sql.close()
      throw error
    }
  })
}

function makeDataFile(file: string, sql: Database.Database, fence: number): DataFile {
  return {
    file,
    sql,
    fence,
    write(work) {
      return onData(() =>
        sql
          .transaction(() => {
            if (readFence(sql) !== fence) {
              throw new AppError('DATA_LOCKED', 'Another Fitter took over this data folder. Close one of the two.')
            }
            return work()
          })
          .immediate()
      )
    },
    close: () => void sql.close()
  }
}

function migrate(sql: Database.Database): void {
  const version = Number(sql.pragma('user_version', { simple: true }))
  if (version > migrations.length) {
    throw new AppError('DATA_UNUSABLE', 'This data folder was written by a newer Fitter. Update Fitter, or choose another folder with --data.')
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < version) continue
    sql.transaction(() => {
      sql.exec(migration)
      sql.pragma(`user_version = ${index + 1}`)
    }).immediate()
  }
}

function readFence(sql: Database.Database): number {
  const row = sql.prepare<[], { value: string }>("select value from setting where name = '$fence'").get()
  return Number(row?.value ?? 0)
}

/** Also the proof that the folder can be written to, before anything is shown to a person. */
function takeLease(sql: Database.Database): number {
  return sql
    .transaction(() => {
      const fence = readFence(sql) + 1
      sql
        .prepare("insert into setting (name, value) values ('$fence', ?) on conflict (name) do update set value = excluded.value")
        .run(String(fence))
      return fence
    })
    .immediate()
}
