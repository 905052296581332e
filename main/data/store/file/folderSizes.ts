import fs from 'node:fs'
import path from 'node:path'
import { attachmentsFolderName, backupsFolderName, databaseFileName } from './fileNames.ts'

export interface FolderSizes {
  logBytes: number
  picturesBytes: number
  backupsBytes: number
  /** Files that were set aside, and copies from before a new version. */
  putAside: { name: string; sizeBytes: number; at: string }[]
  freeBytes: number
}

export function sizesOf(folder: string): FolderSizes {
  const { bavail, bsize } = fs.statfsSync(folder)
  const own = fs
    .readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isFile() && entry.name.startsWith(databaseFileName) ? [entry.name] : []))
  const sizeOf = (name: string): number => fs.lstatSync(path.join(folder, name)).size
  const isPresent = (name: string): boolean => /^(-wal|-shm)?$/.test(name.slice(databaseFileName.length))
  return {
    logBytes: own.filter(isPresent).reduce((sum, name) => sum + sizeOf(name), 0),
    picturesBytes: bytesBelow(path.join(folder, attachmentsFolderName)),
    backupsBytes: bytesBelow(path.join(folder, backupsFolderName)),
    putAside: own
      .filter(
        (name) => !isPresent(name) && !/(-wal|-shm|-journal|\.mark|\.part)$/.test(name) && !name.includes('.restoring-')
      )
      .map((name) => ({
        name,
        sizeBytes: sizeOf(name),
        at: fs.lstatSync(path.join(folder, name)).mtime.toISOString()
      })),
    freeBytes: bavail * bsize
  }
}

function bytesBelow(folder: string): number {
  if (!fs.existsSync(folder)) return 0
  return fs
    .readdirSync(folder, { withFileTypes: true, recursive: true })
    .reduce(
      (sum, entry) =>
        sum +
        (entry.isFile()
          ? (fs.lstatSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0)
          : 0),
      0
    )
}
