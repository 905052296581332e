import fs from 'node:fs'
import path from 'node:path'

/** Renames a complete file so that it survives a power cut right after. */
export function putInPlace(from: string, to: string): void {
  syncToDisk(from)
  fs.renameSync(from, to)
  // Windows cannot sync a folder.
  if (process.platform !== 'win32') syncToDisk(path.dirname(path.resolve(to)))
}

export function syncToDisk(name: string): void {
  const handle = fs.openSync(name, fs.statSync(name).isDirectory() ? 'r' : 'r+')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}
