import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import type { DataCheckResult } from '../../../../preload/contract/app/dataFolder.ts'
import { fileOf } from '../jobs/attachmentFiles.ts'
import { attachmentsFolderName, backupsFolderName, databaseFileName } from '../file/fileNames.ts'

/** Picture files without a row: a crash happened between writing the file and its row. */
export type Orphans = NonNullable<DataCheckResult['orphans']>

/** A picture has its file a moment before its row; no clock is off by a day. */
const safeAfterMs = 24 * 3_600_000

interface Orphan {
  name: string
  sizeBytes: number
  isRemovable: boolean
}

/** The files in the picture folder that no row names. */
export function findOrphans(sql: Database.Database, nowMs: number): Orphans {
  const found: Orphans = { files: 0, sizeBytes: 0, removableBytes: 0 }
  for (const { sizeBytes, isRemovable } of orphansOf(sql, nowMs)) {
    found.files += 1
    found.sizeBytes += sizeBytes
    if (isRemovable) found.removableBytes += sizeBytes
  }
  return found
}

/** Removes those that nothing can need any more; returns what was removed. */
export function removeOrphans(sql: Database.Database, nowMs: number): { files: number; sizeBytes: number } {
  const removed = { files: 0, sizeBytes: 0 }
  for (const { name, sizeBytes, isRemovable } of [...orphansOf(sql, nowMs)]) {
    if (!isRemovable) continue
    fs.rmSync(name, { force: true })
    removed.files += 1
    removed.sizeBytes += sizeBytes
  }
  return removed
}

function* orphansOf(sql: Database.Database, nowMs: number): Generator<Orphan> {
  const dataFolder = path.dirname(sql.name)
  const folder = path.join(dataFolder, attachmentsFolderName)
  const isNamed = sql.prepare<[string], unknown>('select 1 from attachment where sha256 = ?')
  const copies = openCopies(dataFolder)
  try {
    for (const inner of foldersIn(folder)) {
      for (const entry of fs.readdirSync(inner, { withFileTypes: true })) {
        const name = path.join(inner, entry.name)
        const hash = /^([0-9a-f]{64})(\.[0-9a-f]{12}\.part)?$/.exec(entry.name)
        // Files that others put there are left alone.
        if (!hash?.[1] || !entry.isFile() || path.dirname(fileOf(folder, hash[1]) ?? '') !== inner) continue
        if (hash[2] === undefined && isNamed.get(hash[1])) continue
        const { size, mtimeMs } = fs.lstatSync(name)
        const isOld = nowMs - mtimeMs > safeAfterMs
        yield {
          name,
          sizeBytes: size,
          isRemovable: isOld && (hash[2] !== undefined || !copies.mayName(hash[1], mtimeMs))
        }
      }
    }
  } finally {
    copies.close()
  }
}

function foldersIn(folder: string): string[] {
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() && /^[0-9a-f]{2}$/.test(entry.name) ? [path.join(folder, entry.name)] : []
    )
}

/** The backups and files that were set aside: restoring one of them needs its pictures. */
function openCopies(dataFolder: string) {
  const open: Database.Database[] = []
  // Files beside the data file are not opened: they may name any picture from before they were set aside.
  let unreadUntilMs = Math.max(
    0,
    ...filesIn(dataFolder, (name) => name.startsWith(`${databaseFileName}.`)).map((name) => fs.lstatSync(name).mtimeMs)
  )
  for (const name of filesIn(path.join(dataFolder, backupsFolderName), (name) => name.endsWith('.db'))) {
    let copy: Database.Database | undefined
    try {
      copy = new Database(name, { readonly: true, fileMustExist: true })
      copy.prepare('select 1 from attachment limit 1').get()
      open.push(copy)
    } catch {
      copy?.close()
      // The same applies to an unreadable one.
      unreadUntilMs = Math.max(unreadUntilMs, fs.lstatSync(name).mtimeMs)
    }
  }
  const queries = open.map((copy) => copy.prepare<[string], unknown>('select 1 from attachment where sha256 = ?'))
  return {
    mayName: (sha256: string, writtenMs: number): boolean =>
      writtenMs <= unreadUntilMs || queries.some((query) => query.get(sha256) !== undefined),
    close: () => open.forEach((copy) => copy.close())
  }
}

function filesIn(folder: string, isMeant: (name: string) => boolean): string[] {
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isFile() && isMeant(entry.name) ? [path.join(folder, entry.name)] : []))
}
