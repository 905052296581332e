import path from 'node:path'
import Database from 'better-sqlite3'
import fs from 'node:fs'
import { lockFileName } from './fileNames.ts'

/** Locks a data folder for this process; in a separate file, so that a worker can read the data in the meantime. */
export function holdFolder(folder: string): () => void {
  const file = path.join(folder, lockFileName)
  fs.closeSync(fs.openSync(file, 'a', 0o600))
  const lock = new Database(file, { timeout: 250 })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    throw error
  }
  return () => void lock.close()
}
