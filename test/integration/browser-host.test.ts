import { chromium, type Browser } from '@playwright/test'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { networkInterfaces, tmpdir } from 'node:os'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { maxMessageBytes } from '../../main/browserHost/bridgeSocket.ts'
import { startBrowserHost, type BrowserHost } from '../../main/browserHost/index.ts'
import { makeRedirectFile } from '../../main/browserHost/redirectFile.ts'
import { makePageFolder } from '../support/pageFolder.ts'
import { makeTestHost, type TestHost } from '../support/testHost.ts'

const chromiumPath = process.env.FITTER_CHROMIUM ?? '/usr/bin/chromium'

let host: TestHost
let page: ReturnType<typeof makePageFolder>
let browserHost: BrowserHost
beforeEach(async () => {
  host = makeTestHost()
  page = makePageFolder()
  browserHost = await startBrowserHost({ host, rendererFolder: page.folder })
})
afterEach(async () => {
  await browserHost.stop()
  page.remove()
})

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Sends the path exactly as given: `fetch` would tidy up `..` before it leaves. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port: browserHost.port, path, method, headers: { Host: new URL(browserHost.origin).host, ...headers } }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (body += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    request.on('error', reject)
    request.end()
  })
}

/** What a browser does with the printed address: the entry leads on to the page's own name, which gives the cookie. */
async function signIn(url = browserHost.url): Promise<string> {
  const entry = await get(new URL(url).pathname + new URL(url).search, { Host: new URL(url).host })
  expect(entry.status).toBe(303)
  const answer = await get(`/${new URL(entry.headers.location!).search}`)
  expect(answer.status).toBe(303)
  return answer.headers['set-cookie']![0]!.split(';')[0]!
}

const origin = (): string => browserHost.origin
const entryHost = (): string => `127.0.0.1:${browserHost.port}`

/** The first messages can come together with the upgrade, before anyone could listen. */
const inboxes = new WeakMap<WebSocket, unknown[]>()
let beats: string[] = []

