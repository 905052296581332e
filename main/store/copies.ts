import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../preload/contract/errors.ts'
import { openDataFile, type DataFile } from './database.ts'
import { databaseFileName } from './fileNames.ts'
import { onData } from './errors.ts'
import { migrations } from './migrations/index.ts'

/** Writes a consistent copy of the data to `file`, complete and on the disk before it takes that name. */
export async function backupData(data: DataFile, file: string): Promise<void> {
  if (path.resolve(file) === path.resolve(data.file)) {
    throw new AppError('INVALID_REQUEST', 'The backup would replace the data itself. Choose another place for it.')
  }
  const partial = `${file}.part`
  try {
    fs.mkdirSync(path.dirname(path.resolve(file)), { recursive: true })
    await data.sql.backup(partial)
    makeOneFile(partial)
    putInPlace(partial, file)
  } catch (error) {
    if (fs.existsSync(partial)) fs.rmSync(partial)
    throw new AppError('INVALID_REQUEST', `The backup cannot be written to ${file}. Choose another place, or make room.`, { cause: error })
  }
}

/** A backup is read from anywhere, also from a medium that takes no second file beside it. */
function makeOneFile(file: string): void {
  const sql = new Database(file)
  try {
    sql.pragma('journal_mode = delete')
  } finally {
    sql.close()
  }
}

/** Puts a backup in the place of the data folder's file; the present file is kept beside it under the returned name. */
export function restoreData(folder: string, backup: string, at: Date): { kept: string | null } {
  return onData(() => {
    const isFile = fs.statSync(backup, { throwIfNoEntry: false })?.isFile()
    if (!isFile) throw new AppError('INVALID_REQUEST', `There is no backup at ${backup}.`)
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = path.join(folder, databaseFileName)
    const incoming = `${file}.restoring`
    try {
      fs.copyFileSync(backup, incoming)
      assertBackup(incoming)
      const kept = fs.existsSync(file) ? setAside(folder, file, at) : null
      putInPlace(incoming, file)
      openDataFile(folder).close()
      return { kept }
    } finally {
      for (const suffix of ['', '-wal', '-shm', '-journal']) fs.rmSync(incoming + suffix, { force: true })
    }
  })
}

function setAside(folder: string, file: string, at: Date): string {
  lockBriefly(folder)
  const kept = `${file}.before-restore-${at.toISOString().replaceAll(':', '-')}`
  fs.renameSync(file, kept)
  for (const suffix of ['-wal', '-shm']) {
    if (fs.existsSync(file + suffix)) fs.renameSync(file + suffix, kept + suffix)
  }
  return kept
}

function assertBackup(file: string): void {
  const refusal = (why: string, cause?: unknown) => new AppError('INVALID_REQUEST', `That file ${why}. Choose another one.`, { cause })
  let version: number
  try {
    const sql = new Database(file)
    try {
      const [row] = sql.pragma('integrity_check') as { integrity_check: string }[]
      const isOurs = sql.prepare("select 1 from sqlite_master where name = 'journal'").get() !== undefined
      if (row?.integrity_check !== 'ok' || !isOurs) throw refusal('is no intact backup of Fitter')
      version = Number(sql.pragma('user_version', { simple: true }))
    } finally {
      sql.close()
    }
  } catch (error) {
    if (error instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT|ERROR)/.test(error.code)) {
      throw refusal('is no intact backup of Fitter', error)
    }
    throw error
  }
  if (version > migrations.length) throw refusal('was written by a newer Fitter than this one')
}

/** Refuses with DATA_LOCKED while another process uses the folder; a damaged file is no reason not to restore. */
function lockBriefly(folder: string): void {
  try {
    openDataFile(folder).close()
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'DATA_LOCKED') throw error
  }
}

/** Gives a complete file its name, so that it survives a power cut right after. */
function putInPlace(from: string, to: string): void {
  syncToDisk(from)
  fs.renameSync(from, to)
  // Windows has no way to sync a folder.
  if (process.platform !== 'win32') syncToDisk(path.dirname(path.resolve(to)))
}

function syncToDisk(name: string): void {
  const handle = fs.openSync(name, fs.statSync(name).isDirectory() ? 'r' : 'r+')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}
