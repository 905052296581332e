import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { DataFile, Statement } from './database.ts'
import { isDamage, onData } from './errors.ts'
import { databaseFileName } from './fileNames.ts'
import { migrateFile } from './migrate.ts'

/** Why a data folder is read-only. */
export type ReadOnlyReason = 'newer' | 'notWritable' | 'full' | 'bundle'

export const readOnlySentences: Record<ReadOnlyReason, Message> = {
  newer: message('damage.readOnlyNewer'),
  notWritable: message('damage.readOnlyMedium'),
  full: message('damage.readOnlyFull'),
  bundle: message('cab.onlyLookedAt')
}

/**
 * Opens a data file read-only. From a read-only medium a temporary copy, because SQLite needs a second file beside it.
 */
export function openToRead(folder: string, why: ReadOnlyReason, release: () => void = () => undefined): DataFile {
  const sentence = readOnlySentences[why]
  const refused = (): never => {
    throw new AppError('DATA_UNUSABLE', sentence)
  }
  const copy = why === 'notWritable' || why === 'full' ? copyOf(path.join(folder, databaseFileName)) : undefined
  const file = copy?.file ?? path.join(folder, databaseFileName)
  const sql = onData(() => new Database(file, { readonly: true, timeout: 1_000 }))

  /** A later version may use another form, which is not damage. */
  function read<T>(work: () => T): T {
    try {
      return onData(work)
    } catch (error) {
      if (why === 'newer' && isDamage(error))
        throw new AppError('DATA_UNUSABLE', message('damage.notReadableHere'), { cause: error })
      throw error
    }
  }

  return {
    file,
    fence: 0,
    readOnly: sentence,
    prepare<Parameters extends unknown[], Row>(text: string): Statement<Parameters, Row> {
      let prepared: Database.Statement<Parameters, Row> | undefined
      const statement = () => (prepared ??= sql.prepare<Parameters, Row>(text))
      return {
        get: (...parameters) => read(() => statement().get(...parameters)),
        all: (...parameters) => read(() => statement().all(...parameters)),
        run: refused
      }
    },
    write: refused,
    endsWith: refused,
    keepsOutputs: refused,
    makeAgain: refused,
    isWriting: () => false,
    takeAddedTo: () => [],
    withRoom: async () => refused(),
    disk: {
      standing: () => 'usable',
      hasFailed: () => false,
      onChange: () => () => undefined,
      usable: async () => refused()
    },
    close() {
      sql.close()
      copy?.remove()
      release()
    }
  }
}

function copyOf(file: string): { file: string; remove(): void } {
  const own = fs.mkdtempSync(path.join(tmpdir(), 'fitter-look-'))
  const remove = (): void => fs.rmSync(own, { recursive: true, force: true })
  try {
    return onData(() => {
      const copy = path.join(own, databaseFileName)
      for (const suffix of ['', '-wal']) {
        if (fs.existsSync(file + suffix)) {
          fs.copyFileSync(file + suffix, copy + suffix, fs.constants.COPYFILE_FICLONE)
          fs.chmodSync(copy + suffix, 0o600)
        }
      }
      const sql = new Database(copy)
      try {
        migrateFile(sql, null, () => undefined)
      } finally {
        sql.close()
      }
      return { file: copy, remove }
    })
  } catch (error) {
    remove()
    throw error
  }
}
