import type { OperationKind } from './kind.ts'
import type { Moves } from './moves.ts'
import type { OperationRows, StoredRow } from './rows.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'

/** Shared by the engine's steps. */
export interface EngineParts {
  rows: OperationRows
  kinds: ReadonlyMap<string, OperationKind>
  moves: Moves
  patience: Patience
  /** What this process is sending or reading back now. */
  inHand: Set<string>
  /** All work is paused; individually paused work has it in its row. */
  isAllPaused(): boolean
  /** What a step of a job or a person waits for now. */
  awaited: Set<string>
  /** What is being handed over now: nothing may touch it. */
  still: Set<string>
  /** Someone may have taken over jobs without this laptop knowing. */
  mayBeElsewhere(): boolean
  /** How long the gateway may answer from its cache. */
  cacheLagMs: number
  /** How often a pending effect is checked. */
  lookEveryMs: number
  monotonicMs(): number
  now(): Date
  /** The gateway's clock minus ours, in ms, if known. */
  clockDifferenceMs(): number | null
  /** Makes sure that the gateway's clock is known. */
  learnTime(signal: AbortSignal): Promise<void>
  /** Who works here; kept with each attempt. */
  sentBy(): string
  /** Ends with the engine: reads at once, writes a little later. */
  reading: AbortSignal
  writing: AbortSignal
}

/** Whether a person paused it: nothing new of it is sent, work in progress is read back. */
export function isPaused({ rows, isAllPaused }: EngineParts, id: string): boolean {
  return isAllPaused() || (rows.get(id)?.paused ?? null) !== null
}

/** Marks an operation as being worked on by this process, so that it is never mistaken for interrupted work. */
export async function keepInHand<T>({ inHand }: EngineParts, id: string, work: () => Promise<T>): Promise<T> {
  inHand.add(id)
  try {
    return await work()
  } finally {
    inHand.delete(id)
  }
}

const askAgainMs = 5_000
const rateLimitMs = 15_000
/** After this many failed requests in a row the gateway counts as unreachable: nobody waits for it. */
export const awayAfter = 3

/** This failure says nothing about the gateway, and whoever waits must get it. */
export function isOurFault({ code }: AppError): boolean {
  return code === 'INTERNAL' || code === 'DATA_UNUSABLE' || code === 'DATA_LOCKED'
}

/** A stopped request may fail with any reason. */
export function asAppError(error: unknown, signal: AbortSignal): AppError {
  if (error instanceof AppError) return error
  if (signal.aborted) return new AppError('CANCELLED', message('operations.stopped'))
  return new AppError('INTERNAL', message('app.fault'), { cause: error })
}

/** Reading failed before anything was sent: nothing is lost, it waits, unless a retry is useless. */
export function stayInState(parts: EngineParts, { id, state }: StoredRow, error: AppError): void {
  if (isOurFault(error)) throw error
  if (error.code === 'CANCELLED' || !parts.moves.isStill(id, state)) return
  if (error.fate === 'refused') return parts.moves.move(id, 'needsAttention', error.sentence)
  holdFor(parts, id, error)
  const reason = error.code === 'NOT_AUTHENTICATED' ? message('operations.waitsForSignIn') : message('operations.waits', { why: error.sentence })
  parts.moves.move(id, state, reason)
}

/** After a missing answer: not again at once, and without using up retries. */
export function holdFor({ patience, now }: EngineParts, id: string, error: AppError): void {
  if (error.code === 'RATE_LIMITED') {
    patience.hold(id, error.retryAtMs === undefined ? rateLimitMs : error.retryAtMs - now().getTime(), 'limit')
    return
  }
  patience.of(id).timesAway += error.code === 'NOT_AUTHENTICATED' ? awayAfter : 1
  patience.hold(id, askAgainMs, error.code === 'NOT_AUTHENTICATED' ? 'signIn' : 'away')
}

/** A kind and what it is to send. */
export interface Work {
  kind: OperationKind
  payload: unknown
}

