import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { holdsWhole, piecesOf, syncFolders, writePieces, type WrittenFile } from '../jobs/attachmentFiles.ts'
import { fetchPictures, hasPieces, putPiecesIn, takePiecesOut } from '../jobs/attachmentPieces.ts'
import { checkData, verifyCopy, type DataCheck } from '../damage/checkDataFile.ts'
import { hasHash, placeForHash, putHash } from './copyHash.ts'
import { contentOf, markCopy, readCopyHash, readCopyMark, type CopyMark } from './copyMark.ts'
import { onData, translateDataError } from '../file/errors.ts'
import { attachmentsFolderName } from '../file/fileNames.ts'
import { generationName, listGenerations, type Generation } from './generations.ts'
import { migrateFile } from '../file/migrate.ts'
import { surplusCopies } from './rotation.ts'
import { putInPlace, syncToDisk } from '../file/syncToDisk.ts'
import type { Progress } from '../file/progress.ts'
import { withFile } from '../file/withFile.ts'

export type MadeGeneration =
  | { kind: 'made'; generation: Generation }
  /** It would have left less than `leftBytes` free. */
  | { kind: 'noRoom'; needBytes: number; freeBytes: number }
  /** The folder is on a disk that is not connected. */
  | { kind: 'notThere' }

/** A backup must never fill a disk: this much space has to remain. */
export const leftBytes = 256 * 1024 * 1024

const pagesAtOnce = 1_000
/** Written before a sync: otherwise a write of the other thread waits for a whole copy. */
const syncedEveryBytes = 16 * 1024 * 1024

class NoRoom extends Error {}

/** Writes a consistent copy of `file` into the empty file `target`, while another thread continues writing. */
async function copyFile(file: string, target: string, tell: Progress): Promise<void> {
  const sql = new Database(file, { timeout: 5_000, readonly: true })
  const handle = fs.openSync(target, 'r+')
  try {
    const pageBytes = Number(sql.pragma('page_size', { simple: true }))
    let syncedBytes = 0
    // One consistent view of the file from start to end.
    sql.exec('begin')
    sql.prepare('select 1 from setting').get()
    await sql.backup(target, {
      progress({ totalPages, remainingPages }) {
        const doneBytes = (totalPages - remainingPages) * pageBytes
        if (doneBytes - syncedBytes >= syncedEveryBytes) {
          syncedBytes = doneBytes
          fs.fdatasyncSync(handle)
          if (freeBytesOf(target) < leftBytes / 4) throw new NoRoom()
        }
        tell(totalPages - remainingPages, totalPages)
        return pagesAtOnce
      }
    })
  } catch (error) {
    throw translateDataError(error)
  } finally {
    fs.closeSync(handle)
    sql.close()
  }
  fs.chmodSync(target, 0o600)
}

export async function copyForOthers(file: string, target: string, tell: Progress): Promise<null> {
  const madeAt = new Date().toISOString()
  const sha256 = placeForHash()
  await copyFile(file, target, tell)
  withFile(target, {}, (sql) => {
    // A backup can be read from anywhere, also from a read-only medium, where SQLite cannot create a second file.
    sql.pragma('journal_mode = delete')
    // Everything is synced at the end.
    sql.pragma('synchronous = off')
    markCopy(sql, { madeAt, sha256 })
    putPiecesIn(sql, path.join(path.dirname(file), attachmentsFolderName), tell)
  })
  putHash(target, sha256)
  syncToDisk(target)
  return null
}

export interface GenerationWish {
  file: string
  /** The folder of the copies; it exists, or the result is `notThere`. */
  folder: string
  /** The name of the copy until it is complete and inspected. */
  partial: string
  at: string
  /** The folder is on another disk, so pictures are copied too: on this disk their files never change. */
  withPictures: boolean
}

/** Makes a copy, inspects it, gives it its name, and only then removes the one it replaces. */
export async function makeGeneration(
  { file, folder, partial, at, withPictures }: GenerationWish,
  tell: Progress
): Promise<MadeGeneration> {
  if (!fs.existsSync(folder)) return { kind: 'notThere' }
  const wal = fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  const needBytes = fs.statSync(file).size + wal + (withPictures ? missingBytes(file, folder) : 0)
  const freeBytes = freeBytesOf(folder)
  if (freeBytes - needBytes < leftBytes) return { kind: 'noRoom', needBytes, freeBytes }
  try {
    fs.closeSync(fs.openSync(partial, 'wx', 0o600))
    if (withPictures) copyPictures(file, folder)
    await copyFile(file, partial, tell)
    const mark = lookOver(partial, at)
    const generation = {
      file: path.join(folder, generationName(new Date(at))),
      madeAt: at,
      sizeBytes: fs.statSync(partial).size,
      mark
    }
    putInPlace(partial, generation.file)
    for (const { file: old } of surplusCopies(listGenerations(folder), generation, Date.parse(at)))
      fs.rmSync(old, { force: true })
    return { kind: 'made', generation }
  } catch (error) {
    fs.rmSync(partial, { force: true })
    const isFull = error instanceof NoRoom || (error instanceof AppError && error.sentence.id === 'store.diskFull')
    if (isFull) return { kind: 'noRoom', needBytes, freeBytes: freeBytesOf(folder) }
    throw error
  }
}

