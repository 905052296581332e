import fs from 'node:fs'
import path from 'node:path'

/** Makes the data folder, or takes the rights of others off one that is already there, and off Fitter's files in it. */
export function keepForOwner(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform === 'win32') return
  const names = fs.readdirSync(folder)
  const own = names.filter(isOurs)
  // A folder that others use as well (somebody's home, /tmp) is theirs to open or close: only our files are closed there.
  if (own.length === names.length) close(folder, 0o700)
  for (const name of own) close(path.join(folder, name))
}

function isOurs(name: string): boolean {
  return /^(fitter\.|(training|attachments|backups)$)/.test(name)
}

function close(name: string, mode = 0o600): void {
  const { mode: present, uid } = fs.lstatSync(name)
  const isOpen = (present & 0o077) !== 0
  if (isOpen && uid === process.getuid?.() && (fs.lstatSync(name).isFile() || mode === 0o700)) fs.chmodSync(name, mode)
}
