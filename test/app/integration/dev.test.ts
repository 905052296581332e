// @module-tag long
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { expect, onTestFinished, test } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'
import { contentSecurityPolicy } from '../../../main/base/page/contentSecurityPolicy.ts'
import { endFirstRun } from '../../world/data/usedFolder.ts'

const chromiumPath = process.env['FITTER_CHROMIUM'] ?? '/usr/bin/chromium'
const parts = [
  'bin',
  'docs',
  'main',
  'preload',
  'renderer',
  'resources',
  'simulator',
  'package.json',
  'package-lock.json'
]
const configurations = ['tsconfig.json', 'vite.renderer.config.ts', 'vite.sealPage.config.ts']

/** A copy of the sources, whose files a test may change. */
function copySources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fitter-dev-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const part of [...parts, ...configurations])
    cpSync(join(projectFolder, part), join(folder, part), { recursive: true, verbatimSymlinks: true })
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

function startDev(folder: string, ...parameters: string[]) {
  const child = spawn(process.execPath, ['bin/dev.ts', ...parameters], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/fitter-dev' }
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
  const ended = new Promise<number | null>((done) => child.on('exit', done))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return { output: () => output, ended, end: () => child.kill('SIGTERM') }
}

function change(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replace(from, to))
}

interface Bridge {
  call(name: string, input: unknown): Promise<{ ok: boolean; value: Record<string, unknown> }>
}

test.skipIf(!existsSync(chromiumPath))(
  'npm run dev replaces a changed part of the open page, and starts the core again with its data',
  { timeout: 900_000 },
  async () => {
    const folder = copySources()
    endFirstRun(join(folder, 'data'))
    const dev = startDev(folder, '--data', join(folder, 'data'), '--inspect=0')
    await expect.poll(dev.output, { timeout: 300_000 }).toMatch(/\?key=/)
    expect(dev.output()).toContain('Debugger listening on ws://127.0.0.1:')
    const [address = ''] = /http:\/\/127\.0\.0\.1:\d+\/\?key=[\w-]+/.exec(dev.output()) ?? []

    const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-quic'] })
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const refused: string[] = []
    page.on('console', (message) => /Content Security Policy/.test(message.text()) && refused.push(message.text()))
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).first().waitFor({ timeout: 300_000 })

    expect(await page.evaluate(async () => (await fetch('/')).headers.get('content-security-policy'))).toBe(
      contentSecurityPolicy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    )
    // Whom the core does not know gets no page and no source.
    const stranger = await (await browser.newContext()).newPage()
    for (const path of ['/', '/main.ts', '/@vite/client', '/bridge.js'])
      expect((await stranger.goto(new URL(path, page.url()).href))?.status(), path).toBe(401)

    const call = (name: string, input: unknown = {}) =>
      page.evaluate(([name, input]) => (window as unknown as { fitter: Bridge }).fitter.call(name, input), [
        name,
        input
      ] as const)
    await page.evaluate(() => Object.assign(window, { isTheSamePage: true }))
    change(join(folder, 'renderer/app/frame/SideRail.vue'), '<nav class="', '<nav data-changed class="')
    await page.locator('nav[data-changed]').waitFor({ timeout: 180_000 })
    expect(await page.evaluate(() => 'isTheSamePage' in window), dev.output()).toBe(true)

    expect(await call('settings.change', { technician: 'Ana Ruiz' })).toMatchObject({ ok: true })
    change(join(folder, 'main/app/version.ts'), 'packageFile.version', '`${packageFile.version}-changed`')
    await page.waitForFunction(() => !('isTheSamePage' in window), undefined, { timeout: 180_000 })
    await page.getByRole('heading', { level: 1 }).first().waitFor({ timeout: 180_000 })
    expect(await call('app.info')).toMatchObject({ value: { version: expect.stringMatching(/-changed$/) } })
    expect(await call('settings.get')).toMatchObject({ value: { technician: 'Ana Ruiz' } })
    expect(refused).toEqual([])

    await page.close()
    dev.end()
    expect(await dev.ended).toBe(0)
  }
)

test('npm run dev says what it understands', async () => {
  const dev = startDev(projectFolder, '--nonsense')
  expect(await dev.ended).toBe(2)
  expect(dev.output()).toContain('--inspect[=PORT]')
})
