import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Socket } from 'node:net'
import axios, { isAxiosError } from 'axios'
import { AppError, type Fate } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'

export interface TransportRequest {
  method: string
  /** Whole address; it may carry a token, so it never reaches a message. */
  url: string
  headers: Record<string, string>
  body?: string | undefined
  /** Changes something: fresh socket, never repeated here. */
  isWrite: boolean
  timeoutMs: number
  signal?: AbortSignal | undefined
}

export interface TransportAnswer {
  status: number
  headers: Map<string, string>
  body: Buffer
  /** Wall clock of this computer at the start and the end, epoch ms. */
  startedAtMs: number
  endedAtMs: number
  elapsedMs: number
}

export interface Transport {
  send(request: TransportRequest): Promise<TransportAnswer>
  close(): void
}

const maxAnswerBytes = 50 * 1024 * 1024
const isKeptAlive = { keepAlive: true, keepAliveMsecs: 5000, maxSockets: 8, timeout: 30_000 }
/** Said outright: NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would let anybody pose as the gateway. */
const isProven = { rejectUnauthorized: true }

/** Failures of name look-up and connecting: not one byte of the request has left. */
const connectFailures = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'])

/**
 * The only place that speaks HTTP to a gateway. Answers of every status come back as values; a request without an
 * answer is UNREACHABLE, TIMEOUT, UNREADABLE or CANCELLED, with what is known of its fate.
 */
export function createTransport(): Transport {
  const http = new HttpAgent(isKeptAlive)
  const https = new HttpsAgent({ ...isKeptAlive, ...isProven })

  async function sendOnce(request: TransportRequest): Promise<TransportAnswer> {
    const isHttps = request.url.startsWith('https:')
    const own = request.isWrite ? watchedAgent(isHttps) : undefined
    const timer = new AbortController()
    const timeout = setTimeout(() => timer.abort(), Math.max(1, request.timeoutMs))
    const signal = request.signal ? AbortSignal.any([request.signal, timer.signal]) : timer.signal
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
        httpAgent: isHttps ? undefined : (own?.agent ?? http),
        httpsAgent: isHttps ? (own?.agent ?? https) : undefined,
        // A proxy of the environment may carry https (it sees only the tunnel); plain http would show it the token.
        ...(isHttps ? {} : { proxy: false as const })
      })
      const endedAtMs = Date.now()
      return {
        status: response.status,
        headers: new Map(Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
        body: Buffer.from(response.data ?? []),
        startedAtMs,
        endedAtMs,
        elapsedMs: Math.round(performance.now() - started)
      }
    } catch (error) {
      if (!isAxiosError(error) && !axios.isCancel(error)) throw error
      throw translate(error, { isTimeUp: timer.signal.aborted, isCancelled: request.signal?.aborted ?? false, isWrite: request.isWrite, isConnected: own?.isConnected })
    } finally {
      clearTimeout(timeout)
      own?.agent.destroy()
    }
  }

  return {
    async send(request) {
      if (request.signal?.aborted) throw new AppError('CANCELLED', message('gateway.cancelledBefore'), { fate: 'notSent' })
      try {
        return await sendOnce(request)
      } catch (error) {
        // The gateway may close an idle connection at the moment we use it again: for a read that is no failure.
        if (request.isWrite || !isStaleConnection(error)) throw error
        return await sendOnce(request)
      }
    },
    close() {
      http.destroy()
      https.destroy()
    }
  }
}

/** An agent for one request that knows whether a connection was ever made. */
function watchedAgent(isHttps: boolean): { agent: HttpAgent | HttpsAgent; isConnected: () => boolean | undefined } {
  let isDialled = false
  let isConnected = false
  const agent = isHttps ? new HttpsAgent({ keepAlive: false, ...isProven }) : new HttpAgent({ keepAlive: false })
  const dial = agent.createConnection.bind(agent) as (...args: unknown[]) => Socket
  agent.createConnection = ((...args: unknown[]) => {
    isDialled = true
    const socket = dial(...args)
    // With TLS the request leaves only after the handshake.
    socket.once(isHttps ? 'secureConnect' : 'connect', () => {
      isConnected = true
    })
    return socket
  }) as typeof agent.createConnection
  // Behind a proxy this agent is not asked at all: then it knows nothing.
  return { agent, isConnected: () => (isDialled ? isConnected : undefined) }
}

const staleErrors = new WeakSet<AppError>()
function isStaleConnection(error: unknown): boolean {
  return error instanceof AppError && staleErrors.has(error)
}

interface Circumstances {
  isTimeUp: boolean
  isCancelled: boolean
  isWrite: boolean
  isConnected: (() => boolean | undefined) | undefined
}

function translate(error: unknown, about: Circumstances): AppError {
  const code = isAxiosError(error) ? (error.code ?? '') : ''
  const hasLeft = about.isConnected?.() ?? !connectFailures.has(code)
  const fate: Fate = !hasLeft ? 'notSent' : about.isWrite ? 'unknown' : 'away'
  // The library's error carries the request with its token: only the code of the failure is kept.
  const cause = { code: code.slice(0, 60) }
  if (about.isCancelled) return new AppError('CANCELLED', message('gateway.cancelledWaiting'), { cause, fate })
  if (about.isTimeUp || code === 'ETIMEDOUT' || code === 'ECONNABORTED') {
    return new AppError('TIMEOUT', message('gateway.noAnswer'), { retryable: true, cause, fate })
  }
  if (isTooLarge(error)) {
    return new AppError('UNREADABLE', message('gateway.tooLarge'), { cause, fate })
  }
  if (code.startsWith('HPE_') || code === 'ERR_INVALID_CHAR' || code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR') {
    return new AppError('UNREADABLE', message('gateway.notReadable'), { retryable: true, cause, fate })
  }
  const unreachable = new AppError('UNREACHABLE', unreachableMessage(code), { retryable: true, cause, fate })
  const request = isAxiosError(error) ? (error.request as { reusedSocket?: boolean } | undefined) : undefined
  if (request?.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')) staleErrors.add(unreachable)
  return unreachable
}

function isTooLarge(error: unknown): boolean {
  return isAxiosError(error) && error.code === 'ERR_BAD_RESPONSE' && error.message.startsWith('maxContentLength')
}

function unreachableMessage(code: string): Message {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return message('gateway.nameNotKnown')
  }
  if (code === 'ECONNREFUSED') return message('gateway.nothingThere')
  if (/CERT|SIGNATURE|SELF_SIGNED|ERR_TLS|EPROTO/.test(code)) {
    return message('gateway.certificate')
  }
  return message('gateway.broke')
}
