import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { maxMessageBytes } from '../../../main/app/browserHost/bridgeSocket.ts'
import { startBrowserHost } from '../../../main/app/browserHost/index.ts'
import {
  beats,
  browserHost,
  closeCode,
  entryHost,
  get,
  host,
  nextMessage,
  openOwnSocket,
  openSocket,
  origin,
  page,
  serve,
  signIn,
  useBrowserHost
} from '../../world/window/browserHostBench.ts'

useBrowserHost()

describe('the map file', () => {
  it('is given to our own page alone: with its cookie, under its name, and to no other origin', async () => {
    const cookie = await signIn()
    const range = { Range: 'bytes=0-9' }
    const given = await get('/map/offline.pmtiles', { Cookie: cookie, ...range })
    expect([given.status, given.body]).toEqual([200, '/map/offline.pmtiles bytes=0-9'])
    expect((await get('/map/offline.pmtiles', range)).status).toBe(401)
    expect((await get('/map/offline.pmtiles', { Cookie: cookie, Host: entryHost(), ...range })).status).toBe(401)
    expect(
      (await get('/map/offline.pmtiles', { Cookie: cookie, Origin: 'http://elsewhere.example', ...range })).status
    ).toBe(403)
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
    for (const path of ['/', '/app.js', '/bridge.js'])
      expect((await get(path, { Cookie: cookie, Host: entryHost() })).status).toBe(401)
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
    const attempts = [
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/assets/../../secret.txt',
      '/notes.exe',
      '//secret.txt',
      '/assets',
      '/\\..\\secret.txt'
    ]
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
    await expect(second).rejects.toMatchObject({
      sentence: { id: 'app.portTaken', values: { port: browserHost.port } }
    })
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
    beats.length = 0
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
    const wrong = [
      'not json',
      '[]',
      'null',
      '{"id":"1","name":"app.info"}',
      '{"id":1}',
      '{"id":1.5,"name":"a"}',
      Buffer.from([1, 2])
    ]
    for (const text of wrong) {
      const socket = await openOwnSocketAgain()
      socket.send(text)
      expect([text, await closeCode(socket)]).toEqual([text, expect.toBeOneOf([1002, 1007])])
    }
    expect(host.calls).toEqual([])
  })

  it('starts at a free port where the kept one is none', async () => {
    const keptIn = mkdtempSync(join(tmpdir(), 'fitter-kept-'))
    writeFileSync(
      join(keptIn, 'browser-host.json'),
      JSON.stringify({ name: 'a'.repeat(32), port: 70_000, sessions: [] })
    )
    await browserHost.stop()
    await serve({ keptIn })
    expect(browserHost.port).toBeGreaterThan(0)
    expect((JSON.parse(readFileSync(join(keptIn, 'browser-host.json'), 'utf8')) as { port: number }).port).toBe(
      browserHost.port
    )
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
