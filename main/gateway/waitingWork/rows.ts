import { type Message, message } from '../../../preload/contract/messages.ts'
import type { Operation, OperationState } from '../../../preload/contract/gateway/operations.ts'
import type { AppError } from '../../../preload/contract/errors.ts'
import type { OperationAttempt } from '../../data/store/work/operations.ts'

export const answered = 'answered'
const arrivalUnknown = 'unknown'
const notApplied = 'not applied'

/** Text of an attempt's outcome, for an attempt that failed. */
export function outcomeOf(error: AppError, state: OperationState): string {
  return `${state === 'unknown' ? arrivalUnknown : notApplied}: ${error.code}${error.status === undefined ? '' : ` ${error.status}`}`
}

export function triesOf(
  { state }: { state: OperationState },
  attempts: readonly OperationAttempt[]
): Operation['tries'] {
  return attempts.map(({ number, startedAt, outcome, by }) => ({
    number,
    startedAt,
    what: sayOutcome(outcome, state),
    by,
    outcome
  }))
}

function sayOutcome(outcome: string | null, state: OperationState): Message {
  if (outcome === null) return message(state === 'sending' ? 'waiting.tryUnderWay' : 'waiting.tryNotWritten')
  if (outcome === answered) return message('waiting.tryAnswered')
  const cause = /: ([A-Z_]+)/.exec(outcome)?.[1] ?? ''
  return outcome.startsWith(arrivalUnknown)
    ? message('waiting.tryUnknown', { cause })
    : message('waiting.tryNotApplied', { cause })
}

/** Whether the gateway can have applied it. */
export function mayHaveArrived({ outcome }: Pick<OperationAttempt, 'outcome'>): boolean {
  return outcome === null || outcome === answered || outcome.startsWith(arrivalUnknown)
}

export function wasConflict({ outcome }: OperationAttempt): boolean {
  return outcome !== null && /\bCONFLICT\b/.test(outcome)
}

/** Attempts that count against the limit: those that may have arrived since a person last said "send again". */
export function countSpent(
  operation: { evidence: readonly { raw: unknown }[] },
  attempts: readonly OperationAttempt[]
): number {
  const allowedAfter = allowedSince(operation)
  return attempts.filter((attempt) => attempt.number > allowedAfter && mayHaveArrived(attempt)).length
}

/** Whether a person said "send again" after the last attempt. */
export function isPersonsWish(
  operation: { evidence: readonly { raw: unknown }[] },
  attempts: readonly OperationAttempt[]
): boolean {
  const allowedAfter = allowedSince(operation)
  return allowedAfter > 0 && attempts.every(({ number }) => number <= allowedAfter)
}

function allowedSince(operation: { evidence: readonly { raw: unknown }[] }): number {
  return Math.max(0, ...operation.evidence.map(({ raw }) => sentAgainAfter(raw)))
}

/** Stored as evidence of a person's "send again", so that it survives a restart. */
export function attemptOfDecision(from: OperationState, to: OperationState, afterAttempt: number) {
  return { from, to, afterAttempt }
}

function sentAgainAfter(raw: unknown): number {
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) return 0
  const { to, afterAttempt } = raw as { to?: unknown; afterAttempt?: unknown }
  return to === 'pending' && typeof afterAttempt === 'number' ? afterAttempt : 0
}
