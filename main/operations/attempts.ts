import type { AppError } from '../../preload/contract/errors.ts'
import type { OperationState } from '../../preload/contract/operations.ts'

/** One try to send an operation, as the table keeps it. */
export interface Attempt {
  number: number
  requestHash: string
  startedAt: string
  /** The gateway's clock when it began, as far as it was known (epoch ms). */
  serverTimeMs: number | null
  /** What came of it; null while it is under way, and for good when the process died. */
  outcome: string | null
}

export const answered = 'answered'
const arrivalUnknown = 'unknown'
const notApplied = 'not applied'

/** Text of an attempt's outcome, for an attempt that failed. */
export function outcomeOf(error: AppError, state: OperationState): string {
  return `${state === 'unknown' ? arrivalUnknown : notApplied}: ${error.code}${error.status === undefined ? '' : ` ${error.status}`}`
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
  const allowedAfter = Math.max(0, ...operation.evidence.map(({ raw }) => sentAgainAfter(raw)))
  return attempts.filter((attempt) => attempt.number > allowedAfter && mayHaveArrived(attempt)).length
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
