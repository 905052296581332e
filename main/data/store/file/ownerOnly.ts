import fs from 'node:fs'
import path from 'node:path'
import { syncToDisk } from './syncToDisk.ts'

/** Creates the data folder, or removes other users' access to an existing one and to Fitter's files in it. */
export function keepForOwner(folder: string): void {
  const made = fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) keepNames(made, folder)
  if (process.platform === 'win32') return
  const names = fs.readdirSync(folder)
  const own = names.filter(isOurs)
  // A folder that others also use (a home folder, /tmp) keeps its access rights: only our files are restricted.
  for (const name of own) close(path.join(folder, name))
  if (own.length === names.length) close(folder)
}

function isOurs(name: string): boolean {
  return /^(fitter\.|(training|attachments|backups|browser-host\.json)$)/.test(name)
}

/** A folder that was accessible may contain accessible files: restricted once, except links and others' files. */
function close(name: string): void {
  const stats = fs.lstatSync(name, { throwIfNoEntry: false })
  if (!stats || (stats.mode & 0o077) === 0 || stats.uid !== process.getuid?.()) return
  if (stats.isFile()) fs.chmodSync(name, 0o600)
  if (!stats.isDirectory()) return
  for (const inside of fs.readdirSync(name)) close(path.join(name, inside))
  fs.chmodSync(name, 0o700)
}

/** The names of new folders, from the first to the last: syncing them makes their contents survive a power cut. */
function keepNames(first: string, last: string): void {
  // Windows cannot sync a folder.
  if (process.platform === 'win32') return
  for (let name = path.resolve(last); name.length >= path.resolve(first).length; name = path.dirname(name))
    syncToDisk(path.dirname(name))
}
