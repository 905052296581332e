import { app, screen, type BrowserWindow } from 'electron'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseBounds, type Bounds } from './bounds.ts'

function boundsPath(): string {
  return join(app.getPath('userData'), 'window.json')
}

function readSaved(): unknown {
  try {
    return JSON.parse(readFileSync(boundsPath(), 'utf8'))
  } catch {
    // Not there the first time, and a damaged one is no loss.
    return undefined
  }
}

export function readBounds(): Partial<Bounds> {
  return chooseBounds(readSaved(), (bounds) => screen.getDisplayMatching(bounds).workArea)
}

/** Keeps the place for next time; a folder that can't be written to must not keep the window from closing. */
export function rememberBounds(window: BrowserWindow): boolean {
  try {
    writeFileSync(boundsPath(), JSON.stringify(window.getNormalBounds()))
    return true
  } catch {
    return false
  }
}
