import { app, screen, type BrowserWindow } from 'electron'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseBounds, wasMaximized, type Bounds } from './bounds.ts'

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

/** Where and how the window opens: as it was closed, if that screen still exists. */
export function readWindowState(): { bounds: Partial<Bounds>; isMaximized: boolean } {
  const saved = readSaved()
  return {
    bounds: chooseBounds(saved, (bounds) => screen.getDisplayMatching(bounds).workArea),
    isMaximized: wasMaximized(saved)
  }
}

/** Stores the position; an unwritable folder must not prevent closing the window. */
export function rememberBounds(window: BrowserWindow): boolean {
  try {
    writeFileSync(
      boundsPath(),
      JSON.stringify({ ...window.getNormalBounds(), ...(window.isMaximized() ? { isMaximized: true } : {}) })
    )
    return true
  } catch {
    return false
  }
}
