import { createHash } from 'node:crypto'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { makePhoneFile } from '../../../main/job/phonePage/phoneFile.ts'
import {
  mostPhones,
  mostUnsentBytes,
  startPhoneServer,
  type PhoneServer,
  type PhoneServerOptions
} from '../../../main/job/phonePage/phoneServer.ts'
import { createTexts } from '../../../main/base/messages/texts.ts'

const file = makePhoneFile(createTexts({ language: 'en' }))
let server: PhoneServer
let changes = 0

function start(options: Partial<PhoneServerOptions> = {}): Promise<PhoneServer> {
  return startPhoneServer({
    address: '127.0.0.1',
    file: () => file,
    view: () => '{"first":1}',
    changed: () => (changes += 1),
    reportFault: (error) => expect.fail(String(error)),
    ...options
  })
}

beforeEach(async () => {
  changes = 0
  server = await start()
})
afterEach(() => server.stop('{"ended":"over"}'))

const addressOf = (one = server) => ({ host: '127.0.0.1', port: Number(new URL(one.url).port) })
const pathOf = (one = server) => new URL(one.url).pathname
const hostOf = (one = server) => new URL(one.url).host

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Sends the path exactly as given: `fetch` would tidy up `..` before it leaves. */
function ask(
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
    from
  }: { method?: string; headers?: Record<string, string>; body?: string; from?: string } = {}
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        ...addressOf(),
        path,
        method,
        agent: false,
        ...(from === undefined ? {} : { localAddress: from }),
        headers: { Host: hostOf(), ...headers }
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => (text += part))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
        response.on('error', reject)
      }
    )
    request.on('error', reject)
    request.end(body)
  })
}

function openSocket(from?: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...addressOf(), ...(from === undefined ? {} : { localAddress: from }) })
    onTestFinished(() => void socket.destroy())
    socket.on('error', reject)
    socket.on('connect', () => resolve(socket))
  })
}

/** Everything that comes until the other side closes. */
function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (part) => (text += part.toString()))
    socket.on('error', () => resolve(text))
    socket.on('close', () => resolve(text))
  })
}

interface Feed {
  socket: Socket
  text(): string
  closed: Promise<string>
}

async function openFeed(from?: string): Promise<Feed> {
  const socket = await openSocket(from)
  let text = ''
  socket.on('data', (part) => (text += part.toString()))
  const closed = readAll(socket)
  socket.write(`GET ${pathOf()}/live HTTP/1.1\r\nHost: ${hostOf()}\r\n\r\n`)
  await expect.poll(() => text, { interval: 5 }).toContain('data: ')
  return { socket, text: () => text, closed }
}

