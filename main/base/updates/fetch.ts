import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Agent as HttpAgent, request as askHttp, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as askHttps } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { hostOf, isLoopback } from '../addresses/address.ts'
import { isMarkup, judge } from '../internet/judgement.ts'
import { DialFailure } from '../internet/route.ts'
import type { GatewayRoutes } from '../internet/routes.ts'
import { sayTlsFault, tlsFaultOf } from '../internet/tlsFault.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { refuse, type FeedFile } from './feedForm.ts'

export interface FetchLimits {
  /** How long the server may send nothing. */
  silentMs: number
  feedMs: number
  feedBytes: number
  /** A download that is slower than this on the whole is given up. */
  packageMs: number
}

export const fetchLimits: FetchLimits = {
  silentMs: 30_000,
  feedMs: 60_000,
  feedBytes: 64_000,
  packageMs: 2 * 3_600_000
}

/** What a disk says, and no connection. */
const diskCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EISDIR', 'ENOENT'])

export interface Fetching {
  /** The connections of this computer: its proxy and its certificates apply to updates too. */
  connect: GatewayRoutes['connect']
  limits: FetchLimits
  signal: AbortSignal
}

/** A folder of a feed: https, or http on this computer itself. AppError REFUSED for any other address. */
export function feedFolder(address: string): URL {
  const url = URL.parse(address.endsWith('/') ? address : `${address}/`)
  const isAllowed =
    url !== null &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '' &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(hostOf(url))))
  if (!isAllowed) throw refuse(message('updates.feedAddress', { address: address.slice(0, 200) }))
  return url
}

/** The bytes of a feed file, at most `feedBytes` of them. */
export async function fetchFeed(url: URL, fetching: Fetching): Promise<Buffer> {
  const { limits } = fetching
  return ask(url, fetching, limits.feedMs, async (answer) => {
    const parts: Buffer[] = []
    let length = 0
    for await (const part of answer as AsyncIterable<Buffer>) {
      length += part.length
      if (length > limits.feedBytes) throw refuse(message('updates.refused.hugeFeed'))
      parts.push(part)
    }
    const body = Buffer.concat(parts)
    if (isMarkup({ headers: new Map(), body })) throw pageInstead(url, 200)
    return body
  })
}

/** Writes a package to `path`. Only the whole package with the size and the hash of the feed stays there. */
export async function fetchPackage(
  url: URL,
  { file, path, received, ...fetching }: Fetching & { file: FeedFile; path: string; received(bytes: number): void }
): Promise<void> {
  const hash = createHash('sha512')
  let length = 0
  try {
    await rm(path, { force: true })
    await ask(url, fetching, fetching.limits.packageMs, async (answer) => {
      const told = answer.headers['content-length']
      if (told !== undefined && Number(told) !== file.size)
        throw refuse(message('updates.refused.size', { wanted: file.size, found: Number(told) }))
      await pipeline(
        answer,
        async function* (source: AsyncIterable<Buffer>) {
          for await (const part of source) {
            length += part.length
            if (length > file.size) throw refuse(message('updates.refused.endless', { wanted: file.size }))
            hash.update(part)
            received(length)
            yield part
          }
        },
        // New, so that it is not written through a link that is there already.
        createWriteStream(path, { mode: 0o600, flags: 'wx' }),
        { signal: fetching.signal }
      )
      if (length !== file.size) throw refuse(message('updates.refused.size', { wanted: file.size, found: length }))
      if (hash.digest('base64') !== file.sha512) throw refuse(message('updates.refused.hash'))
    })
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** Who answers comes before what the status says. A page for a missing file is usual for servers of files. */
function refuseAnswer(url: URL, { statusCode: status = 0, headers }: IncomingMessage): void {
  const { kind } = judge({
    status,
    headers: new Map(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: Buffer.alloc(0)
  })
  if (kind === 'proxy')
    throw new AppError('UNREACHABLE', message('updates.proxyAsks', { host: url.host }), { retryable: true })
  if (kind === 'challenge' || kind === 'network' || (kind === 'between' && status !== 404))
    throw pageInstead(url, status)
  if (status >= 500)
    throw new AppError('UNREACHABLE', message('updates.notNow', { host: url.host, status }), { retryable: true })
  if (status !== 200)
    throw new AppError('UNREACHABLE', message('updates.notFound', { host: url.host, status }), { retryable: true })
}

function pageInstead({ host }: URL, status: number): AppError {
  return new AppError('UNREADABLE', message('updates.pageInstead', { host, status }), { retryable: true })
}

/** One request. A redirect is never followed: it could lead to another computer, or out of the encryption. */
async function ask<T>(
  url: URL,
  { connect, limits, signal }: Fetching,
  totalMs: number,
  read: (answer: IncomingMessage) => Promise<T>
): Promise<T> {
  const isHttps = url.protocol === 'https:'
  const agent = isHttps ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false })
  agent.createConnection = ((_options: unknown, done: (error: Error | null, socket?: unknown) => void) => {
    connect(url.origin, { signal }).then(
      (socket) => done(null, socket),
      (error: Error) => done(error)
    )
  }) as typeof agent.createConnection
  const slow = new AbortController()
  const timer = setTimeout(() => slow.abort(), totalMs)
  const request = (isHttps ? askHttps : askHttp)(url, {
    agent,
    signal: AbortSignal.any([signal, slow.signal]),
    headers: { Accept: '*/*', 'Cache-Control': 'no-cache' }
  })
  request.setTimeout(limits.silentMs, () => slow.abort())
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      request.on('response', resolve).on('error', reject).end()
    )
    const { statusCode = 0 } = answer
    if (statusCode >= 300 && statusCode < 400) throw refuse(message('updates.refused.redirect', { host: url.host }))
    refuseAnswer(url, answer)
    return await read(answer)
  } catch (error) {
    if (error instanceof AppError) throw error
    if (slow.signal.aborted)
      throw new AppError('TIMEOUT', message('updates.tooSlow', { host: url.host }), { retryable: true })
    if (signal.aborted) throw new AppError('CANCELLED', message('updates.stopped'))
    const { code = '' } = error as NodeJS.ErrnoException
    if (diskCodes.has(code))
      throw new AppError('DATA_UNUSABLE', message('updates.notWritten', { why: code }), { cause: error })
    const fault = error instanceof DialFailure && error.stage === 'certificate' ? tlsFaultOf(code) : undefined
    throw new AppError(
      'UNREACHABLE',
      fault === undefined ? message('updates.interrupted', { host: url.host }) : sayTlsFault(fault, code, url.host),
      { retryable: true, cause: error }
    )
  } finally {
    clearTimeout(timer)
    request.destroy()
    agent.destroy()
  }
}
