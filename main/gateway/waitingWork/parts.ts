import type { OperationKind } from './kind.ts'
import type { Moves } from './moves.ts'
import { awayAfter, type Patience } from './patience.ts'
import type { OperationStore, StoredOperation } from '../../data/store/work/operations.ts'
import { AppError, type ErrorCode } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'

export interface EngineShared {
  rows: OperationStore
  kinds: ReadonlyMap<string, OperationKind>
  moves: Moves
  patience: Patience
  /** What this process is sending or reading back at this moment. */
  inHand: Set<string>
  /** All of it is paused; work that is paused alone says so in its row. */
  isAllPaused(): boolean
  /** What a step of a job or a person waits for right now. */
  awaited: Set<string>
  /** What is being handed over at this moment: nothing touches it. */
  still: Set<string>
  /** Someone may have taken jobs over without this laptop having heard of it. */
  mayBeElsewhere(): boolean
  /** How long the gateway may answer from its cache. */
  cacheLagMs: number
  /** How often Fitter looks for an effect that is still to come. */
  lookEveryMs: number
  monotonicMs(): number
  now(): Date
  /** The gateway's clock minus ours, in ms; null when unknown. */
  clockDifferenceMs(): number | null
  /** Makes sure that the gateway's clock is known. */
  learnTime(signal: AbortSignal): Promise<void>
  /** The current user; stored with each attempt. */
  sentBy(): string
  /** Ends with the engine: reads at once, writes a little later. */
  reading: AbortSignal
  writing: AbortSignal
}

export interface Work {
  kind: OperationKind
  payload: unknown
}

const askAgainMs = 5_000
const rateLimitMs = 15_000
const answerCodes: readonly ErrorCode[] = ['NOT_PERMITTED', 'NOT_FOUND', 'REFUSED', 'CONFLICT']

/** A fault or the data folder: it says nothing about the gateway, and whoever waits must get it. */
export function isOurFault({ code }: AppError): boolean {
  return code === 'INTERNAL' || code === 'DATA_UNUSABLE' || code === 'DATA_LOCKED'
}

/** Whether a failed request had an answer of the gateway itself; a page or server before it proves nothing. */
function isAnswer({ code, status }: AppError): boolean {
  return answerCodes.includes(code) || (code === 'RATE_LIMITED' && status !== undefined)
}

/** Work that was stopped may fail with any error. */
export function asAppError(error: unknown, signal: AbortSignal): AppError {
  if (error instanceof AppError) return error
  if (signal.aborted) return new AppError('CANCELLED', message('operations.stopped'))
  return new AppError('INTERNAL', message('app.fault'), { cause: error })
}

/** What the steps of the engine share, and what each of them does with it. */
export function createParts(shared: EngineShared) {
  const { rows, kinds, moves, patience, inHand, now } = shared

  function holdFor(id: string, error: AppError): void {
    if (error.code === 'RATE_LIMITED') {
      patience.hold(id, error.retryAtMs === undefined ? rateLimitMs : error.retryAtMs - now().getTime(), 'limit')
      return
    }
    patience.of(id).timesAway += error.code === 'NOT_AUTHENTICATED' ? awayAfter : 1
    patience.hold(id, askAgainMs, error.code === 'NOT_AUTHENTICATED' ? 'signIn' : 'away')
  }

  /** Whatever the gateway answers, it was reached. */
  async function request<T>(id: string, send: () => Promise<T>): Promise<T> {
    try {
      const answer = await send()
      patience.reached(id)
      return answer
    } catch (error) {
      if (error instanceof AppError && isAnswer(error)) patience.reached(id)
      throw error
    }
  }

  /** The kind, with requests that note whether the gateway answered. */
  function watched(id: string, kind: OperationKind): OperationKind {
    const { baseline, finalise } = kind
    return {
      ...kind,
      send: (payload, signal, more) => request(id, () => kind.send(payload, signal, more)),
      look: (payload, more) => request(id, () => kind.look(payload, more)),
      ...(baseline && {
        baseline: (payload, signal, addedMs) => request(id, () => baseline.call(kind, payload, signal, addedMs))
      }),
      ...(finalise && { finalise: (payload, signal) => request(id, () => finalise.call(kind, payload, signal)) })
    }
  }

  return {
    ...shared,
    /** After a failed request: not again at once, and not for the sake of a budget. */
    holdFor,
    /** Whether a person holds it back: nothing new of it is sent, what is under way is read back. */
    isPaused: (id: string): boolean => shared.isAllPaused() || (rows.get(id)?.paused ?? null) !== null,
    /**
     * Marks an operation as being worked on by this process, so that a look at the table never takes it for
     * interrupted.
     */
    async keepInHand<T>(id: string, work: () => Promise<T>): Promise<T> {
      inHand.add(id)
      try {
        return await work()
      } finally {
        inHand.delete(id)
      }
    },
    /** The work of a row; where it cannot be read any more, only a person can help. */
    workOf(row: StoredOperation): Work | undefined {
      const kind = kinds.get(row.kind)
      if (!kind) {
        moves.move(row.id, 'needsAttention', message('operations.unknownKind', { kind: row.kind }))
        return undefined
      }
      const payload = kind.payload.safeParse(row.payload)
      if (payload.success) return { kind: watched(row.id, kind), payload: payload.data }
      moves.move(row.id, 'needsAttention', message('operations.unreadablePayload'))
      return undefined
    },
    /** Reading failed before anything was sent: nothing is lost, it waits, unless asking again is of no use. */
    stayInState({ id, state }: StoredOperation, error: AppError): void {
      if (isOurFault(error)) throw error
      if (error.code === 'CANCELLED' || !moves.isStill(id, state)) return
      if (error.fate === 'refused') return moves.move(id, 'needsAttention', error.sentence)
      holdFor(id, error)
      const reason =
        error.code === 'NOT_AUTHENTICATED'
          ? message('operations.waitsForSignIn')
          : message('operations.waits', { why: error.sentence })
      moves.move(id, state, reason)
    }
  }
}

export type EngineParts = ReturnType<typeof createParts>
