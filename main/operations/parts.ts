import type { OperationKind } from './kind.ts'
import type { Moves } from './moves.ts'
import type { OperationRows, StoredRow } from './rows.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'

/** What the steps of the engine share. */
export interface EngineParts {
  rows: OperationRows
  kinds: ReadonlyMap<string, OperationKind>
  moves: Moves
  patience: Patience
  /** What this process is sending or reading back at this moment. */
  inHand: Set<string>
  /** All of it is paused; what is paused by itself says so in its row. */
  isAllPaused(): boolean
  /** What a step of a job or a person waits for right now. */
  awaited: Set<string>
  /** What is being handed over at this moment: nothing touches it. */
  still: Set<string>
  /** Somebody may have taken jobs over without this laptop having heard of it. */
  mayBeElsewhere(): boolean
  /** How long the gateway may answer from its cache. */
  cacheLagMs: number
  /** How often an effect that is still to come is looked for. */
  lookEveryMs: number
  monotonicMs(): number
  now(): Date
  /** The gateway's clock less ours, in ms, as far as it was learned. */
  clockDifferenceMs(): number | null
  /** Makes sure that the gateway's clock is known, where it is not. */
  learnTime(signal: AbortSignal): Promise<void>
  /** Who works here; kept with each attempt. */
  sentBy(): string
  /** Ends with the engine: reads at once, writes a little later. */
  reading: AbortSignal
  writing: AbortSignal
}

/** Whether a person holds it back: nothing new of it is sent, what is under way is read back. */
export function isPaused({ rows, isAllPaused }: EngineParts, id: string): boolean {
  return isAllPaused() || (rows.get(id)?.paused ?? null) !== null
}

/** Marks an operation as being worked on by this process, so that a look at the table never takes it for interrupted. */
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
/** A gateway that could not be asked so often in a row is out of reach: nobody waits for it. */
export const awayAfter = 3

/** It says nothing about the gateway, and whoever waits must hear of it. */
export function isOurFault({ code }: AppError): boolean {
  return code === 'INTERNAL' || code === 'DATA_UNUSABLE' || code === 'DATA_LOCKED'
}

/** What was stopped may fail with any reason. */
export function asAppError(error: unknown, signal: AbortSignal): AppError {
  if (error instanceof AppError) return error
  if (signal.aborted) return new AppError('CANCELLED', message('operations.stopped'))
  return new AppError('INTERNAL', message('app.fault'), { cause: error })
}

/** Reading failed before anything was sent: nothing is lost, it waits, unless asking again is of no use. */
export function stayInState(parts: EngineParts, { id, state }: StoredRow, error: AppError): void {
  if (isOurFault(error)) throw error
  if (error.code === 'CANCELLED' || !parts.moves.isStill(id, state)) return
  if (error.fate === 'refused') return parts.moves.move(id, 'needsAttention', error.sentence)
  holdFor(parts, id, error)
  const reason = error.code === 'NOT_AUTHENTICATED' ? message('operations.waitsForSignIn') : message('operations.waits', { why: error.sentence })
  parts.moves.move(id, state, reason)
}

/** After an answer that none could be had: not again at once, and not for the sake of a budget. */
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

/** The work of a row; where it cannot be read any more, only a person can help. */
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

/** Why nothing is asked or sent for a while: out of reach, a limit of the gateway, its cache, or an effect that is to come. */
export type HoldCause = 'away' | 'signIn' | 'limit' | 'cache' | 'look'

/**
 * How long an operation must wait. Monotonic and of this run alone: after a restart the grace time starts anew, which is
 * only ever longer. Work that was handed over and never sent alone goes on with what is left of it (claim.ts).
 */
export interface Wait {
  graceOverMs: number
  /** When the first of the two reads that find nothing came back. */
  firstAbsentMs: number | null
  /** Nothing is asked or sent before. */
  holdUntilMs: number
  holdCause: HoldCause
  /** How often in a row the gateway could not be asked. */
  timesAway: number
  /** How often an effect that is still to come was looked for in vain. */
  timesWaited: number
  /** When what is there before the first attempt was read. */
  baselineAtMs: number | null
}

export interface Patience {
  of(id: string): Wait
  /** `moreMs`: beside the grace time. */
  beginGrace(id: string, moreMs?: number): void
  hold(id: string, ms: number, cause: HoldCause): void
  isHeld(id: string): boolean
  /** In so many ms it may go on, and what keeps it until then; undefined where nothing does. */
  holdOf(id: string): { inMs: number; cause: HoldCause } | undefined
  /** Whether the gateway could not be asked last time. */
  isAway(id: string): boolean
  /** Left of its grace time. */
  graceOf(id: string): number
  /** Lets it be tried at once where that breaks no rule. False: a limit or the cache of the gateway holds it, which no wish changes. */
  tryNow(id: string): boolean
  forget(id: string): void
}

/** A clock that was set meanwhile must not keep work waiting for days. */
const longestHoldMs = 3_600_000
const unchangeable: readonly HoldCause[] = ['limit', 'cache']

/** What this run remembers of when each operation may go on. `changed` is told of each hold that began. */
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
