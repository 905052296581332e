import { chromium, type Browser, type Page } from '@playwright/test'
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BrowserWindow, IpcMainInvokeEvent } from 'electron'
import { answerCall } from '../../../main/app/electron/ipc.ts'
import { answerPage } from '../../../main/app/electron/protocol.ts'
import { listPage } from '../../../main/base/page/manifest.ts'
import { canRun } from '../../world/data/requirement.ts'
import { makePageFolder } from '../../world/window/pageFolder.ts'
import { makeTestHost, type TestHost } from '../../world/gateway/testHost.ts'

/**
 * The replies of the desktop window, with their own headers, in a real browser: what they forbid has to be refused
 * there.
 */

const chromiumPath = process.env.FITTER_CHROMIUM ?? '/usr/bin/chromium'

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe.runIf(canRun(existsSync(chromiumPath), 'chromium'))('in Chromium', () => {
  let browser: Browser
  let page: Page
  let folder: ReturnType<typeof makePageFolder>
  let host: TestHost
  let servers: Server[]
  let own: string
  /** Another origin, and the requests that reached it. */
  let foreign: string
  let reached: string[]

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-quic'] })
    folder = makePageFolder({ 'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="3"/>' })
    host = makeTestHost()
    const manifest = listPage(folder.folder)
    const serving = createServer((request, response) => {
      void answerPage(
        { url: `app://fitter${request.url}`, method: request.method ?? '', headers: new Headers() },
        manifest,
        host
      ).then(async (reply) => {
        response.writeHead(reply.status, Object.fromEntries(reply.headers))
        response.end(Buffer.from(await reply.arrayBuffer()))
      })
    })
    reached = []
    const other = createServer((request, response) => {
      reached.push(request.url ?? '')
      const isPage = request.url?.startsWith('/page')
      response.writeHead(200, {
        'Content-Type': isPage ? 'text/html' : 'text/javascript',
        'Access-Control-Allow-Origin': '*'
      })
      response.end(
        isPage ? `<!doctype html><title>foreign</title><iframe src="${own}/"></iframe>` : 'globalThis.wasReached = true'
      )
    })
    servers = [serving, other]
    ;[own, foreign] = (await Promise.all(servers.map(listen))) as [string, string]
    page = await browser.newPage()
  })
  beforeEach(() => void reached.splice(0))
  afterAll(async () => {
    await browser.close()
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
    folder.remove()
  })

  async function openOwn(): Promise<void> {
    await page.goto(`${own}/`)
    await expect.poll(() => page.title()).toBe('started')
  }

  /** Runs a script in the page, and returns the directive of the first violation that follows. */
  function violate(attempt: string): Promise<string> {
    return page.evaluate(
      ({ text, address }) =>
        new Promise<string>((resolve) => {
          document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), {
            once: true
          })
          setTimeout(() => resolve('not refused'), 10_000)
          const attempts: Record<string, () => unknown> = {
            'inline script': () =>
              document.head.append(
                Object.assign(document.createElement('script'), { textContent: 'globalThis.broken = 1' })
              ),
            'text as code': () => setTimeout('globalThis.broken = 1' as unknown as () => void),
            'code in an attribute': () => document.body.setAttribute('onclick', 'globalThis.broken = 1'),
            'foreign script': () =>
              document.head.append(Object.assign(document.createElement('script'), { src: `${address}/script.js` })),
            'script from memory': () =>
              document.head.append(
                Object.assign(document.createElement('script'), {
                  src: URL.createObjectURL(new Blob(['globalThis.broken = 1']))
                })
              ),
            'worker from memory': () => new Worker(URL.createObjectURL(new Blob(['']))),
            'inline style': () =>
              document.head.append(
                Object.assign(document.createElement('style'), { textContent: 'body { color: red }' })
              ),
            'style in an attribute': () => document.body.setAttribute('style', 'color: red'),
            'foreign style': () =>
              document.head.append(
                Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `${address}/style.css` })
              ),
            'foreign picture': () =>
              document.body.append(Object.assign(new Image(), { src: `${address}/picture.png` })),
            'foreign font': () => void new FontFace('x', `url(${address}/font.woff2)`).load().catch(() => undefined),
            'foreign request': () => void fetch(`${address}/data`).catch(() => undefined),
            'foreign socket': () => new WebSocket(address.replace('http', 'ws')),
            'foreign events': () => new EventSource(`${address}/events`),
            'foreign beacon': () => navigator.sendBeacon(`${address}/beacon`, 'secret'),
            'foreign frame': () =>
              document.body.append(Object.assign(document.createElement('iframe'), { src: `${address}/page` })),
            'own frame': () => document.body.append(Object.assign(document.createElement('iframe'), { src: '/' })),
            object: () =>
              document.body.append(Object.assign(document.createElement('object'), { data: `${address}/object` })),
            'base address': () =>
              document.head.append(Object.assign(document.createElement('base'), { href: `${address}/` })),
            form: () => {
              const form = Object.assign(document.createElement('form'), { action: `${address}/form`, method: 'post' })
              document.body.append(form)
              form.submit()
            },
            'foreign film': () =>
              document.body.append(Object.assign(document.createElement('video'), { src: `${address}/film.mp4` }))
          }
          try {
            attempts[text]?.()
          } catch {
            // Some are refused with an error as well; the event says by which directive.
          }
        }),
      { text: attempt, address: foreign }
    )
  }

  it.each([
    ['inline script', 'script-src-elem'],
    ['text as code', 'script-src'],
    ['code in an attribute', 'script-src-attr'],
    ['foreign script', 'script-src-elem'],
    ['script from memory', 'script-src-elem'],
    ['worker from memory', 'worker-src'],
    ['inline style', 'style-src-elem'],
    ['style in an attribute', 'style-src-attr'],
    ['foreign style', 'style-src-elem'],
    ['foreign picture', 'img-src'],
    ['foreign font', 'font-src'],
    ['foreign request', 'connect-src'],
    ['foreign socket', 'connect-src'],
    ['foreign events', 'connect-src'],
    ['foreign beacon', 'connect-src'],
    ['foreign frame', 'frame-src'],
    ['own frame', 'frame-src'],
    ['object', 'object-src'],
    ['base address', 'base-uri'],
    ['form', 'form-action'],
    ['foreign film', 'media-src']
  ])('the page is refused: %s (%s)', async (attempt, directive) => {
    // Nothing of an attempt stays: it was refused.
    if (page.url() !== `${own}/`) await openOwn()
    expect(await violate(attempt)).toBe(directive)
    expect(await page.evaluate(() => 'broken' in globalThis)).toBe(false)
    expect(reached).toEqual([])
  })

  it('the page is not refused what it needs: its script, its own requests, styles by script, pictures from memory', async () => {
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await openOwn()
    const works = await page.evaluate(async () => {
      document.body.style.color = 'rgb(1, 2, 3)'
      const load = (src: string): Promise<boolean> =>
        new Promise((resolve) =>
          document.body.append(
            Object.assign(new Image(), { src, onload: () => resolve(true), onerror: () => resolve(false) })
          )
        )
      const text = await (await fetch('/picture.svg')).text()
      return [
        getComputedStyle(document.body).color,
        text.startsWith('<svg'),
        await load('/picture.svg'),
        await load(`data:image/svg+xml,${encodeURIComponent(text)}`),
        await load(URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' })))
      ]
    })
    expect(works).toEqual(['rgb(1, 2, 3)', true, true, true, true])
    expect(said).toEqual([])
  })

  it('a frame that is a text has the same policy', async () => {
    await openOwn()
    const isBroken = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const frame = document.createElement('iframe')
          frame.srcdoc = '<script>globalThis.broken = 1</script>'
          frame.onload = () => resolve('broken' in (frame.contentWindow ?? {}))
          document.body.append(frame)
        })
    )
    expect(isBroken).toBe(false)
  })

  it('no other page frames ours', async () => {
    await page.goto(`${foreign}/page`)
    const [, frame] = page.frames()
    await expect.poll(() => frame?.url()).toBe('chrome-error://chromewebdata/')
    expect(await frame?.title()).not.toBe('started')
  })

  it('no other page reads our files, not even as a script or a picture', async () => {
    await page.goto(`${foreign}/script.js`)
    const refused = await page.evaluate(async (address) => {
      const ask = (mode: RequestMode): Promise<string> =>
        fetch(`${address}/app.js`, { mode }).then(
          () => 'answered',
          () => 'refused'
        )
      const script = (): Promise<string> =>
        new Promise((resolve) =>
          document.documentElement.append(
            Object.assign(document.createElement('script'), {
              src: `${address}/app.js`,
              onload: () => resolve('answered'),
              onerror: () => resolve('refused')
            })
          )
        )
      return [await ask('cors'), await ask('no-cors'), await script()]
    }, own)
    expect(refused).toEqual(['refused', 'refused', 'refused'])
  })

  it('calls are answered for the main frame of our own page, and for no frame inside of it and no other page', async () => {
    const addressOf = (address: string): string =>
      address.startsWith(own) ? address.replace(own, 'app://fitter') : address
    const frames = new WeakMap<object, { url: string }>()
    const frameOf = (frame: ReturnType<Page['mainFrame']>): { url: string } => {
      const known = frames.get(frame) ?? { url: '' }
      frames.set(frame, known)
      known.url = addressOf(frame.url())
      return known
    }
    const contents = {
      get mainFrame() {
        return frameOf(page.mainFrame())
      }
    }
    const window = { isDestroyed: () => false, webContents: contents } as unknown as BrowserWindow
    await page.exposeBinding('ask', ({ frame, page: sender }, name: unknown) =>
      answerCall(
        host,
        window,
        { sender: sender === page ? contents : {}, senderFrame: frameOf(frame) } as unknown as IpcMainInvokeEvent,
        name,
        {}
      )
    )
    type Asking = { ask(name: unknown): Promise<{ ok: boolean }> }

    await openOwn()
    expect(await page.evaluate(() => (globalThis as unknown as Asking).ask('app.info'))).toMatchObject({ ok: true })
    expect(await page.evaluate(() => (globalThis as unknown as Asking).ask(7))).toMatchObject({ ok: false })
    await page.evaluate(() => document.body.append(document.createElement('iframe')))
    await expect.poll(() => page.frames().length).toBe(2)
    expect(await page.frames()[1]?.evaluate(() => (globalThis as unknown as Asking).ask('app.info'))).toMatchObject({
      ok: false
    })
    await page.goto('about:blank')
    expect(await page.evaluate(() => (globalThis as unknown as Asking).ask('app.info'))).toMatchObject({ ok: false })
    await page.goto(`${foreign}/script.js`)
    expect(await page.evaluate(() => (globalThis as unknown as Asking).ask('app.info'))).toMatchObject({ ok: false })
    expect(host.calls).toHaveLength(1)
  })
})
