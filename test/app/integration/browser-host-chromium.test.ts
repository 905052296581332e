import { chromium, type Browser } from '@playwright/test'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeRedirectFile } from '../../../main/app/browserHost/redirectFile.ts'
import { browserHost, host, serve, useBrowserHost } from '../../world/window/browserHostBench.ts'

const chromiumPath = process.env.FITTER_CHROMIUM ?? '/usr/bin/chromium'

useBrowserHost()

describe.skipIf(!existsSync(chromiumPath))('in a real browser', () => {
  let browser: Browser
  beforeEach(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-quic'] })
  })
  afterEach(() => browser.close())

  interface Fitter {
    call(name: string, input: unknown): Promise<unknown>
    subscribe(listener: (name: string, payload: unknown) => void): () => void
  }

  it('the page gets its bridge before its own script, and calls cross under the policy', async () => {
    const tab = await browser.newPage()
    const violations: string[] = []
    tab.on('console', (message) => violations.push(message.text()))
    await tab.goto(browserHost.url)
    await expect.poll(() => tab.title()).toBe('started')
    expect(new URL(tab.url()).search).toBe('')
    const seen = await tab.evaluate(async () => {
      const { fitter } = globalThis as unknown as { fitter: Fitter }
      const property = Object.getOwnPropertyDescriptor(globalThis, 'fitter')
      return {
        names: Object.keys(fitter).sort(),
        isFrozen: Object.isFrozen(fitter),
        canBeReplaced: property?.writable === true || property?.configurable === true,
        answer: await fitter.call('app.info', { a: 1 }),
        circular: await fitter.call('app.info', globalThis)
      }
    })
    expect(seen).toMatchObject({
      names: ['call', 'lastHeardMs', 'subscribe'],
      isFrozen: true,
      canBeReplaced: false,
      answer: { ok: true, value: { name: 'app.info', input: { a: 1 } } },
      circular: { ok: false, error: { code: 'INVALID_REQUEST' } }
    })
    expect(violations).toEqual([])
  })

  it('a file that leads on opens the page too, and is gone once it was used', async () => {
    const redirect = makeRedirectFile(browserHost.issueKey(() => redirect.remove()))
    for (const path of [fileURLToPath(redirect.url), dirname(fileURLToPath(redirect.url))])
      expect(statSync(path).mode & 0o077).toBe(0)
    const tab = await browser.newPage()
    await tab.goto(redirect.url)
    await expect.poll(() => tab.title()).toBe('started')
    expect(new URL(tab.url()).href).toBe(`${browserHost.origin}/`)
    expect(existsSync(fileURLToPath(redirect.url))).toBe(false)
  })

  it('a subscriber hears events until it stops, and no script or connection from outside is let in', async () => {
    const tab = await browser.newPage()
    await tab.goto(browserHost.url)
    await expect.poll(() => tab.title()).toBe('started')
    await tab.evaluate(async () => {
      const page = globalThis as unknown as { fitter: Fitter; heard: unknown[]; stop: () => void }
      page.heard = []
      page.stop = page.fitter.subscribe((name, payload) => page.heard.push([name, payload]))
      await page.fitter.call('app.info', {})
    })
    host.emit('gateway.changed', { n: 1 })
    const heard = (): Promise<unknown> => tab.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard)
    await expect.poll(heard).toEqual([['gateway.changed', { n: 1 }]])
    await tab.evaluate(() => (globalThis as unknown as { stop: () => void }).stop())
    host.emit('gateway.changed', { n: 2 })
    await tab.evaluate(() => (globalThis as unknown as { fitter: Fitter }).fitter.call('app.info', {}))
    expect(await heard()).toEqual([['gateway.changed', { n: 1 }]])

    const blocked = await tab.evaluate(
      () =>
        new Promise((resolve) => {
          const directives: string[] = []
          document.addEventListener('securitypolicyviolation', (event) => {
            directives.push(event.effectiveDirective)
            if (directives.length === 3) resolve(directives.sort())
          })
          void fetch('http://127.0.0.1:9/').catch(() => undefined)
          const inline = document.createElement('script')
          inline.textContent = 'globalThis.broken = true'
          document.head.append(inline)
          document.body.append(Object.assign(document.createElement('iframe'), { src: 'http://127.0.0.1:9/' }))
        })
    )
    expect(blocked).toEqual(['connect-src', 'frame-src', 'script-src-elem'])
  })

  it('a call that is under way when the connection breaks ends with a clear answer, and the page comes back', async () => {
    const tab = await browser.newPage()
    await tab.goto(browserHost.url)
    await expect.poll(() => tab.title()).toBe('started')
    const answer = tab.evaluate(() => (globalThis as unknown as { fitter: Fitter }).fitter.call('slow', {}))
    await expect.poll(() => host.calls.length).toBe(1)
    const { port } = browserHost
    await browserHost.stop()
    expect(await answer).toMatchObject({ ok: false, error: { code: 'UNREACHABLE', retryable: true } })
    await serve({ port })
    // Nothing was kept in a folder: the new host knows no old cookie, and the page has to be opened again with a new
    // key.
    await tab.goto(browserHost.url)
    expect(
      await tab.evaluate(() => (globalThis as unknown as { fitter: Fitter }).fitter.call('app.info', {}))
    ).toMatchObject({ ok: true })
  })

  it('an open page comes back by itself to a core that was started anew on the same data', async () => {
    const keptIn = mkdtempSync(join(tmpdir(), 'fitter-kept-'))
    await browserHost.stop()
    await serve({ keptIn })
    const { origin: before, port } = browserHost
    const tab = await browser.newPage()
    await tab.goto(browserHost.url)
    await expect.poll(() => tab.title()).toBe('started')
    await tab.evaluate(() => Object.assign(globalThis, { isOldPage: true }))
    await browserHost.stop()
    await serve({ keptIn })
    expect([browserHost.origin, browserHost.port]).toEqual([before, port])
    // The page belongs to the core that is gone, so it is loaded again.
    await expect
      .poll(() => tab.evaluate(() => 'isOldPage' in globalThis).catch(() => true), { timeout: 45_000 })
      .toBe(false)
    await expect.poll(() => tab.title()).toBe('started')
    expect(
      await tab.evaluate(() => (globalThis as unknown as { fitter: Fitter }).fitter.call('app.info', {}))
    ).toMatchObject({ ok: true })
    const kept = join(keptIn, 'browser-host.json')
    expect(statSync(kept).mode & 0o077).toBe(0)
    const [cookie] = await tab.context().cookies()
    expect(readFileSync(kept, 'utf8')).not.toContain(cookie!.value)
    rmSync(keptIn, { recursive: true, force: true })
  })
})