function expectBare(answer: Answer): void {
  expect([answer.status, answer.body]).toEqual([404, ''])
  expect(answer.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
  expect(answer.headers['cache-control']).toBe('no-store')
}

describe('the page', () => {
  it('has an address that nobody guesses: 128 random bits, another one each time', async () => {
    expect(server.token).toMatch(/^[0-9a-f]{32}$/)
    expect(new URL(server.url).pathname).toBe(`/${server.token}`)
    const other = await start()
    expect(other.token).not.toBe(server.token)
    expect(new URL(other.url).port).not.toBe(new URL(server.url).port)
    await other.stop('{}')
  })

  it('comes with a policy that allows its own script and style alone, and is never stored', async () => {
    const answer = await ask(pathOf())
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    const hash = (name: string) =>
      `'sha256-${createHash('sha256')
        .update(new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(answer.body)?.[1] ?? '')
        .digest('base64')}'`
    expect(answer.headers['content-security-policy']).toBe(
      `default-src 'none'; script-src ${hash('script')}; style-src ${hash('style')}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
    )
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin'
    })
    for (const name of ['set-cookie', 'access-control-allow-origin', 'server', 'x-powered-by'])
      expect(answer.headers).not.toHaveProperty(name)
    expect(answer.body).not.toMatch(/src=|href=|@import|url\((?!#)|<form|<button|<input|<a\b/)
    expect(answer.body).not.toContain('{"words":"here"}')
  })

  it('answers HEAD without a body, for the page and for its feed', async () => {
    const page = await ask(pathOf(), { method: 'HEAD' })
    expect([page.status, page.body, Number(page.headers['content-length'])]).toEqual([
      200,
      '',
      Buffer.byteLength(file.html)
    ])
    const feed = await ask(`${pathOf()}/live`, { method: 'HEAD' })
    expect([feed.status, feed.body, feed.headers['content-type']]).toEqual([
      200,
      '',
      'text/event-stream; charset=utf-8'
    ])
    expect(server.phones()).toBe(0)
  })

  it('knows whether a phone has ever reached it', async () => {
    expect(server.isReached()).toBe(false)
    await ask('/')
    await ask(pathOf(), { headers: { Host: 'attacker.example' } })
    expect([server.isReached(), changes]).toEqual([false, 0])
    await ask(pathOf())
    expect([server.isReached(), changes]).toEqual([true, 1])
  })

  it('is made in both languages from one source, and contains no markup of the texts', () => {
    const spanish = makePhoneFile(createTexts({ language: 'es' }))
    expect(spanish.html).toContain('<html lang="es">')
    expect(spanish.html).toContain('Solo lectura')
    expect(spanish.policy).toBe(file.policy)
    const [, words = ''] = /id="words">(.*?)<\/script>/s.exec(spanish.html) ?? []
    expect(JSON.parse(words)).toMatchObject({ ago: 'hace {age}', away: 'La computadora no responde desde hace {age}.' })
    expect(Object.values(JSON.parse(words) as object).filter((text) => String(text).startsWith('phonePage.'))).toEqual(
      []
    )
  })
})

describe('everything else gets a bare 404', () => {
  it('whatever the path tries', async () => {
    const token = pathOf().slice(1)
    const wrong = [
      '/',
      '/favicon.ico',
      '/robots.txt',
      `/${'0'.repeat(32)}`,
      `/${token.slice(0, -1)}`,
      `/${token}0`,
      `/${token.toUpperCase()}x`,
      `/${token}/`,
      `/${token}/live/`,
      `/${token}?`,
      `/${token}?a=1`,
      `/${token}/live?x`,
      `//${token}`,
      `/./${token}`,
      `/x/../${token}`,
      `/%2e/${token}`,
      `/${token}%00`,
      `/%${token.charCodeAt(0).toString(16)}${token.slice(1)}`,
      `/${token}/../${token}`,
      `/${token}/../../etc/passwd`,
      `/..%2f..%2fetc%2fpasswd`,
      `/${token}\\live`,
      `/${token};a`,
      `http://${hostOf()}/${token}`,
      `http://attacker.example/${token}`,
      '*'
    ]
    for (const path of wrong) {
      const answer = await ask(path)
      expect([path, answer.status]).toEqual([path, 404])
      expectBare(answer)
    }
  })

  it('whatever the method is', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      for (const path of [pathOf(), `${pathOf()}/live`])
        expectBare(await ask(path, { method, headers: { 'Content-Length': '0' } }))
    }
  })

  it('whatever name it is asked by: DNS rebinding brings a foreign one', async () => {
    const { port } = addressOf()
    for (const host of [
      'attacker.example',
      `attacker.example:${port}`,
      `localhost:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port + 1}`,
      `127.0.0.1:${port}.`,
      `user@127.0.0.1:${port}`
    ])
      expectBare(await ask(pathOf(), { headers: { Host: host } }))
    for (const hosts of [
      '',
      'Host: \r\n',
      `Host: ${hostOf()}\r\nHost: attacker.example\r\n`,
      `Host: attacker.example\r\nHost: ${hostOf()}\r\n`
    ]) {
      const socket = await openSocket()
      const answer = readAll(socket)
      socket.write(`GET ${pathOf()} HTTP/1.1\r\n${hosts}\r\n`)
      expect(await answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
    }
  })

  it('whatever page asks, and whatever comes with the request', async () => {
    for (const origin of ['http://attacker.example', 'null', `http://localhost:${addressOf().port}`]) {
      const answer = await ask(`${pathOf()}/live`, { headers: { Origin: origin } })
      expectBare(answer)
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    }
    expectBare(await ask(pathOf(), { headers: { 'Content-Length': '5' }, body: 'hello' }))
    expectBare(await ask(pathOf(), { headers: { 'Transfer-Encoding': 'chunked' }, body: 'hello' }))
    expectBare(await ask(pathOf(), { headers: { Expect: 'something' } }))
    expect((await ask(pathOf(), { headers: { Origin: `http://${hostOf()}` } })).status).toBe(200)
  })

  it('opens no other protocol', async () => {
    for (const head of [
      `GET ${pathOf()}/live HTTP/1.1\r\nHost: ${hostOf()}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      `CONNECT ${hostOf()} HTTP/1.1\r\nHost: ${hostOf()}\r\n\r\n`,
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'hello\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01'
    ]) {
      const socket = await openSocket()
      const answer = readAll(socket)
      socket.write(head)
      expect([head.slice(0, 8), await answer]).toEqual([head.slice(0, 8), ''])
    }
  })
})

describe('nobody can keep it busy', () => {
  it('a request with too many or too long headers is cut off unanswered', async () => {
    for (const flood of [
      `X-A: ${'a'.repeat(20_000)}\r\n`,
      'X-B: 1\r\n'.repeat(3_000),
      `Cookie: ${'c=1; '.repeat(4_000)}\r\n`
    ]) {
      const socket = await openSocket()
      const answer = readAll(socket)
      socket.write(`GET ${pathOf()} HTTP/1.1\r\nHost: ${hostOf()}\r\n${flood}\r\n`)
      expect(await answer).toBe('')
    }
    expect((await ask(pathOf())).status).toBe(200)
  })

  it('a body is never read to its end', async () => {
    const socket = await openSocket()
    const answer = readAll(socket)
    socket.write(`POST ${pathOf()} HTTP/1.1\r\nHost: ${hostOf()}\r\nContent-Length: 1000000000\r\n\r\n`)
    expect(await answer).toMatch(/^HTTP\/1\.1 404 /)
  })

  it.each([
    ['one address', ['127.0.0.2']],
    ['three addresses', ['127.0.0.2', '127.0.0.3', '127.0.0.4']],
    ['thirty addresses', Array.from({ length: 30 }, (_, index) => `127.0.0.${index + 2}`)]
  ])(
    'a neighbour with %s who opens many connections keeps nobody out, and has few at a time',
    async (_name, addresses) => {
      const held: Socket[] = []
      for (let round = 0; round < 20; round += 1) {
        held.push(
          ...(await Promise.all(addresses.flatMap((address) => Array.from({ length: 4 }, () => openSocket(address)))))
        )
        expect((await ask(pathOf(), { from: '127.0.0.99' })).status).toBe(200)
      }
      const feed = await openFeed('127.0.0.99')
      await expect.poll(() => held.filter(({ readyState }) => readyState === 'open').length).toBeLessThanOrEqual(16)
      held.push(...(await Promise.all(addresses.map((address) => openSocket(address)))))
      server.send('{"news":1}')
      await expect.poll(() => feed.text()).toContain('data: {"news":1}')
    }
  )

  it('a silent connection, half a request, and who asks and never reads lose their place', async () => {
    await server.stop('{}')
    server = await start({ limits: { requestMs: 300 } })
    const silent = await openSocket()
    const half = await openSocket()
    half.write('GET / HTTP/1.1\r\nHost: a')
    expect(await Promise.all([readAll(silent), readAll(half)])).toEqual(['', ''])
    const greedy = await Promise.all(Array.from({ length: 8 }, () => openSocket()))
    for (const socket of greedy) {
      socket.on('error', () => undefined)
      socket.pause()
      socket.write(`GET ${pathOf()} HTTP/1.1\r\nHost: ${hostOf()}\r\n\r\n`.repeat(2_000))
    }
    await expect
      .poll(() =>
        ask(pathOf()).then(
          ({ status }) => status,
          () => 0
        )
      )
      .toBe(200)
  })

  it('only a few phones look at once; the next is told so, and comes in when one leaves', async () => {
    const feeds = []
    for (let n = 0; n < mostPhones; n += 1) feeds.push(await openFeed())
    expect(server.phones()).toBe(mostPhones)
    const refused = await ask(`${pathOf()}/live`)
    expect(refused.body).toContain('data: {"isFull":true}')
    expect(server.phones()).toBe(mostPhones)
    feeds[0]?.socket.destroy()
    await expect.poll(() => server.phones()).toBe(mostPhones - 1)
    expect((await openFeed()).text()).toContain('data: {"first":1}')
  })

  it('whoever has the address cannot take all places: a phone from another one gets in at once', async () => {
    const feeds = []
    for (let n = 0; n < mostPhones; n += 1) feeds.push(await openFeed('127.0.0.2'))
    const phone = await openFeed('127.0.0.3')
    expect(phone.text()).toContain('data: {"first":1}')
    // The oldest one left for it, and is told why.
    expect(await feeds[0]?.closed).toContain('data: {"isFull":true}')
    expect(server.phones()).toBe(mostPhones)
    // The same again and again, by whoever was there first, leaves the phone its place.
    for (let n = 0; n < 10; n += 1)
      expect((await ask(`${pathOf()}/live`, { from: '127.0.0.2' })).body).toContain('data: {"isFull":true}')
    server.send('{"news":1}')
    await expect.poll(() => phone.text()).toContain('data: {"news":1}')
    expect(server.phones()).toBe(mostPhones)
  })

  it('places that other addresses hold for long go to the newest phone, and never more look than may', async () => {
    await server.stop('{}')
    let most = 0
    server = await start({ limits: { keepMs: 400 }, changed: () => (most = Math.max(most, server.phones())) })
    for (let n = 0; n < mostPhones; n += 1) await openFeed(`127.0.0.${n + 2}`)
    expect((await ask(`${pathOf()}/live`, { from: '127.0.0.9' })).body).toContain('data: {"isFull":true}')
    const asFeed = () => openFeed('127.0.0.9').then((feed) => feed.text())
    await expect.poll(asFeed, { interval: 100 }).toContain('data: {"first":1}')
    expect([server.phones(), most]).toEqual([mostPhones, mostPhones])
  })

  it('a phone that does not read is cut off, and the others are not kept waiting', async () => {
    const slow = await openFeed()
    const other = await openFeed()
    slow.socket.pause()
    const text = JSON.stringify({ long: 'x'.repeat(mostUnsentBytes) })
    for (let n = 0; server.phones() === 2 && n < 2_000; n += 1) {
      server.send(text)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await expect.poll(() => server.phones()).toBe(1)
    server.send('{"last":2}')
    await expect.poll(() => other.text()).toContain('data: {"last":2}')
  })

  it('a phone that left without a word loses its place, and one that asks again never seems to have left', async () => {
    await server.stop('{}')
    const counts: number[] = []
    server = await start({ limits: { feedMs: 300 }, changed: () => counts.push(server.phones()) })
    const feed = await openFeed()
    await feed.closed
    const again = await openFeed()
    await again.closed
    expect(feed.text()).toContain('retry: 300')
    expect(new Set(counts.slice(1))).toEqual(new Set([1]))
    // Nobody asks again.
    await expect.poll(() => server.phones()).toBe(0)
    expect(counts.at(-1)).toBe(0)
  })
})

describe('the end', () => {
  it('tells every phone so, and nothing listens afterwards', async () => {
    const feed = await openFeed()
    const idle = await openSocket()
    const idleClosed = readAll(idle)
    await server.stop('{"ended":"The job has ended."}')
    expect(await feed.closed).toContain('data: {"ended":"The job has ended."}')
    expect(await idleClosed).toBe('')
    await expect(openSocket()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('does not wait for a phone that does not read', async () => {
    const slow = await openFeed()
    slow.socket.pause()
    for (let n = 0; n < 20; n += 1) server.send('x'.repeat(mostUnsentBytes))
    await server.stop('{"ended":"over"}')
    await expect(openSocket()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('a page that cannot be made is a fault, and no answer', async () => {
    const faults: unknown[] = []
    const broken = await start({
      file: () => {
        throw new Error('no such file')
      },
      reportFault: (error) => faults.push(error)
    })
    await expect(fetch(broken.url)).rejects.toThrow()
    expect(faults).toMatchObject([{ message: 'no such file' }])
    expect((await fetch(new URL('/', broken.url))).status).toBe(404)
    await broken.stop('{}')
  })

  it('an address that is not there is refused with a sentence', async () => {
    await expect(start({ address: '192.0.2.250' })).rejects.toMatchObject({
      code: 'REFUSED',
      sentence: { id: 'phonePage.notListening' }
    })
  })
})
