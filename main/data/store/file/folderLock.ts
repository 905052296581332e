import path from 'node:path'
import Database from 'better-sqlite3'
import fs from 'node:fs'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { lockFileName } from './fileNames.ts'

/**
 * Locks a data folder for this process; in a separate file, so that a worker can read the data in the meantime. Only a
 * Fitter locks that file. @throws AppError DATA_LOCKED when another one has
 */
export function holdFolder(folder: string): () => void {
  const file = path.join(folder, lockFileName)
  fs.closeSync(fs.openSync(file, 'a', 0o600))
  const lock = new Database(file, { timeout: 250 })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw new AppError('DATA_LOCKED', message('store.usedByAnother'), { cause: error, retryable: true })
    throw error
  }
  return () => void lock.close()
}
