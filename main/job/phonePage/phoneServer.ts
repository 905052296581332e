import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { countAddresses, createConnectionRoom, greediestOf } from '../../base/page/connectionRoom.ts'
import { securityHeadersWith } from '../../base/page/contentSecurityPolicy.ts'
import { digestOf, hasDigest } from '../../base/page/secretText.ts'
import type { PhoneFile } from './phoneFile.ts'

/** Phones that may look at the same time. */
export const mostPhones = 4
/** A phone that reads this slowly is cut off; its page asks again. */
export const mostUnsentBytes = 64 * 1024
/** Requests of a browser need about one kilobyte. */
const mostHeaderBytes = 8 * 1024
const mostStrangers = 16
const mostStrangersOfOne = 6
const requestLimitMs = 5_000
/** The page asks for its feed again then: a phone that left without a word does not keep its place. */
const feedLimitMs = 30_000
const askAgainMs = 300
/** After this time a phone leaves its place to one from another address, if all are taken. */
const keepLimitMs = 10_000
/** How long a phone whose feed ended for that reason counts as one that looks. */
const returnsWithinMs = 3_000
const lastWordsMs = 500
const tokenBytes = 16

export interface PhoneServerOptions {
  /** The address of one network card. */
  address: string
  /** In the language of this moment. */
  file(): PhoneFile
  /** What the page shows now, as the text of one message; null when that cannot be said. */
  view(): string | null
  /** A phone came or went. */
  changed(): void
  /** A request could not be answered, or the system cannot accept connections any more. */
  reportFault(error: unknown): void
  /** For tests. */
  limits?: { requestMs?: number; feedMs?: number; keepMs?: number }
}

/**
 * Shows one page and its live feed to phones in the network of one card, and nothing else to anybody: every other request gets
 * a bare 404. It only sends; no request changes anything. @throws AppError REFUSED when the address cannot be used
 */
