import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import type { EngineParts } from './parts.ts'
import type { StoredRow } from './rows.ts'

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
export function stay(parts: EngineParts, { id, state }: StoredRow, error: AppError): void {
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
