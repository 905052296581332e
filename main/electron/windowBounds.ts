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
    // Missing the first time; a damaged one is no loss.
    return undefined
  }
}

export function readBounds(): Partial<Bounds> {
  return chooseBounds(readSaved(), (bounds) => screen.getDisplayMatching(bounds).workArea)
}

/** Stores the position; an unwritable folder must not prevent closing the window. */
export function rememberBounds(window: BrowserWindow): boolean {
  try {
    writeFileSync(boundsPath(), JSON.stringify(window.getNormalBounds()))
    return true
  } catch {
    return false
  }
}
