import { lookup } from 'node:dns/promises'
import { Agent } from 'node:http'
import { connect, isIP, isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { AxiosInstance } from 'axios'
import { AppError } from '../../../preload/contract/errors.ts'
import type { Address } from '../../base/addresses/address.ts'
import { limitAnswer } from '../../base/time/answerLimit.ts'
import { connectionFailure, noSuchCard, publicAddress, deviceTimeout, type FailedRequest } from './failures.ts'
import { cancelledCall } from './queue.ts'

export interface TransportRequest {
  operation: string
  mutates: boolean
  method: 'GET' | 'POST'
  path: string
  body: unknown
  authorization: string | undefined
  timeoutMs: number
  signal: AbortSignal | undefined
  /** Ends it only while nothing of it has left. */
  untilSent?: AbortSignal | undefined
}

export interface TransportAnswer {
  status: number
  text: string
}

export type Transport = ReturnType<typeof createTransport>

/** Far above the largest documented answer (the list of applications). */
const maxAnswerBytes = 2 * 1024 * 1024

export interface TransportOptions {
  isAllowed(ip: string): boolean
  /** Resolves the addresses of a name; by default the operating system does. */
  lookUp?: (name: string) => Promise<string[]>
  /** The local address for connections to this IP address; undefined: chosen by the system. */
  startFrom?: ((ip: string) => string | undefined) | undefined
}

export function createTransport(address: Address, options: TransportOptions) {
  const lookUp = options.lookUp ?? (async (name) => (await lookup(name, { all: true })).map((one) => one.address))
  let pinnedIp = isIP(address.host) ? address.host : undefined

  /** A name is resolved once: from then on this client uses that address, even if the name changes. */
  async function findIp(request: FailedRequest): Promise<string> {
    // The system does not reject an unknown zone: it would try the address on a card of its choice.
    const zone = address.host.split('%')[1]
    if (zone !== undefined && !hasCard(zone)) throw noSuchCard(request, zone)
    if (pinnedIp !== undefined) return pinnedIp
    const found = await lookUp(address.host).catch((error: unknown) => {
      throw translate(error, request)
    })
    // Devices listen on IPv4; a .local name often has an IPv6 address that is useless without a zone.
    const ip = found.find((one) => isIPv4(one)) ?? found[0]
    if (ip === undefined) throw connectionFailure('ENOTFOUND', '', request)
    if (!options.isAllowed(ip)) throw publicAddress(address.label)
    pinnedIp = ip
    return ip
  }

  // A custom agent connects to the pinned address, because a URL cannot contain the zone of a link-local IPv6 address.
  // No keep-alive: a device that restarts leaves sockets that look alive, and a change must never use one.
  function createAgent(onConnected: () => void): Agent {
    const agent = new Agent({ keepAlive: false })
    const localAddress = pinnedIp === undefined ? undefined : options.startFrom?.(pinnedIp)
    agent.createConnection = () =>
      connect({
        host: pinnedIp,
        port: address.port,
        noDelay: true,
        ...(localAddress === undefined ? {} : { localAddress })
      }).once('connect', onConnected)
    return agent
  }

  // Loaded with the first request: the first screen needs none.
  let http: Promise<AxiosInstance> | undefined
  const loadHttp = async (): Promise<AxiosInstance> =>
    (await import('axios')).default.create({
      adapter: 'http',
      // axios uses HTTP_PROXY even for addresses of the local network.
      proxy: false,
      maxRedirects: 0,
      maxContentLength: maxAnswerBytes,
      responseType: 'arraybuffer',
      validateStatus: () => true,
      transformRequest: [(data: unknown) => data],
      transformResponse: [(data: unknown) => data]
    })
  const urlHost = isIP(address.host) === 6 ? `[${address.host.split('%')[0] ?? ''}]` : address.host

  async function exchange(
    client: AxiosInstance,
    request: TransportRequest,
    signal: AbortSignal,
    onConnected: () => void
  ): Promise<TransportAnswer> {
    const failed = { label: address.label, operation: request.operation, mutates: request.mutates }
    await findIp(failed)
    signal.throwIfAborted()
    try {
      const response = await client.request<ArrayBuffer>({
        url: `http://${urlHost}:${address.port}${request.path}`,
        method: request.method,
        data: request.body === undefined ? undefined : JSON.stringify(request.body),
        headers: {
          Accept: 'application/json',
          'Accept-Encoding': 'identity',
          'User-Agent': 'Fitter',
          // axios would add a form content type to a request without a body.
          'Content-Type': request.body === undefined ? false : 'application/json',
          ...(request.authorization === undefined ? {} : { Authorization: request.authorization })
        },
        httpAgent: createAgent(onConnected),
        signal
      })
      return { status: response.status, text: new TextDecoder().decode(response.data) }
    } catch (error) {
      throw translate(error, failed)
    }
  }

  return {
    /**
     * Sends one request and waits for the whole answer. Every failure to get one is an AppError; an error status is
     * not.
     */
    async send(request: TransportRequest): Promise<TransportAnswer> {
      // Not part of the time that the device has for its answer.
      const client = await (http ??= loadHttp())
      if (request.signal?.aborted || request.untilSent?.aborted) throw cancelledCall()
      const limit = new AbortController()
      const failed = { label: address.label, operation: request.operation, mutates: request.mutates }
      let isConnected = false
      return new Promise<TransportAnswer>((resolve, reject) => {
        const giveUp = (reason: AppError): void => {
          limit.abort()
          reject(reason)
        }
        const onAbort = (): void =>
          giveUp(cancelledCall(!isConnected ? 'notSent' : request.mutates ? 'unknown' : 'away'))
        const onTakenBack = (): void => {
          if (!isConnected) giveUp(cancelledCall())
        }
        const endWait = limitAnswer(request.timeoutMs, () =>
          giveUp(deviceTimeout(failed, request.timeoutMs, isConnected))
        )
        request.signal?.addEventListener('abort', onAbort, { once: true })
        request.untilSent?.addEventListener('abort', onTakenBack, { once: true })
        exchange(client, request, limit.signal, () => (isConnected = true))
          .then(resolve, reject)
          .finally(() => {
            endWait()
            request.signal?.removeEventListener('abort', onAbort)
            request.untilSent?.removeEventListener('abort', onTakenBack)
          })
      })
    }
  }
}

/** A zone is the name of a card, or its number (on Windows). */
function hasCard(zone: string): boolean {
  return Object.entries(networkInterfaces()).some(
    ([name, list]) => name === zone || list?.some((one) => one.family === 'IPv6' && String(one.scopeid) === zone)
  )
}

/** The library's error contains headers and the full address: only its code leaves this function. */
function translate(error: unknown, request: FailedRequest): AppError {
  if (error instanceof AppError) return error
  const code = hasCode(error) ? error.code : 'UNKNOWN'
  const text = error instanceof Error ? error.message : ''
  return connectionFailure(code, text, request)
}

function hasCode(error: unknown): error is { code: string } {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
}
