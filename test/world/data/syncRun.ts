import { createOperations, type Operations } from '../../../main/gateway/waitingWork/engine.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { startGateway } from '../../../simulator/gateway/gateway.ts'
import type { Fault } from '../../../simulator/gateway/types.ts'
import { makeReport } from '../../gateway/unit/simulator/gatewayClient.ts'
import { startVirtualClock, type VirtualClock } from '../window/stories/virtualClock.ts'
import { clientOf, mixedWork } from '../gateway/mixedWork.ts'
import { realKinds } from '../gateway/operations/queuedKinds.ts'
import { tempFolder } from '../tempFolder.ts'

/** What a user may ask in a minute. */
const tiers = { data: 30, other: 100 }
const windowMs = 60_000
const atRest: readonly string[] = ['done', 'failed', 'needsAttention']
const taken: readonly string[] = [...atRest, 'accepted']
const mostMs = 3_600_000
/** Rare enough that a device's next report is waited for. */
const reportEveryMs = 60_000

export interface SyncWish {
  operations: number
  /** So many of them are never answered well. */
  poisoned?: number
  /** The process ends at each of these moments (ms from the start), and begins again on the same table. */
  crashesAtMs?: readonly number[]
  seed?: number
}

export interface SyncRun {
  /** From the start until the gateway had taken all that is not poisoned, on the virtual clock. */
  tookMs: number
  /** Until their effects were seen too; some show only with a device's next report. */
  seenMs: number
  /** What the limits allow at best for the requests that were made. */
  boundMs: number
  /** What the limits allow at best when each piece of work needs one request. */
  leastMs: number
  requests: number
  requestsPerOperation: number
  byOperation: Record<string, number>
  states: Record<string, number>
  /** Pieces whose effect is not there, or there more than once. */
  lost: string[]
  doubled: string[]
  violations: unknown[]
}

/** Brings mixed gateway work to its end against the simulated gateway over HTTP, on a clock that costs no time. */
export async function runSync({
  operations: count,
  poisoned = 0,
  crashesAtMs = [],
  seed = 1
}: SyncWish): Promise<SyncRun> {
  const clock = startVirtualClock()
  const tier = (requests: number) => [{ requests, perSeconds: windowMs / 1000 }]
  const gateway = await startGateway({
    devices: [],
    seed,
    vehicles: 400,
    delayMs: 0,
    now: () => Date.now(),
    readCacheMs: 15_000,
    rateTiers: { data: tier(tiers.data), other: tier(tiers.other) }
  })
  const store = openStore(tempFolder())
  const startedMs = performance.now()
  const reports = setInterval(() => {
    for (const { imei } of gateway.state.devices)
      gateway.receive(makeReport({ imei: String(imei), deviceTimeMs: Date.now() }))
  }, reportEveryMs)
  const pieces = mixedWork(gateway, count)
  const ill = pieces.slice(0, poisoned)
  gateway.setFault(
    ill.map((piece): Fault => ({ operation: piece.operation, mentions: markOf(piece.work.payload), status: 500 }))
  )

  const well = new Set<string>()
  const ended = new Set<string>()
  const takenAtMs = new Map<string, number>()

  function begin(): { operations: Operations; end(): Promise<void> } {
    const client = clientOf(gateway)
    const ending = new AbortController()
    const operations = createOperations({
      rows: store.operations,
      kinds: realKinds(() => Promise.resolve(client)),
      clockDifferenceMs: () => (client.clockDifferenceS() ?? 0) * 1000,
      monotonicMs: () => performance.now(),
      finishWithinMs: 0,
      changed({ id, state }) {
        if (!atRest.includes(state)) ended.delete(id)
        else if (well.has(id)) ended.add(id)
        if (well.has(id) && taken.includes(state) && !takenAtMs.has(id))
          takenAtMs.set(id, performance.now() - startedMs)
      }
    })
    return {
      operations,
      async end() {
        ending.abort()
        client.close()
        await operations.stop()
      }
    }
  }

  try {
    let running = begin()
    const ids = pieces.map(({ work }) => running.operations.add(work).id)
    for (const id of ids.slice(poisoned)) well.add(id)
    const isOver = () => ended.size === well.size
    const passing = setInterval(
      () => void running.operations.pass(new AbortController().signal).catch(() => undefined),
      1_000
    )
    const crashes = [...crashesAtMs]
    for (;;) {
      const next = crashes[0]
      const isDue = () => next !== undefined && performance.now() - startedMs >= next
      await clock.until(() => isOver() || isDue(), mostMs, 250)
      if (isOver() || !isDue()) break
      crashes.shift()
      await over(clock, running.end())
      running = begin()
    }
    clearInterval(passing)
    const seenMs = performance.now() - startedMs
    await over(clock, running.end())
    const requests = gateway.requests.filter(({ operation }) => operation !== null && operation !== 'session.login')
    const isData = ({ operation }: { operation: string | null }) =>
      /^(rawdata|trips|counters\.query)/.test(operation ?? '')
    const minutes = (requestCount: number, limit: number) => Math.max(0, Math.ceil(requestCount / limit) - 1) * windowMs
    const data = requests.filter(isData).length
    return {
      tookMs: Math.max(...takenAtMs.values()),
      seenMs,
      boundMs: Math.max(minutes(data, tiers.data), minutes(requests.length - data, tiers.other)),
      leastMs: minutes(count, tiers.other),
      requests: requests.length,
      requestsPerOperation: requests.length / count,
      byOperation: countBy(requests.map(({ operation }) => operation ?? '')),
      states: countBy(ids.map((id) => store.operations.get(id)?.state ?? 'gone')),
      lost: pieces.filter((piece) => !ill.includes(piece) && piece.effects() === 0).map(({ work }) => work.key),
      doubled: pieces.filter((piece) => piece.effects() > 1).map(({ work }) => work.key),
      violations: gateway.violations
    }
  } finally {
    clearInterval(reports)
    await over(clock, gateway.stop())
    clock.stop()
    store.close()
  }
}

/** Moves the clock until it is over. */
async function over(clock: VirtualClock, work: Promise<unknown>): Promise<void> {
  let isOver = false
  const ended = work.finally(() => (isOver = true))
  ended.catch(() => undefined)
  await clock.until(() => isOver, 60_000)
  await ended
}

function countBy(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))
}

/** What only this piece of work has in its request. */
function markOf(payload: unknown): string {
  const { ref, id, mac, lineNumber, vid, primary } = payload as {
    ref?: string
    id?: string
    mac?: string
    lineNumber?: string
    vid?: number
    primary?: { id: number }
  }
  return ref ?? lineNumber ?? id ?? mac ?? (primary === undefined ? `/vehicles/${String(vid)}/` : String(primary.id))
}
