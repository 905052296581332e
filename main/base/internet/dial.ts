import { lookup, type LookupAddress } from 'node:dns'
import { request as httpRequest } from 'node:http'
import { connect as connectTcp, isIP, isIPv6, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import { hostOf, hostWithPort } from '../addresses/address.ts'
import { limitAnswer } from '../time/answerLimit.ts'
import { codeOfFailure } from './tlsFault.ts'
import { DialFailure, type DialStage, type Proxy, type GatewayRoute } from './route.ts'

export interface Target {
  host: string
  port: number
  isEncrypted: boolean
}

export type DialStep =
  | { step: 'name'; host: string; addresses: string[] }
  | { step: 'connected'; host: string; localAddress: string; remoteAddress: string }
  | { step: 'tunnel'; proxy: string }
  | { step: 'certificate'; subject: string; issuer: string; validUntil: string }

export interface DialOptions {
  /** The trusted certificates; undefined: those of Node.js. */
  secureContext?: (() => SecureContext | undefined) | undefined
  signal?: AbortSignal | undefined
  limitMs: number
  onStep?: ((step: DialStep) => void) | undefined
  /** Earlier addresses of a name, for when the name service does not answer. */
  names?: Map<string, string[]> | undefined
  /** The operating system's look-up by default. */
  lookUp?: LookUp | undefined
}

export type LookUp = (
  host: string,
  family: number,
  answer: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
) => void

function askSystem(host: string, family: number, answer: Parameters<LookUp>[2]): void {
  lookup(host, { all: true, family }, answer)
}

/**
 * Connects to a gateway along one route: the proxy's tunnel is open and the certificate accepted. Rejects with a
 * DialFailure.
 */
export async function dialRoute(target: Target, way: GatewayRoute, options: DialOptions): Promise<Socket> {
  const open: Socket[] = []
  let stage: DialStage = 'connect'
  const at = (next: DialStage) => {
    stage = next
  }
  let giveUp: (code: string) => void = () => undefined
  const givenUp = new Promise<never>((_, reject) => {
    giveUp = (code) => reject(new DialFailure(stage, way, { code }))
  })
  const endWait = limitAnswer(options.limitMs, () => giveUp('ETIMEDOUT'))
  const onAbort = (): void => giveUp('ABORTED')
  if (options.signal?.aborted) onAbort()
  options.signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([makeConnection(target, way, { options, open, at }), givenUp])
  } catch (error) {
    for (const socket of open) socket.destroy()
    throw error
  } finally {
    endWait()
    options.signal?.removeEventListener('abort', onAbort)
  }
}

interface Making {
  options: DialOptions
  /** Every socket that was opened, so that a failure can close all of them. */
  open: Socket[]
  at(stage: DialStage): void
}

async function makeConnection(target: Target, way: GatewayRoute, making: Making): Promise<Socket> {
  const plain =
    way.proxy === null ? await connect(target, way, making) : await tunnel(target, { way, proxy: way.proxy, making })
  if (!target.isEncrypted) return plain
  making.at('certificate')
  return secure(plain, target.host, { way, making, stage: 'certificate' })
}

function connect(
  { host, port }: Pick<Target, 'host' | 'port'>,
  way: GatewayRoute,
  { options, open, at }: Making
): Promise<Socket> {
  const { from } = way
  return new Promise((resolve, reject) => {
    at('connect')
    const socket = connectTcp({
      host,
      port,
      noDelay: true,
      ...(from === null ? {} : { localAddress: from.address, family: isIPv6(from.address) ? 6 : 4 }),
      lookup: lookUpWith(options)
    })
    open.push(socket)
    socket.once('connect', () => {
      options.onStep?.({
        step: 'connected',
        host,
        localAddress: socket.localAddress ?? '',
        remoteAddress: socket.remoteAddress ?? ''
      })
      resolve(socket)
    })
    const onError = (error: NodeJS.ErrnoException): void => {
      const code = codeOf(error)
      reject(new DialFailure(isNameFailure(code) ? 'name' : 'connect', way, { code }))
    }
    // This listener stays: before a request listens, nobody else would notice a broken connection.
    socket.on('error', onError)
  })
}