/** Resolves with the open socket, or with the status that refused it. */
function openSocket(headers: Record<string, string>, path = '/bridge'): Promise<WebSocket | number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${browserHost.port}${path}`, { headers: { Host: new URL(browserHost.origin).host, ...headers } })
    const inbox: unknown[] = []
    inboxes.set(socket, inbox)
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString()) as { beat?: string }
      if (message.beat === undefined) inbox.push(message)
      else beats.push(message.beat)
    })
    socket.on('open', () => resolve(socket))
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    socket.on('error', reject)
  })
}

async function openOwnSocket(): Promise<WebSocket> {
  const socket = await openSocket({ Cookie: await signIn(), Origin: origin() })
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
  return socket
}

async function nextMessage(socket: WebSocket): Promise<unknown> {
  const inbox = inboxes.get(socket)!
  await expect.poll(() => inbox.length, { interval: 5 }).toBeGreaterThan(0)
  return inbox.shift()
}

function closeCode(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => socket.once('close', (code) => resolve(code)))
}

describe('the map file', () => {
  it('is given to our own page alone: with its cookie, under its name, and to no other origin', async () => {
    const cookie = await signIn()
    const range = { Range: 'bytes=0-9' }
    const given = await get('/map/offline.pmtiles', { Cookie: cookie, ...range })
    expect([given.status, given.body]).toEqual([200, '/map/offline.pmtiles bytes=0-9'])
    expect((await get('/map/offline.pmtiles', range)).status).toBe(401)
    expect((await get('/map/offline.pmtiles', { Cookie: cookie, Host: entryHost(), ...range })).status).toBe(401)
    expect((await get('/map/offline.pmtiles', { Cookie: cookie, Origin: 'http://elsewhere.example', ...range })).status).toBe(403)
    expect((await get('/map/offline.pmtiles', { Cookie: cookie, ...range }, 'POST')).status).toBe(405)
    // What would lead out of it is another address by the time it is looked up.
    expect((await get('/map/../fitter.db', { Cookie: cookie })).status).toBe(404)
  })
})

describe('the door', () => {
  it('leads from the printed address to a random name of this computer, where alone a cookie is set', async () => {
    expect(browserHost.url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${browserHost.port}/\\?key=`))
    const entry = await get(`/?${new URL(browserHost.url).searchParams}`, { Host: entryHost() })
    expect(entry.status).toBe(303)
    expect(entry.headers['set-cookie']).toBeUndefined()
    expect(entry.headers.location).toMatch(/^http:\/\/[0-9a-f]{32}\.localhost:\d+\/\?key=[\w-]{43}$/)
    expect(entry.headers.location).not.toContain(new URL(browserHost.url).searchParams.get('key'))
  })

  it('shows nothing under the printed address, not even with the cookie', async () => {
    const cookie = await signIn()
    for (const path of ['/', '/app.js', '/bridge.js']) expect((await get(path, { Cookie: cookie, Host: entryHost() })).status).toBe(401)
    expect(await openSocket({ Cookie: cookie, Host: entryHost(), Origin: `http://${entryHost()}` })).toBe(403)
  })

  it('is opened by a plain curl with a cookie jar, from the printed address', async () => {
    const jar = join(page.folder, '..', 'jar')
    const shown = await promisify(execFile)('curl', ['-fsSL', '-m', '10', '-c', jar, '-b', jar, browserHost.url])
    expect(shown.stdout).toContain('<script')
  })

  it('has its cookie under a name that no other port of this computer is asked by', async () => {
    const first = browserHost.origin
    const second = await startBrowserHost({ host, rendererFolder: page.folder })
    expect(new URL(second.origin).hostname).not.toBe(new URL(first).hostname)
    await second.stop()
  })

  it('exchanges the second key for a strict HttpOnly cookie and moves on to the page', async () => {
    const entry = await get(`/?${new URL(browserHost.url).searchParams}`, { Host: entryHost() })
    const answer = await get(`/${new URL(entry.headers.location!).search}`)
    expect(answer.status).toBe(303)
    expect(answer.headers.location).toBe('/')
    expect(answer.headers['set-cookie']![0]).toMatch(/; HttpOnly; SameSite=Strict$/)
    const cookie = answer.headers['set-cookie']![0]!.split(';')[0]!
    const shown = await get('/', { Cookie: cookie })
    expect(shown.status).toBe(200)
    expect(shown.body).toMatch(/<head><script src="\/bridge\.js"><\/script>/)
  })

  it('takes a key once only, and gives another when asked', async () => {
    await signIn()
    const second = await get(`/?${new URL(browserHost.url).searchParams}`, { Host: entryHost() })
    expect(second.status).toBe(401)
    expect(second.headers['set-cookie']).toBeUndefined()
    await signIn(browserHost.issueKey())
  })

  it('shows nothing without the cookie, neither the page nor a script', async () => {
    for (const path of ['/', '/index.html', '/app.js', '/bridge.js', '/nothing', '/?key=wrong']) {
      const answer = await get(path)
      expect([path, answer.status]).toEqual([path, 401])
      expect(answer.body).not.toContain('<script')
    }
  })

  it('refuses a foreign host name, as DNS rebinding brings it', async () => {
    const cookie = await signIn()
    for (const name of ['attacker.example', `attacker.example:${browserHost.port}`, `localhost:${browserHost.port}`]) {
      expect((await get('/', { Cookie: cookie, Host: name })).status).toBe(421)
    }
  })

  it('refuses a request that another page sends', async () => {
    const cookie = await signIn()
    expect((await get('/', { Cookie: cookie, Origin: 'http://attacker.example' })).status).toBe(403)
    expect((await get('/', { Cookie: cookie, Origin: 'null' })).status).toBe(403)
  })

  it('serves only what is in the built page, whatever the path tries', async () => {
    const cookie = await signIn()
    const attempts = ['/../secret.txt', '/..%2fsecret.txt', '/%2e%2e/secret.txt', '/assets/../../secret.txt', '/notes.exe', '//secret.txt', '/assets', '/\\..\\secret.txt']
    for (const path of attempts) {
      const answer = await get(path, { Cookie: cookie })
      expect([path, answer.status]).toEqual([path, expect.toBeOneOf([400, 404])])
      expect(answer.body).not.toContain('secret')
    }
    expect((await get('/', { Cookie: cookie }, 'POST')).status).toBe(405)
  })

  it('puts the policy on every reply, also on refusals', async () => {
    const cookie = await signIn(browserHost.issueKey())
    const replies = [
      await get('/', { Cookie: cookie }),
      await get('/app.js', { Cookie: cookie }),
      await get('/bridge.js', { Cookie: cookie }),
      await get('/nothing', { Cookie: cookie }),
      await get('/'),
      await get('/', { Host: 'attacker.example' }),
      await get(`/?${new URL(browserHost.url).searchParams}`)
    ]
    for (const reply of replies) {
      expect(reply.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';")
      expect(reply.headers['x-content-type-options']).toBe('nosniff')
      expect(reply.headers['referrer-policy']).toBe('no-referrer')
    }
  })

  it('listens on the loopback address and on no other card', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((cards) => cards ?? [])
      .filter((card) => card.family === 'IPv4' && !card.internal)
      .map((card) => card.address)
    for (const address of [...others, '127.0.0.2']) {
      const reached = await new Promise((resolve) => {
        const socket = connect({ host: address, port: browserHost.port, timeout: 1_000 })
        socket.on('connect', () => resolve(true))
        socket.on('error', () => resolve(false))
        socket.on('timeout', () => resolve(false))
        socket.on('close', () => socket.destroy())
      })
      expect([address, reached]).toEqual([address, false])
    }
  })

  it('says which port is taken', async () => {
    const second = startBrowserHost({ host, rendererFolder: page.folder, port: browserHost.port })
    await expect(second).rejects.toMatchObject({ sentence: { id: 'app.portTaken', values: { port: browserHost.port } } })
  })
})