/** SQLite's quick check, the logs of the newest jobs, and the waiting work: the copy stores the result. */
function lookOver(partial: string, madeAt: string): CopyMark {
  const sha256 = placeForHash()
  const mark = withFile(partial, {}, (sql) => {
    sql.pragma('journal_mode = delete')
    const findings = verifyCopy(sql)
    return markCopy(sql, { madeAt, findings: findings.length, sha256 })
  })
  putHash(partial, sha256)
  return mark
}

function freeBytesOf(name: string): number {
  const { bavail, bsize } = fs.statfsSync(path.dirname(name))
  return bavail * bsize
}

function picturesOf(file: string): WrittenFile[] {
  return withFile(file, { readonly: true }, (sql) =>
    sql.prepare<[], WrittenFile>('select sha256, size_bytes as sizeBytes from attachment').all()
  )
}

function isThere(folder: string, { sha256, sizeBytes }: WrittenFile): boolean {
  const name = path.join(folder, sha256.slice(0, 2), sha256)
  return fs.lstatSync(name, { throwIfNoEntry: false })?.size === sizeBytes
}

function missingBytes(file: string, folder: string): number {
  const to = path.join(folder, attachmentsFolderName)
  return picturesOf(file).reduce((sum, picture) => sum + (isThere(to, picture) ? 0 : picture.sizeBytes), 0)
}

/** A file named by its hash never changes: an existing one of the right size is not copied again. */
function copyPictures(file: string, folder: string): void {
  const [from, to] = [path.join(path.dirname(file), attachmentsFolderName), path.join(folder, attachmentsFolderName)]
  for (const picture of picturesOf(file)) {
    if (!isThere(to, picture) && holdsWhole(from, picture)) writePieces(to, picture, piecesOf(from, picture.sha256))
  }
  syncFolders(to)
}

/** The contents and problems of a copy that is to become the data file. */
export interface Prepared extends DataCheck {
  mark: CopyMark
}

/**
 * Copies `from` to `file` in the data folder, migrates it to this version, adds its pictures, and checks everything in
 * it.
 */
export function prepareCopy(from: string, file: string, tell: Progress): Prepared {
  onData(() => {
    fs.copyFileSync(from, file, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE)
    fs.chmodSync(file, 0o600)
  })
  return withFile(file, {}, (sql) => {
    // Ends here for a file that is no database of Fitter, before anything in it is trusted.
    const isOurs = sql.prepare("select 1 from sqlite_master where name = 'journal'").get() !== undefined
    if (!isOurs) throw new AppError('INVALID_REQUEST', message('store.backupNotIntact'))
    const sha256 = readCopyHash(sql)
    if (sha256 !== undefined && !hasHash(file, sha256))
      throw new AppError('INVALID_REQUEST', message('store.backupChanged'))
    migrateFile(sql, null, tell)
    sql
      .transaction(() => {
        if (hasPieces(sql)) takePiecesOut(sql, tell)
      })
      .immediate()
    const beside = path.dirname(path.resolve(from))
    fetchPictures(
      sql,
      [beside, path.dirname(beside)].map((folder) => path.join(folder, attachmentsFolderName))
    )
    const result = checkData(sql, {}, tell)
    // A data file that was put aside is not marked as a copy.
    const read = readCopyMark(sql)
    // It no longer matches its hash.
    const mark = markCopy(sql, read)
    sql.pragma('journal_mode = delete')
    return { ...result, mark }
  })
}

/** The contents of a file in numbers; `madeAt` is null when unknown. */
export interface FileContent {
  madeAt: string | null
  jobs: number
  openOperations: number
  newestAt: string
}

/** Reads the summary of a file that may be a copy of any version; null when it is not Fitter's or unreadable. */
export function lookInto(file: string): FileContent | null {
  if (!fs.existsSync(file)) return null
  try {
    return withFile(file, { readonly: true, fileMustExist: true }, (sql) => ({
      ...contentOf(sql),
      madeAt: readCopyMark(sql)?.madeAt || null
    }))
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
