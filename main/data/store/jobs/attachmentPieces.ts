import fs from 'node:fs'
import path from 'node:path'
import type Database from 'better-sqlite3'
import { piecesOf, syncFolders, writePieces, type WrittenFile } from './attachmentFiles.ts'
import { isDamage, onData } from '../file/errors.ts'
import { attachmentsFolderName } from '../file/fileNames.ts'
import { takeOut } from '../damage/remake.ts'
import { pagesOf } from '../file/pages.ts'
import type { Progress } from '../file/progress.ts'

/**
 * Copies for elsewhere contain the pictures; the data folder has them as separate files.
 */
const piecesTable =
  'create table attachment_piece (sha256 text not null, number integer not null, bytes blob not null, unique (sha256, number)) strict'

const atOnce = 20

export function hasPieces(sql: Database.Database): boolean {
  return (
    sql.prepare("select 1 from sqlite_master where type = 'table' and name = 'attachment_piece'").get() !== undefined
  )
}

/**
 * Writes the pictures in a file as separate files, each checked against its hash and synced, and removes the pieces. It
 * runs within a transaction: if the process dies before the end, all pieces are still there and it starts again.
 * Pictures that do not match their hash are left out; the check reports them.
 */
export function takePiecesOut(sql: Database.Database, tell: Progress): void {
  const folder = path.join(path.dirname(sql.name), attachmentsFolderName)
  const total = sql.prepare<[], { n: number }>('select count(*) as n from attachment').get()?.n ?? 0
  const page = sql.prepare<[string, number], WrittenFile>(
    'select sha256, size_bytes as sizeBytes from attachment where sha256 > ? order by sha256 limit ?'
  )
  const pieces = sql.prepare<[string], { bytes: Buffer }>(
    'select bytes from attachment_piece where sha256 = ? order by number'
  )
  let done = 0
  for (const files of pagesOf<WrittenFile>(atOnce, (last) => page.all(last?.sha256 ?? '', atOnce))) {
    for (const file of files) {
      toleratingDamage(() =>
        writePieces(
          folder,
          file,
          bytesOf(() => pieces.iterate(file.sha256))
        )
      )
      done += 1
      tell(done, total)
    }
  }
  syncFolders(folder)
  if (!toleratingDamage(() => sql.exec('drop table attachment_piece'))) takeOut(sql, 'attachment_piece')
}

/** Started with the first wanted piece, because a started query must be read to its end or closed. */
function* bytesOf(query: () => Iterable<{ bytes: Buffer }>): Generator<Buffer> {
  for (const { bytes } of query()) yield bytes
}

/** False when pages of the file cannot be read: one picture must not prevent opening the whole log. */
function toleratingDamage(work: () => unknown): boolean {
  try {
    onData(work)
    return true
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  }
}

/** Adds the pictures of `folder` to a copy that leaves this computer, a few megabytes at a time. */
export function putPiecesIn(sql: Database.Database, folder: string, tell: Progress): void {
  sql.exec(piecesTable)
  const total = sql.prepare<[], { n: number }>('select count(*) as n from attachment').get()?.n ?? 0
  const page = sql.prepare<[string, number], { sha256: string }>(
    'select sha256 from attachment where sha256 > ? order by sha256 limit ?'
  )
  const insert = sql.prepare('insert into attachment_piece (sha256, number, bytes) values (?, ?, ?)')
  let done = 0
  for (const rows of pagesOf<{ sha256: string }>(atOnce, (last) => page.all(last?.sha256 ?? '', atOnce))) {
    sql.transaction(() => {
      for (const { sha256 } of rows) {
        let number = 0
        for (const bytes of piecesOf(folder, sha256)) insert.run(sha256, number++, bytes)
      }
    })()
    done += rows.length
    tell(done, total)
  }
}

/** Copies missing pictures from folders beside the copy, where the pictures of its computer are. */
export function fetchPictures(sql: Database.Database, from: readonly string[]): void {
  const folder = path.join(path.dirname(sql.name), attachmentsFolderName)
  const others = from.filter((name) => path.resolve(name) !== path.resolve(folder) && fs.existsSync(name))
  if (others.length === 0) return
  for (const file of sql.prepare<[], WrittenFile>('select sha256, size_bytes as sizeBytes from attachment').iterate()) {
    others.some((other) => writePieces(folder, file, piecesOf(other, file.sha256)))
  }
  syncFolders(folder)
}