export async function startPhoneServer(options: PhoneServerOptions) {
  const token = randomBytes(tokenBytes).toString('hex')
  const [pagePath, feedPath] = [`/${token}`, `/${token}/live`].map(digestOf) as [string, string]
  const requestMs = options.limits?.requestMs ?? requestLimitMs
  /** Oldest first. */
  const feeds = new Map<ServerResponse, { from: string; sinceMs: number }>()
  /** Phones that are about to ask for their feed again. */
  const returning = new Set<{ from: string; timer: NodeJS.Timeout }>()
  /** One computer alone must not keep all others out, whatever its addresses are. */
  const room = createConnectionRoom({ most: mostStrangers, mostOfOne: mostStrangersOfOne, withinMs: requestMs })
  let isReached = false
  // `Host` is compared here: Node's own answer to a request without it would be another one.
  const server = createServer({
    maxHeaderSize: mostHeaderBytes,
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    keepAliveTimeout: requestMs,
    connectionsCheckingInterval: requestMs / 5,
    requireHostHeader: false
  })

  server.on('connection', (socket: Socket) => {
    socket.on('error', () => socket.destroy())
    room.enter(socket)
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  server.on('upgrade', (_request, socket) => socket.destroy())
  server.on('connect', (_request, socket) => socket.destroy())
  for (const name of ['request', 'checkContinue', 'checkExpectation'] as const) server.on(name, answerOrCut)

  const port = await listen()
  const host = `${options.address}:${port}`
  const origin = `http://${host}`

  function listen(): Promise<number> {
    return new Promise((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          new AppError(
            'REFUSED',
            message('phonePage.notListening', { address: options.address, reason: error.code ?? error.message }),
            { cause: error }
          )
        )
      )
      server.listen({ host: options.address, port: 0, exclusive: true }, () => {
        server.removeAllListeners('error')
        server.on('error', options.reportFault)
        resolve((server.address() as AddressInfo).port)
      })
    })
  }

  /** A request that a browser makes for this address: a foreign name that resolves to it (DNS rebinding) is in the Host header. */
  function isPlain({ method, headers, headersDistinct }: IncomingMessage): boolean {
    const hosts = headersDistinct['host'] ?? []
    return (
      (method === 'GET' || method === 'HEAD') &&
      hosts.length === 1 &&
      hosts[0] === host &&
      (headers.origin === undefined || headers.origin === origin) &&
      headers['transfer-encoding'] === undefined &&
      Number(headers['content-length'] ?? 0) === 0 &&
      headers.expect === undefined &&
      headers.upgrade === undefined
    )
  }

  function answerOrCut(request: IncomingMessage, response: ServerResponse): void {
    try {
      answer(request, response)
    } catch (error) {
      options.reportFault(error)
      response.destroy()
    }
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? ''
    // Both are always compared, each in constant time.
    const [isPage, isFeed] = [hasDigest(path, pagePath), hasDigest(path, feedPath)]
    if (!isPlain(request) || !(isPage || isFeed)) return refuse(response)
    if (!isReached) {
      isReached = true
      options.changed()
    }
    if (isPage) sendPage(response)
    else sendFeed(response, { isHead: request.method === 'HEAD', from: request.socket.remoteAddress ?? '' })
  }

  function headersOf(policy: string, more: Record<string, string | number>): Record<string, string | number> {
    return { ...securityHeadersWith(policy), 'Cache-Control': 'no-store', ...more }
  }

  function refuse(response: ServerResponse): void {
    response.writeHead(404, headersOf(emptyPolicy, { 'Content-Length': 0, Connection: 'close' }))
    response.end()
  }

  function sendPage(response: ServerResponse): void {
    const { html, policy } = options.file()
    response.writeHead(
      200,
      headersOf(policy, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': Buffer.byteLength(html) })
    )
    response.end(html)
  }

  function sendFeed(response: ServerResponse, { isHead, from }: { isHead: boolean; from: string }): void {
    response.writeHead(
      200,
      headersOf(emptyPolicy, { 'Content-Type': 'text/event-stream; charset=utf-8', Connection: 'close' })
    )
    if (isHead) return void response.end()
    response.write(`retry: ${askAgainMs}\n\n`)
    const own = [...returning].find((one) => one.from === from)
    if (own) forget(own)
    if (phones() >= mostPhones && !makePlaceFor(from)) return void response.end(frame('{"isFull":true}'))
    if (response.socket) room.admit(response.socket)
    const over = setTimeout(() => {
      if (!feeds.has(response)) return
      const one = { from, timer: setTimeout(() => forget(one) && options.changed(), returnsWithinMs).unref() }
      returning.add(one)
      endFeed(response)
    }, options.limits?.feedMs ?? feedLimitMs)
    over.unref()
    feeds.set(response, { from, sinceMs: performance.now() })
    // A phone that leaves while something is written to it is no fault.
    response.on('error', () => response.destroy())
    response.on('close', () => {
      clearTimeout(over)
      if (feeds.delete(response)) options.changed()
    })
    options.changed()
    const view = options.view()
    if (view !== null) response.write(frame(view))
  }

  /**
   * All places are taken: one that nobody uses is given up, or that of the address with most phones, or, for an address without
   * a phone, the one that was taken first. False if none is.
   */
  function makePlaceFor(from: string): boolean {
    const counts = countAddresses([...feeds.values(), ...returning])
    const own = counts.get(from) ?? 0
    const [greediest, most] = greediestOf(counts)
    const unused = own === 0 ? [...returning][0] : undefined
    if (unused) return forget(unused)
    const keepMs = options.limits?.keepMs ?? keepLimitMs
    const [oldest] =
      [...feeds].find(([, one]) =>
        most > own + 1 ? one.from === greediest : own === 0 && performance.now() - one.sinceMs >= keepMs
      ) ?? []
    if (!oldest) return false
    endFeed(oldest, frame('{"isFull":true}'))
    return true
  }

  function phones(): number {
    return feeds.size + returning.size
  }

  function forget(one: { from: string; timer: NodeJS.Timeout }): boolean {
    clearTimeout(one.timer)
    return returning.delete(one)
  }

  /** Ends a feed in order; a phone that does not read is cut off. */
  function endFeed(response: ServerResponse, lastWords = ''): void {
    feeds.delete(response)
    response.end(lastWords)
    setTimeout(() => response.destroy(), lastWordsMs).unref()
    options.changed()
  }

  return {
    url: `${origin}/${token}`,
    /** The unguessable part of the address. */
    token,
    phones,
    /** Whether any phone has asked for the page. */
    isReached: (): boolean => isReached,
    /** Sends what the page shows to every phone. */
    send(text: string): void {
      for (const feed of feeds.keys()) {
        if (feed.writableLength > mostUnsentBytes) feed.destroy()
        else if (!feed.destroyed) feed.write(frame(text))
      }
    },
    /** Sends the last words, then closes every connection and the port. */
    async stop(lastWords: string): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const one of [...returning]) forget(one)
      for (const feed of [...feeds.keys()]) endFeed(feed, frame(lastWords))
      server.closeIdleConnections()
      const cut = setTimeout(() => server.closeAllConnections(), lastWordsMs)
      await closed
      clearTimeout(cut)
    }
  }
}

export type PhoneServer = Awaited<ReturnType<typeof startPhoneServer>>

const emptyPolicy = "default-src 'none'; frame-ancestors 'none'"

function frame(text: string): string {
  return `data: ${text}\n\n`
}
