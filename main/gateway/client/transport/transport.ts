import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { AxiosError } from 'axios'
import { AppError, type Fate } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { DialFailure } from '../../../base/internet/route.ts'
import type { GatewayRoutes } from '../../../base/internet/routes.ts'
import { limitAnswer } from '../../../base/time/answerLimit.ts'
import { sayDialFailure } from './unreachable.ts'

export interface TransportRequest {
  method: string
  /** Full address; it may contain a token, so it never appears in a message. */
  url: string
  headers: Record<string, string>
  body?: string | undefined
  /** Changes something: fresh socket, never repeated here. */
  isWrite: boolean
  timeoutMs: number
  signal?: AbortSignal | undefined
  /** Of a write: ends it only while nothing of it has left. */
  untilSent?: AbortSignal | undefined
}

export interface TransportAnswer {
  status: number
  headers: Map<string, string>
  body: Buffer
  /** Wall clock of this computer at the start and the end, epoch ms. */
  startedAtMs: number
  endedAtMs: number
  elapsedMs: number
  localAddress: string
  /** The proxy of the route, as people know it. */
  proxy: string | null
}

export type Transport = ReturnType<typeof createTransport>

const maxAnswerBytes = 50 * 1024 * 1024
const isKeptAlive = { keepAlive: true, keepAliveMsecs: 5000, maxSockets: 8, timeout: 30_000 }

/**
 * The only place that sends HTTP to a gateway. Every status is a value; a request without an answer fails with its
 * fate.
 */
export function createTransport(ways: GatewayRoutes) {
  let kept = keptAgents()

  function keptAgents() {
    return {
      http: dialling(new HttpAgent(isKeptAlive), { ways }),
      https: dialling(new HttpsAgent(isKeptAlive), { ways })
    }
  }

  async function sendOnce(request: TransportRequest): Promise<TransportAnswer> {
    // Loaded with the first request: the first screen needs none.
    const { default: axios } = await import('axios')
    const isHttps = request.url.startsWith('https:')
    const own = request.isWrite ? watchedAgent(isHttps, ways) : undefined
    const agents = kept
    const timer = new AbortController()
    const endWait = limitAnswer(Math.max(1, request.timeoutMs), () => timer.abort())
    const takenBack = new AbortController()
    const takeBack = (): void => {
      if (own?.isConnected() === false) takenBack.abort()
    }
    request.untilSent?.addEventListener('abort', takeBack, { once: true })
    const signal = AbortSignal.any([...(request.signal ? [request.signal] : []), timer.signal, takenBack.signal])
    const startedAtMs = Date.now()
    const started = performance.now()
    try {
      const response = await axios.request<Buffer>({
        method: request.method,
        url: request.url,
        headers: request.headers,
        data: request.body,
        responseType: 'arraybuffer',
        transformRequest: [(data: unknown) => data],
        transformResponse: [(data: unknown) => data],
        validateStatus: () => true,
        maxRedirects: 0,
        maxContentLength: maxAnswerBytes,
        maxBodyLength: maxAnswerBytes,
        signal,
        httpAgent: isHttps ? undefined : (own?.agent ?? kept.http),
        httpsAgent: isHttps ? (own?.agent ?? kept.https) : undefined,
        // main/base/internet makes all connections, including those over proxies.
        proxy: false
      })
      const endedAtMs = Date.now()
      const headers = new Map(
        Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), String(value)])
      )
      return {
        status: response.status,
        headers,
        body: toUtf8(Buffer.from(response.data ?? []), headers.get('content-type') ?? ''),
        startedAtMs,
        endedAtMs,
        elapsedMs: Math.round(performance.now() - started),
        localAddress:
          (response.request as { socket?: { localAddress?: string } } | undefined)?.socket?.localAddress ?? '',
        proxy: isHttps ? (ways.last()?.way.proxy?.label ?? null) : null
      }
    } catch (error) {
      if (!isAxiosError(error) && !axios.isCancel(error)) throw error
      // Closed by Fitter, because the network changed.
      const isRenewed = agents !== kept
      throw translate(error, {
        isTimeUp: timer.signal.aborted,
        isCancelled: (request.signal?.aborted ?? false) || takenBack.signal.aborted,
        isWrite: request.isWrite,
        isConnected: own?.isConnected,
        isRenewed
      })
    } finally {
      endWait()
      request.untilSent?.removeEventListener('abort', takeBack)
      own?.end()
    }
  }

  return {
    async send(request: TransportRequest): Promise<TransportAnswer> {
      if (request.signal?.aborted || request.untilSent?.aborted)
        throw new AppError('CANCELLED', message('gateway.cancelledBefore'), { fate: 'notSent' })
      try {
        return await sendOnce(request)
      } catch (error) {
        // The gateway may close an idle connection just when Fitter uses it again: for a read that is not a failure.
        if (request.isWrite || !isStaleConnection(error)) throw error
        return await sendOnce(request)
      }
    },
    /** The computer slept, or its network changed: earlier connections are not used any more. */
    renew(): void {
      const before = kept
      kept = keptAgents()
      // Reads that wait on them are repeated; a write has its own connection, which is left alone.
      before.http.destroy()
      before.https.destroy()
    },
    close(): void {
      kept.http.destroy()
      kept.https.destroy()
    }
  }
}

