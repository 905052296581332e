import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fetchElectron, findElectron, reasonNotToFetch } from '../../../../bin/electronBinary.ts'
import { sayWindowTests } from '../../../world/tally.ts'

let project: string
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'fitter-project-'))
  mkdirSync(join(project, 'node_modules', 'electron'), { recursive: true })
  vi.stubEnv('CI', '')
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', undefined)
  vi.stubEnv('ELECTRON_PATH', undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(project, { recursive: true, force: true })
})

function writeInstaller(code: string): void {
  writeFileSync(join(project, 'node_modules', 'electron', 'install.js'), code)
}

const never = new AbortController().signal

it('finds the program in its package, or where the environment says', () => {
  expect(findElectron(project)).toBeUndefined()
  const elsewhere = join(project, 'elsewhere')
  const name =
    { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform as string] ?? 'electron'
  mkdirSync(join(elsewhere, name, '..'), { recursive: true })
  writeFileSync(join(elsewhere, name), '')
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', elsewhere)
  expect(findElectron(project)).toBe(join(elsewhere, name))
})

it('takes the program that ELECTRON_PATH names, if it is there, and a test run says which of both it used', () => {
  const program = join(project, 'my-electron')
  vi.stubEnv('ELECTRON_PATH', program)
  expect(findElectron(project)).toBeUndefined()
  expect(sayWindowTests(findElectron(project))).toContain('on a stand-in')
  writeFileSync(program, '')
  expect(findElectron(project)).toBe(program)
  expect(sayWindowTests(findElectron(project))).toContain(`in Electron (${program})`)
})

it('says why a fetch failed, and does not try again within a day', async () => {
  writeInstaller(`console.error('\\nRequestError: getaddrinfo EAI_AGAIN\\n    at somewhere'); process.exit(1)`)
  expect(reasonNotToFetch(project)).toBeUndefined()
  expect(await fetchElectron(project, never)).toBe('RequestError: getaddrinfo EAI_AGAIN')
  expect(reasonNotToFetch(project)).toMatch(/failed within the last day \(RequestError: getaddrinfo EAI_AGAIN\)/)
  const mark = join(project, 'node_modules', '.cache', 'fitter', 'electron-fetch-failed')
  const twoDaysAgo = new Date(Date.now() - 48 * 60 * 60_000)
  utimesSync(mark, twoDaysAgo, twoDaysAgo)
  expect(reasonNotToFetch(project)).toBeUndefined()
})

it('forgets an earlier failure when a fetch works', async () => {
  writeInstaller('process.exit(1)')
  await fetchElectron(project, never)
  writeInstaller('process.exit(0)')
  expect(await fetchElectron(project, never)).toBeUndefined()
  expect(reasonNotToFetch(project)).toBeUndefined()
})

it('remembers nothing when the person gave up waiting', async () => {
  writeInstaller('setInterval(() => undefined, 1000)')
  const given = new AbortController()
  const fetching = fetchElectron(project, given.signal)
  given.abort()
  expect(await fetching).toBeDefined()
  expect(reasonNotToFetch(project)).toBeUndefined()
})

it('does not fetch in CI', () => {
  vi.stubEnv('CI', 'true')
  expect(reasonNotToFetch(project)).toBe('it is not fetched in CI')
})
