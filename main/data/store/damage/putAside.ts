import fs from 'node:fs'
import path from 'node:path'
import type { CallOutput } from '../../../../preload/contract/index.ts'
import { databaseFileName, markFileName } from '../file/fileNames.ts'
import { onData } from '../file/errors.ts'
import { putInPlace, syncToDisk } from '../file/syncToDisk.ts'

/** A damaged file that was set aside: Fitter never deletes it. */
export type PutAside = CallOutput<'losses.list'>['putAside'][number]

const asidePrefix = `${databaseFileName}.damaged-`
const newPrefix = `${databaseFileName}.salvaged-`

export function asideNameAt(at: string): string {
  return `${asidePrefix}${at.replaceAll(':', '-')}`
}

/** The name of the new file until it replaces the old one; it contains the future name of the old one. */
export function newNameAt(at: string): string {
  return `${newPrefix}${at.replaceAll(':', '-')}`
}

/**
 * The new file is complete: renames the old one, then the new one. After an interruption the next start continues here.
 */
export function exchangeFiles(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    if (!name.startsWith(newPrefix) || /(-wal|-shm|-journal|\.part)$/.test(name)) continue
    const aside = path.join(folder, asidePrefix + name.slice(newPrefix.length))
    const file = path.join(folder, databaseFileName)
    for (const [from, to] of [
      [`${file}-wal`, `${aside}-wal`],
      [`${file}-shm`, `${aside}-shm`],
      [path.join(folder, markFileName), `${aside}.mark`],
      [file, aside]
    ] as const) {
      if (fs.existsSync(from) && !fs.existsSync(to)) fs.renameSync(from, to)
    }
    if (process.platform !== 'win32') syncToDisk(folder)
    putInPlace(path.join(folder, name), file)
  }
}

/** Left incomplete by a crash: the old file is still in place. */
export function removeHalfMade(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    if (name.startsWith(newPrefix) && /\.part(-\w+)?$/.test(name)) fs.rmSync(path.join(folder, name))
  }
}

/** Every damaged file that was set aside, newest first. */
export function listPutAside(folder: string): PutAside[] {
  return onData(() => {
    const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.startsWith(asidePrefix)) : []
    const own = names.filter((name) => !/(-wal|-shm|\.mark)$/.test(name))
    return own
      .map((name) => ({
        name,
        sizeBytes: names
          .filter((other) => other.startsWith(name))
          .reduce((sum, other) => sum + fs.statSync(path.join(folder, other)).size, 0),
        at: name.slice(asidePrefix.length).replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:')
      }))
      .sort((a, b) => (a.name < b.name ? 1 : -1))
  })
}
