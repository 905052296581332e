import { type Change, type StoredRow, mayHaveArrived, type Attempt } from '../rows.ts'
import type { OperationKind } from '../kind.ts'

/** Whether Fitter must look for it before anything else. */
export function isUnreadClaim({ claim: present }: Pick<StoredRow, 'claim'>): boolean {
  return present !== null && !present.isReadBack
}

/** How long, after the grace time, its absence still proves nothing. */
export function waitOfClaim(row: Pick<StoredRow, 'claim'>): number {
  return isUnreadClaim(row) ? (row.claim?.waitMs ?? 0) : 0
}

/**
 * The rest of its waiting time after a restart, beside the grace time; negative when part of that is over as well. Work
 * that arrived here and that nobody sent, as far as known, has waited since its arrival. After a clock was set back it
 * waits again.
 */
export function waitLeftOfClaim(row: Pick<StoredRow, 'claim'>, attempts: readonly Attempt[], nowMs: number): number {
  const waitMs = waitOfClaim(row)
  const arrivedAtMs = row.claim?.arrivedAtMs
  if (!isUnreadClaim(row) || arrivedAtMs === undefined || arrivedAtMs > nowMs || attempts.some(mayHaveArrived)) return waitMs
  return waitMs - (nowMs - arrivedAtMs)
}

/** Stored with a judgement: from then on it is ordinary work, checked once more right before sending. */
export function readBackOf({ claim: present }: Pick<StoredRow, 'claim'>): Change {
  return present === null || present.isReadBack ? {} : { claim: { ...present, isReadBack: true } }
}

/** None of it was ever sent, as far as known, and the gateway's state would not show whether it was sent elsewhere. */
export function isOriginUnclear(row: Pick<StoredRow, 'claim'>, kind: OperationKind, attempts: readonly Attempt[]): boolean {
  return row.claim !== null && kind.tellsOwnAlone === true && !attempts.some(mayHaveArrived)
}
