import fs from 'node:fs'
import type Database from 'better-sqlite3'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { migrations, type Migration } from './migrationList.ts'
import type { Progress } from './progress.ts'

/** Migrates a file, after a copy of `file` was made; null: it is a copy itself. DATA_UNUSABLE for a newer one. */
export function migrateFile(
  sql: Database.Database,
  file: string | null,
  progress: Progress,
  to = migrations.length
): void {
  const version = Number(sql.pragma('user_version', { simple: true }))
  if (version > migrations.length) {
    throw new AppError('DATA_UNUSABLE', message('store.newerFile'))
  }
  if (version >= to) return
  if (version > 0 && file !== null) keepCopy(sql, file, version)
  // A table that others refer to is replaced as a whole.
  sql.pragma('foreign_keys = off')
  try {
    for (const [index, migration] of migrations.entries()) {
      if (index >= version && index < to) apply(sql, migration, index + 1, progress)
    }
  } finally {
    sql.pragma('foreign_keys = on')
  }
}

function apply(sql: Database.Database, migration: Migration, version: number, progress: Progress): void {
  sql
    .transaction(() => {
      if (typeof migration === 'string') sql.exec(migration)
      else migration(sql, progress)
      sql.pragma(`user_version = ${version}`)
    })
    .immediate()
}

/** The file as the older version left it, beside the present one. An incomplete copy is made again. */
function keepCopy(sql: Database.Database, file: string, version: number): void {
  sql.pragma('wal_checkpoint(truncate)')
  const copy = `${file}.before-version-${version + 1}`
  if (fs.existsSync(copy)) return
  const partial = `${copy}.part`
  fs.rmSync(partial, { force: true })
  fs.copyFileSync(file, partial, fs.constants.COPYFILE_FICLONE | fs.constants.COPYFILE_EXCL)
  fs.chmodSync(partial, 0o600)
  const handle = fs.openSync(partial, 'r+')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
  fs.renameSync(partial, copy)
}
