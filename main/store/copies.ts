import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../preload/contract/errors.ts'
import { databaseFileName, openDataFile, type DataFile } from './database.ts'
import { onData } from './errors.ts'

/** Writes a consistent copy of the data to `file`, complete before it takes that name. */
export async function backupData(data: DataFile, file: string): Promise<void> {
  const partial = `${file}.part`
  try {
    await data.sql.backup(partial)
    onData(() => fs.renameSync(partial, file))
  } catch (error) {
    fs.rmSync(partial, { force: true })
    throw onData(() => {
      throw error
    })
  }
}

/** Puts a backup in the place of the data folder's file; the present file is kept beside it under the returned name. */
export function restoreData(folder: string, backup: string, at: Date): { kept: string | null } {
  return onData(() => {
    assertBackup(backup)
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = path.join(folder, databaseFileName)
    const incoming = `${file}.restoring`
    fs.copyFileSync(backup, incoming)
    let kept: string | null = null
    if (fs.existsSync(file)) {
      lockBriefly(folder)
      kept = `${file}.before-restore-${at.toISOString().replaceAll(':', '-')}`
      fs.renameSync(file, kept)
      for (const suffix of ['-wal', '-shm']) {
        if (fs.existsSync(file + suffix)) fs.renameSync(file + suffix, kept + suffix)
      }
    }
    fs.renameSync(incoming, file)
    openDataFile(folder).close()
    return { kept }
  })
}

function assertBackup(file: string): void {
  if (!fs.existsSync(file)) throw new AppError('INVALID_REQUEST', `There is no backup at ${file}.`)
  const sql = new Database(file, { readonly: true })
  try {
    const [row] = sql.pragma('integrity_check') as { integrity_check: string }[]
    const isOurs = sql.prepare("select 1 from sqlite_master where name = 'journal'").get() !== undefined
    if (row?.integrity_check !== 'ok' || !isOurs) {
      throw new AppError('INVALID_REQUEST', 'That file is no intact backup of Fitter. Choose another one.')
    }
  } finally {
    sql.close()
  }
}

/** Refuses with DATA_LOCKED while another process uses the folder; a damaged file is no reason not to restore. */
function lockBriefly(folder: string): void {
  try {
    openDataFile(folder).close()
  } catch (error) {
    if (error instanceof AppError && error.code === 'DATA_LOCKED') throw error
  }
}
