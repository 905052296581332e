import fs from 'node:fs'
import path from 'node:path'
import { syncToDisk } from './syncToDisk.ts'

/** Makes the data folder, or takes the rights of others off one that is already there, and off Fitter's files in it. */
export function keepForOwner(folder: string): void {
  const made = fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) keepNames(made, folder)
  if (process.platform === 'win32') return
  const names = fs.readdirSync(folder)
  const own = names.filter(isOurs)
  // A folder that others use as well (somebody's home, /tmp) is theirs to open or close: only our files are closed there.
  for (const name of own) close(path.join(folder, name))
  if (own.length === names.length) close(folder)
}

function isOurs(name: string): boolean {
  return /^(fitter\.|(training|attachments|backups|browser-host\.json)$)/.test(name)
}

/** A folder that was open may hold open files: they are closed with it, once. Links are left alone, and what is another's. */
function close(name: string): void {
  const stats = fs.lstatSync(name, { throwIfNoEntry: false })
  if (!stats || (stats.mode & 0o077) === 0 || stats.uid !== process.getuid?.()) return
  if (stats.isFile()) fs.chmodSync(name, 0o600)
  if (!stats.isDirectory()) return
  for (const inside of fs.readdirSync(name)) close(path.join(name, inside))
  fs.chmodSync(name, 0o700)
}

/** The names of new folders, from the first that was made down to the last: what is kept in them is found after a power cut. */
function keepNames(first: string, last: string): void {
  // Windows has no way to sync a folder.
  if (process.platform === 'win32') return
  for (let name = path.resolve(last); name.length >= path.resolve(first).length; name = path.dirname(name)) syncToDisk(path.dirname(name))
}