function lookUpWith({ names, onStep, lookUp = askSystem }: DialOptions): LookupFunction {
  return (host, wanted, answer) => {
    const family = Number(String(wanted.family ?? 0).replace('IPv', ''))
    lookUp(host, family, (error, found) => {
      const before = (names?.get(host) ?? [])
        .map((address) => ({ address, family: isIP(address) }))
        .filter((one) => family === 0 || one.family === family)
      // A certificate proves the server's identity, so an old address does no harm.
      const addresses = error ? before : found
      const [first] = addresses
      if (first === undefined) return answer(error ?? Object.assign(new Error(host), { code: 'ENOTFOUND' }), '', 0)
      if (!error)
        names?.set(host, [...new Set([...found.map(({ address }) => address), ...(names.get(host) ?? [])])].slice(0, 8))
      onStep?.({ step: 'name', host, addresses: addresses.map(({ address }) => address) })
      if (wanted.all) answer(null, addresses)
      else answer(null, first.address, first.family)
    })
  }
}

/** Asks the proxy for a tunnel (CONNECT): it learns only the name and the port of the gateway. */
async function tunnel(
  target: Target,
  { way, proxy, making }: { way: GatewayRoute; proxy: Proxy; making: Making }
): Promise<Socket> {
  const url = new URL(proxy.address)
  const isEncrypted = url.protocol === 'https:'
  const host = hostOf(url)
  const plain = await connect({ host, port: Number(url.port) || (isEncrypted ? 443 : 80) }, way, making)
  making.at('proxy')
  const socket = isEncrypted ? await secure(plain, host, { way, making, stage: 'proxy' }) : plain
  const to = hostWithPort(target.host, target.port)
  return new Promise((resolve, reject) => {
    const asking = httpRequest({
      createConnection: () => socket,
      method: 'CONNECT',
      path: to,
      headers: { Host: to, ...(proxy.credentials ? { 'Proxy-Authorization': basic(proxy.credentials) } : {}) }
    })
    asking.once('connect', (response, opened, head) => {
      const status = response.statusCode ?? 0
      if (status < 200 || status > 299) {
        reject(new DialFailure('proxy', way, { code: 'PROXY_REFUSED', proxyStatus: status }))
        return
      }
      if (head.length > 0) opened.unshift(head)
      making.options.onStep?.({ step: 'tunnel', proxy: proxy.label })
      resolve(opened as Socket)
    })
    asking.on('error', (error: NodeJS.ErrnoException) => reject(new DialFailure('proxy', way, { code: codeOf(error) })))
    asking.end()
  })
}

function secure(
  socket: Socket,
  host: string,
  { way, making, stage }: { way: GatewayRoute; making: Making; stage: DialStage }
): Promise<TLSSocket> {
  const { options, open } = making
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ALPNProtocols: ['http/1.1'],
      secureContext: options.secureContext?.(),
      // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would let anyone pose as the gateway.
      rejectUnauthorized: true
    })
    open.push(secured)
    const onError = (error: NodeJS.ErrnoException & { cert?: { subjectaltname?: string } }): void => {
      const names = error.cert?.subjectaltname
      reject(
        new DialFailure(stage, way, {
          code: codeOf(error),
          ...(names === undefined ? {} : { certificateNames: readNames(names) })
        })
      )
    }
    secured.on('error', onError)
    secured.once('secureConnect', () => {
      if (stage === 'certificate' && options.onStep) {
        const { subject, issuer, valid_to: until } = secured.getPeerCertificate()
        options.onStep({
          step: 'certificate',
          subject: nameOf(subject),
          issuer: nameOf(issuer),
          validUntil: new Date(until).toISOString()
        })
      }
      resolve(secured)
    })
  })
}

/** `DNS:a.example, IP Address:1.2.3.4` without the kinds. */
function readNames(text: string): string {
  return text.replace(/(DNS|IP Address):/g, '').slice(0, 200)
}

function nameOf(subject: Partial<Record<string, string | string[]>> | undefined): string {
  const name = subject?.['CN'] ?? subject?.['O'] ?? ''
  return [name].flat().join(', ').slice(0, 200)
}

function basic({ user, password }: { user: string; password: string }): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

function isNameFailure(code: string): boolean {
  return code === 'ENOTFOUND' || code === 'EAI_AGAIN'
}

/** If one name has several addresses, Node.js throws all their failures together. */
function codeOf(error: NodeJS.ErrnoException & { errors?: unknown }): string {
  const [first] = Array.isArray(error.errors) ? (error.errors as NodeJS.ErrnoException[]) : []
  return codeOfFailure(error) || first?.code || 'UNKNOWN'
}