/** The work of a row; if it is unreadable, only a person can help. */
export function workOf({ kinds, moves }: EngineParts, row: StoredRow): Work | undefined {
  const kind = kinds.get(row.kind)
  if (!kind) {
    moves.move(row.id, 'needsAttention', message('operations.unknownKind', { kind: row.kind }))
    return undefined
  }
  const payload = kind.payload.safeParse(row.payload)
  if (payload.success) return { kind, payload: payload.data }
  moves.move(row.id, 'needsAttention', message('operations.unreadablePayload'))
  return undefined
}

/** Why nothing is requested for a while: unreachable, a limit of the gateway, its cache, or a pending effect. */
export type HoldCause = 'away' | 'signIn' | 'limit' | 'cache' | 'look'

/**
 * How long an operation must wait. Monotonic and only for this run: after a restart the grace time starts again, which only
 * makes it longer. Work that was handed over and never sent continues with the rest of its time (claim.ts).
 */
export interface Wait {
  graceOverMs: number
  /** When the first of the two reads that found nothing returned. */
  firstAbsentMs: number | null
  /** No request before this time. */
  holdUntilMs: number
  holdCause: HoldCause
  /** How often in a row the gateway could not be asked. */
  timesAway: number
  /** How often a pending effect was not found. */
  timesWaited: number
  /** When the state before the first attempt was read. */
  baselineAtMs: number | null
}

export interface Patience {
  of(id: string): Wait
  /** `moreMs`: beside the grace time. */
  beginGrace(id: string, moreMs?: number): void
  hold(id: string, ms: number, cause: HoldCause): void
  isHeld(id: string): boolean
  /** Milliseconds until it may continue, and the reason for the wait; undefined when it may continue. */
  holdOf(id: string): { inMs: number; cause: HoldCause } | undefined
  /** Whether the gateway could not be asked last time. */
  isAway(id: string): boolean
  /** The rest of its grace time. */
  graceOf(id: string): number
  /**
   * Allows a try at once if no rule forbids it. False: a limit or the cache of the gateway delays it, which nobody can
   * change.
   */
  tryNow(id: string): boolean
  forget(id: string): void
}

/** After the clock was set, work must not wait for days. */
const longestHoldMs = 3_600_000
const unchangeable: readonly HoldCause[] = ['limit', 'cache']

/** What this run remembers about when each operation may continue. `changed` is called for each new delay. */
export function createPatience(monotonicMs: () => number, graceMs: number, changed: (id: string) => void = () => undefined): Patience {
  const waits = new Map<string, Wait>()

  function of(id: string): Wait {
    let wait = waits.get(id)
    if (!wait) waits.set(id, (wait = { graceOverMs: 0, firstAbsentMs: null, holdUntilMs: 0, holdCause: 'look', timesAway: 0, timesWaited: 0, baselineAtMs: null }))
    return wait
  }

  function holdOf(id: string): { inMs: number; cause: HoldCause } | undefined {
    const wait = waits.get(id)
    const inMs = (wait?.holdUntilMs ?? 0) - monotonicMs()
    return wait && inMs > 0 ? { inMs, cause: wait.holdCause } : undefined
  }

  return {
    of,
    holdOf,
    beginGrace(id, moreMs = 0) {
      waits.set(id, { graceOverMs: monotonicMs() + graceMs + moreMs, firstAbsentMs: null, holdUntilMs: 0, holdCause: 'look', timesAway: 0, timesWaited: 0, baselineAtMs: null })
    },
    hold(id, ms, cause) {
      Object.assign(of(id), { holdUntilMs: monotonicMs() + Math.min(longestHoldMs, Math.max(0, ms)), holdCause: cause })
      changed(id)
    },
    isHeld: (id) => (waits.get(id)?.holdUntilMs ?? 0) > monotonicMs(),
    isAway: (id) => (waits.get(id)?.timesAway ?? 0) > 0,
    graceOf: (id) => Math.max(0, (waits.get(id)?.graceOverMs ?? 0) - monotonicMs()),
    tryNow(id) {
      const hold = holdOf(id)
      if (hold && unchangeable.includes(hold.cause)) return false
      const wait = waits.get(id)
      if (wait) Object.assign(wait, { holdUntilMs: 0, timesAway: 0 })
      return true
    },
    forget: (id) => void waits.delete(id)
  }
}
