import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const fetchLimitMs = 30_000
/** How long later starts do not try again after a failed download. */
const forgetFailureMs = 24 * 60 * 60_000

const platformPaths: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
  linux: 'electron'
}

/**
 * The path of Electron's program, if it is installed: ELECTRON_PATH names it, or it is in its package, which npm
 * delivers without it.
 */
export function findElectron(projectFolder: string): string | undefined {
  const given = process.env.ELECTRON_PATH
  if (given !== undefined && existsSync(given)) return given
  const name = platformPaths[process.platform]
  if (name === undefined) return undefined
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(projectFolder, 'node_modules', 'electron', 'dist')
  const path = join(folder, name)
  return existsSync(path) ? path : undefined
}

function failureMark(projectFolder: string): string {
  return join(projectFolder, 'node_modules', '.cache', 'fitter', 'electron-fetch-failed')
}

/** Why a download of Electron is not worth trying now; undefined when it is. */
export function reasonNotToFetch(projectFolder: string): string | undefined {
  if (process.env.CI) return 'it is not fetched in CI'
  const mark = failureMark(projectFolder)
  const state = statSync(mark, { throwIfNoEntry: false })
  if (state === undefined || Date.now() - state.mtimeMs > forgetFailureMs) return undefined
  return `fetching it failed within the last day (${readFileSync(mark, 'utf8')})`
}

/**
 * Downloads Electron's program as its own package does. Returns undefined on success, otherwise the reason of the
 * failure.
 */
export async function fetchElectron(projectFolder: string, signal: AbortSignal): Promise<string | undefined> {
  const limit = AbortSignal.timeout(fetchLimitMs)
  const install = join(projectFolder, 'node_modules', 'electron', 'install.js')
  const reason = await new Promise<string | undefined>((resolve) => {
    const child = spawn(process.execPath, [install], {
      stdio: ['ignore', 'ignore', 'pipe'],
      signal: AbortSignal.any([limit, signal])
    })
    let complaint = ''
    child.stderr.on('data', (part: Buffer) => (complaint += part.toString()))
    child.on('error', (error) =>
      resolve(limit.aborted ? `it took longer than ${fetchLimitMs / 1000} s` : error.message)
    )
    child.on('exit', (code) => resolve(code === 0 ? undefined : firstLine(complaint, code)))
  })
  const mark = failureMark(projectFolder)
  if (reason === undefined) rmSync(mark, { force: true })
  else if (!signal.aborted) {
    mkdirSync(dirname(mark), { recursive: true })
    writeFileSync(mark, reason)
  }
  return reason
}

function firstLine(text: string, code: number | null): string {
  return (
    text
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '') ?? `exit code ${code}`
  )
}
