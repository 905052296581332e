import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { environmentForOthers } from '../main/app/browserHost/systemOpener.ts'

const candidates: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'msedge'],
  darwin: ['Google Chrome', 'Microsoft Edge', 'Chromium'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`
  ),
  win32: ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap((name) => {
    const folder = process.env[name] ?? 'C:\\Program Files'
    return [join(folder, 'Google/Chrome/Application/chrome.exe'), join(folder, 'Microsoft/Edge/Application/msedge.exe')]
  })
}

function findProgram(name: string): string | undefined {
  if (isAbsolute(name)) return existsSync(name) ? name : undefined
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** The path of Chrome, Chromium or Edge; undefined when none is installed. */
export function findChromium(): string | undefined {
  for (const name of candidates[process.platform] ?? []) {
    const path = findProgram(name)
    if (path !== undefined) return path
  }
  return undefined
}

/**
 * Opens an address as a window without tabs, with a profile of its own: other pages do not see our cookie, and it ends
 * with the window.
 */
export function openAppWindow(program: string, address: string, profileFolder: string): ChildProcess {
  return spawn(
    program,
    [
      `--app=${address}`,
      `--user-data-dir=${profileFolder}`,
      '--no-first-run',
      '--no-default-browser-check',
      '--window-size=1280,800'
    ],
    { stdio: 'ignore', env: environmentForOthers() }
  )
}