describe('the bridge', () => {
  it('opens for our own page only: cookie, host and origin have to be right', async () => {
    const cookie = await signIn()
    expect(await openSocket({ Origin: origin() })).toBe(403)
    expect(await openSocket({ Cookie: cookie })).toBe(403)
    expect(await openSocket({ Cookie: cookie, Origin: 'http://attacker.example' })).toBe(403)
    expect(await openSocket({ Cookie: cookie, Origin: `http://localhost:${browserHost.port}` })).toBe(403)
    expect(await openSocket({ Cookie: cookie, Origin: 'null' })).toBe(403)
    expect(await openSocket({ Cookie: cookie, Origin: origin(), Host: 'attacker.example' })).toBe(403)
    expect(await openSocket({ Cookie: cookie, Origin: origin() }, '/other')).toBe(403)
    const socket = await openSocket({ Cookie: cookie, Origin: origin() })
    expect(socket).toBeInstanceOf(WebSocket)
    ;(socket as WebSocket).terminate()
  })

  it('carries a call and its answer', async () => {
    const socket = await openOwnSocket()
    socket.send(JSON.stringify({ id: 7, name: 'app.info', input: { a: [1, null] } }))
    expect(await nextMessage(socket)).toEqual({
      id: 7,
      result: { ok: true, value: { name: 'app.info', input: { a: [1, null] } } }
    })
    socket.terminate()
  })

  it('gives a sign of life again and again, so that a silent core is noticed', async () => {
    beats = []
    const socket = await openOwnSocket()
    await expect.poll(() => beats.length).toBeGreaterThan(2)
    expect(new Set(beats).size).toBe(1)
    socket.terminate()
  })

  it('tells nothing of a bug but that there was one', async () => {
    const socket = await openOwnSocket()
    socket.send(JSON.stringify({ id: 1, name: 'throws', input: {} }))
    const answer = JSON.stringify(await nextMessage(socket))
    expect(answer).toContain('INTERNAL')
    expect(answer).not.toContain('secret')
    socket.terminate()
  })

  it('closes on anything that is not a call, and the core sees none of it', async () => {
    const wrong = ['not json', '[]', 'null', '{"id":"1","name":"app.info"}', '{"id":1}', '{"id":1.5,"name":"a"}', Buffer.from([1, 2])]
    for (const text of wrong) {
      const socket = await openOwnSocketAgain()
      socket.send(text)
      expect([text, await closeCode(socket)]).toEqual([text, expect.toBeOneOf([1002, 1007])])
    }
    expect(host.calls).toEqual([])
  })

  it('starts at a free port where the kept one is none', async () => {
    const keptIn = mkdtempSync(join(tmpdir(), 'fitter-kept-'))
    writeFileSync(join(keptIn, 'browser-host.json'), JSON.stringify({ name: 'a'.repeat(32), port: 70_000, sessions: [] }))
    await browserHost.stop()
    browserHost = await startBrowserHost({ host, rendererFolder: page.folder, keptIn })
    expect(browserHost.port).toBeGreaterThan(0)
    expect((JSON.parse(readFileSync(join(keptIn, 'browser-host.json'), 'utf8')) as { port: number }).port).toBe(browserHost.port)
    rmSync(keptIn, { recursive: true, force: true })
  })

  it('closes a connection on which half a request came', async () => {
    const socket = connect(browserHost.port, '127.0.0.1')
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.on('error', () => undefined)
    socket.resume().write('GET / HTTP/1.1\r\nHost: a')
    await closed
  })

  it('carries the largest input of the contract: a photo that is kept with a job', async () => {
    const input = { jobId: 'j', stepId: 's', photo: { base64: 'x'.repeat(4_000_000) } }
    const socket = await openOwnSocket()
    socket.send(JSON.stringify({ id: 1, name: 'photos.keep', input }))
    await nextMessage(socket)
    expect(host.calls.map(({ name }) => name)).toEqual(['photos.keep'])
    socket.terminate()
  })

  it('does not read a message without limit', async () => {
    const socket = await openOwnSocket()
    socket.on('error', () => undefined)
    socket.send(JSON.stringify({ id: 1, name: 'app.info', input: 'x'.repeat(maxMessageBytes) }))
    expect(await closeCode(socket)).toBe(1009)
    expect(host.calls).toEqual([])
  })

  it('carries events, and gives a page that comes back the newest state', async () => {
    const socket = await openOwnSocket()
    host.emit('discovery.changed', { devices: 1 })
    expect(await nextMessage(socket)).toEqual({ event: 'discovery.changed', payload: { devices: 1 } })
    socket.terminate()
    host.emit('discovery.changed', { devices: 2 })
    const again = await openOwnSocketAgain()
    expect(await nextMessage(again)).toEqual({ event: 'discovery.changed', payload: { devices: 2 } })
    again.terminate()
  })

  it('forgets the state of the workplace that was left', async () => {
    host.emit('discovery.changed', { devices: 1 })
    host.emit('app.entered', { workplace: 'training' })
    host.emit('gateway.changed', { state: 'new' })
    const socket = await openOwnSocket()
    expect(await nextMessage(socket)).toEqual({ event: 'gateway.changed', payload: { state: 'new' } })
    socket.terminate()
  })

  async function openOwnSocketAgain(): Promise<WebSocket> {
    const socket = await openSocket({ Cookie: await signIn(browserHost.issueKey()), Origin: origin() })
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
    return socket
  }
})

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
    for (const path of [fileURLToPath(redirect.url), dirname(fileURLToPath(redirect.url))]) expect(statSync(path).mode & 0o077).toBe(0)
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
    browserHost = await startBrowserHost({ host, rendererFolder: page.folder, port })
    // Nothing was kept in a folder: the new host knows no old cookie, and the page has to be opened again with a new key.
    await tab.goto(browserHost.url)
    expect(await tab.evaluate(() => (globalThis as unknown as { fitter: Fitter }).fitter.call('app.info', {}))).toMatchObject({ ok: true })
  })

  it('an open page comes back by itself to a core that was started anew on the same data', async () => {
    const keptIn = mkdtempSync(join(tmpdir(), 'fitter-kept-'))
    await browserHost.stop()
    browserHost = await startBrowserHost({ host, rendererFolder: page.folder, keptIn })
    const { origin: before, port } = browserHost
    const tab = await browser.newPage()
    await tab.goto(browserHost.url)
    await expect.poll(() => tab.title()).toBe('started')
    await tab.evaluate(() => Object.assign(globalThis, { isOldPage: true }))
    await browserHost.stop()
    browserHost = await startBrowserHost({ host, rendererFolder: page.folder, keptIn })
    expect([browserHost.origin, browserHost.port]).toEqual([before, port])
    // The page belongs to the core that is gone, so it is loaded again.
    await expect.poll(() => tab.evaluate(() => 'isOldPage' in globalThis).catch(() => true), { timeout: 10_000 }).toBe(false)
    await expect.poll(() => tab.title()).toBe('started')
    expect(await tab.evaluate(() => (globalThis as unknown as { fitter: Fitter }).fitter.call('app.info', {}))).toMatchObject({ ok: true })
    const kept = join(keptIn, 'browser-host.json')
    expect(statSync(kept).mode & 0o077).toBe(0)
    const [cookie] = await tab.context().cookies()
    expect(readFileSync(kept, 'utf8')).not.toContain(cookie!.value)
    rmSync(keptIn, { recursive: true, force: true })
  })
})
