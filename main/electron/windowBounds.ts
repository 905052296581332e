import { app, screen, type BrowserWindow, type Rectangle } from 'electron'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const usual = { width: 1280, height: 800 }

function boundsPath(): string {
  return join(app.getPath('userData'), 'window.json')
}

function isRectangle(value: unknown): value is Rectangle {
  if (typeof value !== 'object' || value === null) return false
  const fields = value as Record<string, unknown>
  return ['x', 'y', 'width', 'height'].every((name) => Number.isInteger(fields[name]))
}

/** Where the window was last time, as long as a screen is still there. A missing or damaged file is no loss. */
export function readBounds(): Partial<Rectangle> {
  let saved: unknown
  try {
    saved = JSON.parse(readFileSync(boundsPath(), 'utf8'))
  } catch {
    return usual
  }
  if (!isRectangle(saved)) return usual
  const { workArea } = screen.getDisplayMatching(saved)
  const isVisible =
    saved.x < workArea.x + workArea.width - 100 &&
    saved.x + saved.width > workArea.x + 100 &&
    saved.y >= workArea.y &&
    saved.y < workArea.y + workArea.height - 100
  return isVisible ? saved : usual
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