/** JSON is UTF-8; a server that says that its JSON has other letters is believed. */
function toUtf8(body: Buffer, mediaType: string): Buffer {
  const label = /\bjson\b.*;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(mediaType)?.[1]?.toLowerCase()
  if (label === undefined || label === 'utf-8' || label === 'utf8') return body
  try {
    return Buffer.from(new TextDecoder(label).decode(body))
  } catch (error) {
    if (error instanceof RangeError) return body
    throw error
  }
}

/** An agent whose connections come from `ways`, ready to be written to. */
function dialling<A extends HttpAgent>(
  agent: A,
  about: { ways: GatewayRoutes; signal?: AbortSignal; onConnected?: () => void }
): A {
  const isHttps = agent instanceof HttpsAgent
  agent.createConnection = ((
    options: { host?: string; port?: number | string },
    done: (error: Error | null, socket?: unknown) => void
  ) => {
    const host = options.host ?? ''
    about.ways
      .connect(
        `${isHttps ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${options.port ?? (isHttps ? 443 : 80)}`,
        { signal: about.signal }
      )
      .then(
        (socket) => {
          about.onConnected?.()
          done(null, socket)
        },
        (error: Error) => done(error)
      )
  }) as typeof agent.createConnection
  return agent
}

/** An agent for one request that knows whether a connection was ever made: the request is sent only after that. */
function watchedAgent(
  isHttps: boolean,
  ways: GatewayRoutes
): { agent: HttpAgent | HttpsAgent; isConnected: () => boolean; end: () => void } {
  let isConnected = false
  const ending = new AbortController()
  const agent = dialling(isHttps ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }), {
    ways,
    signal: ending.signal,
    onConnected: () => {
      isConnected = true
    }
  })
  return {
    agent,
    isConnected: () => isConnected,
    end() {
      ending.abort()
      agent.destroy()
    }
  }
}

const staleErrors = new WeakSet<AppError>()
function isStaleConnection(error: unknown): boolean {
  return error instanceof AppError && staleErrors.has(error)
}

interface Circumstances {
  isTimeUp: boolean
  isCancelled: boolean
  isWrite: boolean
  isRenewed: boolean
  /** Of a write. */
  isConnected: (() => boolean) | undefined
}

function isAxiosError(error: unknown): error is AxiosError {
  return error instanceof Error && 'isAxiosError' in error && error.isAxiosError === true
}

function translate(error: unknown, about: Circumstances): AppError {
  const dialled = isAxiosError(error) ? error.cause : undefined
  // No connection is possible: the sentence says why.
  if (dialled instanceof AppError) return dialled
  const code = isAxiosError(error) ? (error.code ?? '') : ''
  const failure = dialled instanceof DialFailure ? dialled : undefined
  const hasLeft = about.isConnected?.() ?? failure === undefined
  const fate: Fate = !hasLeft ? 'notSent' : about.isWrite ? 'unknown' : 'away'
  // The library's error contains the request with its token: only the code of the failure is kept.
  const cause = { code: code.slice(0, 60), ...(failure ? { stage: failure.stage } : {}) }
  if (about.isCancelled) return new AppError('CANCELLED', message('gateway.cancelledWaiting'), { cause, fate })
  if (about.isTimeUp || (!failure && (code === 'ETIMEDOUT' || code === 'ECONNABORTED'))) {
    return new AppError('TIMEOUT', message('gateway.noAnswer'), { retryable: true, cause, fate })
  }
  if (failure)
    return new AppError(
      failure.code === 'ETIMEDOUT' && failure.stage === 'connect' ? 'TIMEOUT' : 'UNREACHABLE',
      sayDialFailure(failure),
      { retryable: true, cause, fate }
    )
  if (isTooLarge(error)) {
    return new AppError('UNREADABLE', message('gateway.tooLarge'), { cause, fate })
  }
  if (code.startsWith('HPE_') || code === 'ERR_INVALID_CHAR' || code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR') {
    return new AppError('UNREADABLE', message('gateway.notReadable'), { retryable: true, cause, fate })
  }
  const unreachable = new AppError('UNREACHABLE', message('gateway.broke'), { retryable: true, cause, fate })
  const request = isAxiosError(error) ? (error.request as { reusedSocket?: boolean } | undefined) : undefined
  if ((request?.reusedSocket || about.isRenewed) && (code === 'ECONNRESET' || code === 'EPIPE'))
    staleErrors.add(unreachable)
  return unreachable
}

function isTooLarge(error: unknown): boolean {
  return isAxiosError(error) && error.code === 'ERR_BAD_RESPONSE' && error.message.startsWith('maxContentLength')
}
