import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { afterEach, beforeEach, expect } from 'vitest'
import { WebSocket } from 'ws'
import { startBrowserHost, type BrowserHost } from '../../../main/app/browserHost/index.ts'
import { makePageFolder } from './pageFolder.ts'
import { makeTestHost, type TestHost } from '../gateway/testHost.ts'

/** Those of the test that runs. */
export let host: TestHost
export let page: ReturnType<typeof makePageFolder>
export let browserHost: BrowserHost

/** For the tests of one file: each has a host of its own, which serves a small page. */
export function useBrowserHost(): void {
  beforeEach(async () => {
    host = makeTestHost()
    page = makePageFolder()
    await serve()
  })
  afterEach(async () => {
    await browserHost.stop()
    page.remove()
  })
}

/** Serves the page of this test from now on, also in place of a host that was stopped. */
export async function serve(more: Pick<Parameters<typeof startBrowserHost>[0], 'port' | 'keptIn'> = {}): Promise<void> {
  browserHost = await startBrowserHost({ host, rendererFolder: page.folder, ...more })
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Sends the path exactly as given: `fetch` would tidy up `..` before it leaves. */
export function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port: browserHost.port,
        path,
        method,
        headers: { Host: new URL(browserHost.origin).host, ...headers }
      },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => (body += part))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
      }
    )
    request.on('error', reject)
    request.end()
  })
}

/** What a browser does with the printed address: the entry leads on to the page's own name, which gives the cookie. */
export async function signIn(url = browserHost.url): Promise<string> {
  const entry = await get(new URL(url).pathname + new URL(url).search, { Host: new URL(url).host })
  expect(entry.status).toBe(303)
  const answer = await get(`/${new URL(entry.headers.location!).search}`)
  expect(answer.status).toBe(303)
  return answer.headers['set-cookie']![0]!.split(';')[0]!
}

export const origin = (): string => browserHost.origin
export const entryHost = (): string => `127.0.0.1:${browserHost.port}`

/** The first messages can come together with the upgrade, before anyone could listen. */
const inboxes = new WeakMap<WebSocket, unknown[]>()
export const beats: string[] = []

/** Resolves with the open socket, or with the status that refused it. */
export function openSocket(headers: Record<string, string>, path = '/bridge'): Promise<WebSocket | number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${browserHost.port}${path}`, {
      headers: { Host: new URL(browserHost.origin).host, ...headers }
    })
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

export async function openOwnSocket(): Promise<WebSocket> {
  const socket = await openSocket({ Cookie: await signIn(), Origin: origin() })
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
  return socket
}

export async function nextMessage(socket: WebSocket): Promise<unknown> {
  const inbox = inboxes.get(socket)!
  await expect.poll(() => inbox.length, { interval: 5 }).toBeGreaterThan(0)
  return inbox.shift()
}

export function closeCode(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => socket.once('close', (code) => resolve(code)))
}
