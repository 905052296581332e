import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setImmediate } from 'node:timers'
import { vi } from 'vitest'
import { createGatewayClient, type GatewayClient } from '../../../../main/gateway/client/client.ts'
import { gatewayEndpoints } from '../../../../main/gateway/client/request/endpointTable.ts'
import { createOperations, type Operations } from '../../../../main/gateway/waitingWork/engine.ts'
import type { OperationKind } from '../../../../main/gateway/waitingWork/kind.ts'
import type { OperationStore } from '../../../../main/data/store/work/operations.ts'
import { startGateway, type SimulatedGateway } from '../../../../simulator/gateway/gateway.ts'
import { iccid, imei, reportParked, type ReportChange } from '../../data/parkedReport.ts'
import type { CacheMode } from './networkOutcomes.ts'
import {
  createDyingProcess,
  mortalKind,
  mortalRows,
  watchArrivals,
  type CrashPoint,
  type DyingProcess
} from './dyingProcess.ts'
import { realKinds } from './queuedKinds.ts'

export const graceMs = 120_000
export const cacheLagMs = 15_000
const beganAt = Date.UTC(2026, 10, 20, 9)
/** Turns of the event loop after which an arrived answer has no further effect. */
const mostSilentTurns = 20
const mostTurns = 20_000

/** One run of Fitter: its own client, its own waits, over a table that outlives it. */
export interface Run {
  operations: Operations
  client: GatewayClient
  process: DyingProcess
  rows: OperationStore
  end(): void
}

export interface GatewayWorldOptions {
  rows: OperationStore
  cache: CacheMode
  seed: number
  /** Changes the world for a proof that it is noticed. */
  sabotage?: Sabotage
}

export interface Sabotage {
  graceMs?: number
  cacheLagMs?: number
  lookEveryMs?: number
  stepMs?: number
  monotonicMs?(): number
  rows?(rows: OperationStore): OperationStore
  kind?(kind: OperationKind): OperationKind
  beforeStart?(rows: OperationStore): void
}

export interface GatewayWorld {
  gateway: SimulatedGateway
  reporter: ReturnType<typeof createReporter>
  /** A process that dies at this instant, or lives. */
  start(diesAt?: CrashPoint): Run
  /** Waits for work over real connections; while it waits for the clock, the clock advances. */
  over<T>(work: Promise<T>, mostMs?: number): Promise<T>
  advance(ms: number): void
  /** The clock of the gateway against ours. */
  gatewayAheadMs: number
  close(): Promise<void>
}

let underWay = 0
const leaves = () => void (underWay += 1)
const returns = () => void (underWay = Math.max(0, underWay - 1))

/** Clocks that stand still until a test moves them; connections stay real. */
export function standStill(): () => void {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    now: beganAt
  })
  subscribe('http.client.request.start', leaves)
  subscribe('http.client.response.finish', returns)
  subscribe('http.client.request.error', returns)
  return () => {
    unsubscribe('http.client.request.start', leaves)
    unsubscribe('http.client.response.finish', returns)
    unsubscribe('http.client.request.error', returns)
    vi.useRealTimers()
  }
}

/**
 * The simulated gateway behind real HTTP, and Fitter's own client and kinds in front of it. Needs clocks that stand
 * still.
 */
export async function openGatewayWorld(
  { rows, cache, seed, sabotage = {} }: GatewayWorldOptions,
  writes: string[]
): Promise<GatewayWorld> {
  const plenty = [{ requests: 100_000, perSeconds: 60 }]
  const world = { gatewayAheadMs: 0 }
  const gateway = await startGateway({
    devices: [{ imei, model: 'ft4', iccid, lat: 40.4, lon: -3.7 }],
    vehicles: 4,
    seed,
    delayMs: 0,
    readCacheMs: cache === 'byRequest' ? cacheLagMs : 0,
    rateTiers: { data: plenty, other: plenty },
    now: () => Date.now() + world.gatewayAheadMs
  })
  const reporter = createReporter(gateway, () => Date.now() + world.gatewayAheadMs)
  reporter.report()
  let token: string | undefined
  let current: Run | undefined
  const isWrite = writeMatcher(writes)
  const stopWatching = watchArrivals(() => current?.process, isWrite)

  function start(diesAt?: CrashPoint): Run {
    const process = createDyingProcess(diesAt)
    const client = createGatewayClient({
      url: gateway.url,
      credentials: () => Promise.resolve({ user: gateway.user, password: gateway.password }),
      token: { get: () => Promise.resolve(token), set: (next) => Promise.resolve(void (token = next)) }
    })
    const kinds = realKinds(() => Promise.resolve(client)).map((kind) =>
      mortalKind(sabotage.kind?.(kind) ?? kind, process)
    )
    const kept = mortalRows(rows, process)
    sabotage.beforeStart?.(rows)
    const operations = createOperations({
      rows: sabotage.rows?.(kept) ?? kept,
      kinds,
      clockDifferenceMs: () => (client.clockDifferenceS() ?? 0) * 1000,
      learnTime: (signal) => client.learnTime(signal),
      graceMs: sabotage.graceMs ?? graceMs,
      cacheLagMs: sabotage.cacheLagMs ?? cacheLagMs,
      lookEveryMs: sabotage.lookEveryMs ?? 30_000,
      ...(sabotage.monotonicMs ? { monotonicMs: sabotage.monotonicMs } : {}),
      changed: () => undefined
    })
    current = { operations, client, process, rows: kept, end: () => client.close() }
    return current
  }

  return Object.assign(world, {
    gateway,
    reporter,
    start,
    over,
    advance: (ms: number) => void vi.advanceTimersByTime(ms),
    async close() {
      stopWatching()
      current?.end()
      await gateway.stop()
    }
  })
}

/** Waits for work over real connections; where nothing happens for some turns, it waits for the clock. */
async function over<T>(work: Promise<T>, mostMs = 3_600_000): Promise<T> {
  let isOver = false
  const ended = work.finally(() => (isOver = true))
  ended.catch(() => undefined)
  for (let passedMs = 0; passedMs < mostMs; passedMs += 500) {
    for (let quiet = 0, turns = 0; quiet < mostSilentTurns && turns < mostTurns && !isOver; turns++) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      quiet = underWay > 0 ? 0 : quiet + 1
    }
    if (isOver) return ended
    // Who never answers is not waited for again.
    underWay = 0
    vi.advanceTimersByTime(500)
  }
  throw new Error('The work did not end')
}

function writeMatcher(writes: string[]) {
  const patterns = writes.map((id) => {
    const endpoint = gatewayEndpoints.get(id)
    if (!endpoint) throw new Error(`There is no operation ${id}`)
    return { method: endpoint.method, path: new RegExp(`/api${endpoint.path.replaceAll(/:\w+/g, '[^/]+')}$`) }
  })
  return ({ method = '', url = '' }: { method?: string | undefined; url?: string | undefined }) =>
    patterns.some((one) => one.method === method && one.path.test(url.split('?')[0] ?? ''))
}

/** A device that reports on request; between two reports the vehicle may have driven. */
function createReporter(gateway: SimulatedGateway, now: () => number) {
  const next = reportParked()
  let distanceM = 1_000
  return {
    report({ drivenM = 0, accessories }: { drivenM?: number; accessories?: ReportChange['accessories'] } = {}): void {
      distanceM += drivenM
      gateway.receive(next({ deviceTimeMs: now(), distanceM, ...(accessories && { accessories }) }))
    },
    drivenM: () => distanceM - 1_000
  }
}
