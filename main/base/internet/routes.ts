import type { NetworkInterfaceInfo } from 'node:os'
import type { Socket } from 'node:net'
import type * as tls from 'node:tls'
import { hostOf, isLoopback } from '../addresses/address.ts'
import { dialRoute, type DialStep, type LookUp, type Target } from './dial.ts'
import type { Proxies } from './proxies.ts'
import { DialFailure, dialStages, type CardAddress, type GatewayRoute, type WayOutcome } from './route.ts'

export interface GatewayRoutesOptions {
  proxies: Proxies
  trust: () => tls.SecureContext | undefined
  interfaces: () => NodeJS.Dict<NetworkInterfaceInfo[]>
  /** The card that a person chose; empty: any card that works. */
  chosenCard?: (() => string) | undefined
  now?: () => number
  lookUp?: LookUp | undefined
}

/**
 * Connections to gateways: if there are several routes, they are tried, and the one that worked comes first from then
 * on.
 */
export type GatewayRoutes = ReturnType<typeof createGatewayRoutes>

export interface ConnectOptions {
  signal?: AbortSignal | undefined
  onStep?: ((step: DialStep) => void) | undefined
}

/** How long one route may take before the others are started too. */
const wayLimitMs = 8_000
const nextWayAfterMs = 1_000
const mostCards = 4

export function createGatewayRoutes(options: GatewayRoutesOptions) {
  const now = options.now ?? Date.now
  const names = new Map<string, string[]>()
  const outcomes = new Map<string, { way: GatewayRoute; outcome: WayOutcome }>()
  let last: ReturnType<GatewayRoutes['last']> = null

  async function waysTo(url: string, host: string): Promise<GatewayRoute[]> {
    const proxies = await options.proxies.of(url)
    const froms = isLoopback(host) ? [null] : startingPoints()
    const all = froms.flatMap((from) => proxies.map((proxy): GatewayRoute => ({ proxy, from })))
    return all
      .map((way) => ({ way, rank: rankOf(outcomes.get(keyOf(way))?.outcome) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ way }) => way)
  }

  /** The system's choice first; then each card by its own address, if there are several. */
  function startingPoints(): (CardAddress | null)[] {
    const cards = cardAddresses(options.interfaces())
    const chosen = options.chosenCard?.() ?? ''
    if (chosen !== '') return cards.filter(({ card }) => card === chosen)
    const several = new Set(cards.map(({ card }) => card)).size > 1
    return [null, ...(several ? cards.slice(0, mostCards) : [])]
  }

  /**
   * Starts the next route when the one before failed or is slow; the first connection is used, the others are closed.
   */
  async function race(ways: GatewayRoute[], target: Target, { signal, onStep }: ConnectOptions): Promise<Socket> {
    const ending = new AbortController()
    const stop = (): void => ending.abort()
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
    const failures: DialFailure[] = []
    try {
      return await new Promise<Socket>((resolve, reject) => {
        const left = [...ways]
        let underWay = 0
        let timer: NodeJS.Timeout | undefined
        let isOver = false
        const begin = (): void => {
          clearTimeout(timer)
          const way = left.shift()
          if (isOver || way === undefined) return
          underWay += 1
          if (left.length > 0) timer = setTimeout(begin, nextWayAfterMs)
          dialRoute(target, way, {
            secureContext: options.trust,
            signal: ending.signal,
            limitMs: wayLimitMs,
            onStep,
            names: target.isEncrypted ? names : undefined,
            lookUp: options.lookUp
          }).then(
            (socket) => {
              if (isOver) return void socket.destroy()
              isOver = true
              clearTimeout(timer)
              succeeded(way, socket)
              resolve(socket)
            },
            (error: unknown) => {
              underWay -= 1
              if (isOver) return
              if (!(error instanceof DialFailure)) return reject(error as Error)
              failures.push(error)
              if (error.code !== 'ABORTED')
                outcomes.set(keyOf(way), { way, outcome: { kind: 'failed', failure: error, atMs: now() } })
              if (left.length > 0 && !ending.signal.aborted) begin()
              else if (underWay === 0) reject(furthest(failures))
            }
          )
        }
        begin()
      })
    } finally {
      signal?.removeEventListener('abort', stop)
      ending.abort()
    }
  }

  function succeeded(way: GatewayRoute, socket: Socket): void {
    const localAddress = bare(socket.localAddress ?? '')
    const card = cardOf(options.interfaces(), localAddress)
    last = { way, localAddress, card }
    outcomes.set(keyOf(way), { way, outcome: { kind: 'connected', localAddress, card, atMs: now() } })
  }

  return {
    /** A connection that is ready for a request. Rejects with a DialFailure, or an AppError when there is no route. */
    async connect(url: string, connectOptions: ConnectOptions): Promise<Socket> {
      const at = new URL(url)
      const host = hostOf(at)
      const isEncrypted = at.protocol === 'https:'
      const target: Target = { host, port: Number(at.port) || (isEncrypted ? 443 : 80), isEncrypted }
      const ways = await waysTo(url, host)
      if (ways.length === 0) throw new DialFailure('connect', { proxy: null, from: null }, { code: 'NO_CARD' })
      return race(ways, target, connectOptions)
    },
    /** The result of each route since the network last changed. */
    outcomes: (): { way: GatewayRoute; outcome: WayOutcome }[] => [...outcomes.values()],
    last: (): { way: GatewayRoute; localAddress: string; card: string | null } | null => last,
    /** A sign-in page of a network answered over this connection: the other routes are tried before it. */
    metLoginPage(localAddress: string): void {
      for (const { way, outcome } of [...outcomes.values()]) {
        if (outcome.kind === 'connected' && outcome.localAddress === bare(localAddress))
          outcomes.set(keyOf(way), { way, outcome: { kind: 'loginPage', atMs: now() } })
      }
    },
    /** The network has changed: earlier results are invalid. */
    forget(): void {
      outcomes.clear()
      last = null
    }
  }
}

/** Usable addresses of cards: neither loopback nor link-local IPv6. IPv4 first. */
export function cardAddresses(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): CardAddress[] {
  const all = Object.entries(interfaces).flatMap(([card, infos]) =>
    (infos ?? [])
      .filter(({ internal, address }) => !internal && !/^(fe80|169\.254\.)/i.test(address))
      .map(({ address, family }) => ({ card, address, family }))
  )
  return all.sort((a, b) => a.family.localeCompare(b.family)).map(({ card, address }) => ({ card, address }))
}

export function cardOf(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>, address: string): string | null {
  return (
    Object.entries(interfaces).find(([, infos]) => infos?.some((info) => info.address === bare(address)))?.[0] ?? null
  )
}

function bare(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

function keyOf({ proxy, from }: GatewayRoute): string {
  return `${proxy?.address ?? ''} ${from?.address ?? ''}`
}

/** Working routes first, failed ones after untried ones, a sign-in page last. */
function rankOf(outcome: WayOutcome | undefined): number {
  if (outcome === undefined) return 1
  return { connected: 0, failed: 2, loginPage: 3 }[outcome.kind]
}

/** The most informative failure: of the route that came furthest. */
function furthest(failures: DialFailure[]): DialFailure {
  const rank = ({ stage, code }: DialFailure): number => (code === 'ABORTED' ? -1 : dialStages.indexOf(stage))
  return failures.reduce((best, one) => (rank(one) > rank(best) ? one : best))
}
