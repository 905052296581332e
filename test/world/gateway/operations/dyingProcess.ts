import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { OperationKind } from '../../../../main/gateway/waitingWork/kind.ts'
import type { OperationStore } from '../../../../main/data/store/work/operations.ts'

/** The instants of an operation's life at which a process can die. */
export const crashPoints = [
  'before the intent',
  'after the intent',
  'before the bytes leave',
  'after the bytes left',
  'before the answer',
  'after the answer',
  'while reading back',
  'before the end',
  'after the end'
] as const
export type CrashPoint = (typeof crashPoints)[number]

export class Crash extends Error {}

/** A process that dies at one of the instants; whatever it does afterwards has no effect any more. */
export interface DyingProcess {
  readonly isDead: boolean
  die(): void
  /** Throws when it is dead, or dies here. */
  reach(point: CrashPoint): void
  assertAlive(): void
  /** Seen from the gateway: what of it arrives. `isWrite` is the write whose fate is looked at. */
  arrives(isWrite: boolean): void
}

export function createDyingProcess(diesAt: CrashPoint | undefined): DyingProcess {
  let isDead = false
  let hasIntent = false
  function assertAlive(): void {
    if (isDead) throw new Crash('dead')
  }
  function meet(point: CrashPoint): void {
    if (point === 'after the intent') hasIntent = true
    if (point === diesAt) isDead = true
  }
  return {
    get isDead() {
      return isDead
    },
    die: () => void (isDead = true),
    assertAlive,
    reach(point) {
      assertAlive()
      meet(point)
      assertAlive()
    },
    arrives(isWrite) {
      if (isWrite) meet('after the bytes left')
      else if (hasIntent) meet('while reading back')
    }
  }
}

const ends = ['done', 'failed', 'needsAttention', 'cancelled', 'expired', 'superseded']

/**
 * The table for a process that can die before and after each write. A transaction is committed completely or not at
 * all.
 */
export function mortalRows(table: OperationStore, process: DyingProcess): OperationStore {
  let depth = 0
  let kept: CrashPoint[] = []

  function together<T>(work: () => T): T {
    process.assertAlive()
    depth += 1
    let result: T
    try {
      result = table.together(work)
    } catch (error) {
      if (depth === 1) kept = []
      throw error
    } finally {
      depth -= 1
    }
    if (depth === 0) for (const point of kept.splice(0)) process.reach(point)
    return result
  }

  function around(points: readonly (readonly [before: CrashPoint, after: CrashPoint])[], write: () => void): void {
    together(() => {
      for (const [before] of points) process.reach(before)
      write()
      kept.push(...points.map(([, after]) => after))
    })
  }

  const alive =
    <Args extends unknown[], Result>(read: (...args: Args) => Result) =>
    (...args: Args): Result => {
      process.assertAlive()
      return read(...args)
    }

  return {
    ...(Object.fromEntries(
      Object.entries(table).map(([name, call]) => [name, alive(call as (...args: unknown[]) => unknown)])
    ) as unknown as OperationStore),
    together,
    beginAttempt: (...args) => around([['before the intent', 'after the intent']], () => table.beginAttempt(...args)),
    change(id, change) {
      const isEnd = ends.includes(change.state) && table.get(id)?.state !== change.state
      around(
        [
          ...(change.attempt ? [['before the answer', 'after the answer'] as const] : []),
          ...(isEnd ? [['before the end', 'after the end'] as const] : [])
        ],
        () => table.change(id, change)
      )
    }
  }
}

/** A kind whose process dies before a byte leaves, and sends nothing when it is dead. */
export function mortalKind(kind: OperationKind, process: DyingProcess): OperationKind {
  return {
    ...kind,
    send(payload, signal, request) {
      process.reach('before the bytes leave')
      return kind.send(payload, signal, request)
    }
  }
}

/** Tells a process what of it arrives at servers of this thread; returns the end of it. */
export function watchArrivals(
  process: () => DyingProcess | undefined,
  isWrite: (request: IncomingMessage) => boolean
): () => void {
  const arrived = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    const isOurs = isWrite(request)
    if (isOurs || !request.url?.endsWith('/login')) process()?.arrives(isOurs)
  }
  subscribe('http.server.request.start', arrived)
  return () => void unsubscribe('http.server.request.start', arrived)
}
