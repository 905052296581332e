import type { AppError } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import type { Operation, OperationState } from '../../preload/contract/operations.ts'

/** One try to send an operation, as the table keeps it. */
export interface Attempt {
  number: number
  requestHash: string
  startedAt: string
  /** The gateway's clock when it began, as far as it was known (epoch ms). */
  serverTimeMs: number | null
  /** What came of it; null while it is under way, and for good when the process died. */
  outcome: string | null
  /** Who worked here. */
  by?: string
}

export const answered = 'answered'
const arrivalUnknown = 'unknown'
const notApplied = 'not applied'

/** Text of an attempt's outcome, for an attempt that failed. */
export function outcomeOf(error: AppError, state: OperationState): string {
  return `${state === 'unknown' ? arrivalUnknown : notApplied}: ${error.code}${error.status === undefined ? '' : ` ${error.status}`}`
}

/** Each try as a person reads it; what was written down of it stands beside. */
export function triesOf({ state }: { state: OperationState }, attempts: readonly Attempt[]): Operation['tries'] {
  return attempts.map(({ number, startedAt, outcome, by = '' }) => ({ number, startedAt, what: sayOutcome(outcome, state), by, outcome }))
}

function sayOutcome(outcome: string | null, state: OperationState): Message {
  if (outcome === null) return message(state === 'sending' ? 'waiting.tryUnderWay' : 'waiting.tryNotWritten')
  if (outcome === answered) return message('waiting.tryAnswered')
  const cause = /: ([A-Z_]+)/.exec(outcome)?.[1] ?? ''
  return outcome.startsWith(arrivalUnknown) ? message('waiting.tryUnknown', { cause }) : message('waiting.tryNotApplied', { cause })
}

/** Whether the gateway can have applied it. */
export function mayHaveArrived({ outcome }: Attempt): boolean {
  return outcome === null || outcome === answered || outcome.startsWith(arrivalUnknown)
}

/** Whether the gateway answered that such a thing exists already. */
export function wasConflict({ outcome }: Attempt): boolean {
  return outcome !== null && /\bCONFLICT\b/.test(outcome)
}

/** Attempts that count against the limit: those that may have arrived since a person last said "send again". */
export function countSpent(operation: { evidence: readonly { raw: unknown }[] }, attempts: readonly Attempt[]): number {
  const allowedAfter = allowedSince(operation)
  return attempts.filter((attempt) => attempt.number > allowedAfter && mayHaveArrived(attempt)).length
}

/** Whether a person said "send again" after all that was sent until now. */
export function isPersonsWish(operation: { evidence: readonly { raw: unknown }[] }, attempts: readonly Attempt[]): boolean {
  const allowedAfter = allowedSince(operation)
  return allowedAfter > 0 && attempts.every(({ number }) => number <= allowedAfter)
}

function allowedSince(operation: { evidence: readonly { raw: unknown }[] }): number {
  return Math.max(0, ...operation.evidence.map(({ raw }) => sentAgainAfter(raw)))
}

/** Kept as evidence of a person's "send again", so that it holds after a restart. */
export function decision(from: OperationState, to: OperationState, afterAttempt: number) {
  return { from, to, afterAttempt }
}

function sentAgainAfter(raw: unknown): number {
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) return 0
  const { to, afterAttempt } = raw as { to?: unknown; afterAttempt?: unknown }
  return to === 'pending' && typeof afterAttempt === 'number' ? afterAttempt : 0
}
