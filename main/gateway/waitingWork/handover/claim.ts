import type { ChangeDetails, OperationAttempt, StoredOperation } from '../../../data/store/work/operations.ts'
import { mayHaveArrived } from '../rows.ts'
import type { OperationKind } from '../kind.ts'

/** Whether Fitter must look for it before anything else. */
export function isUnreadClaim({ claim: present }: Pick<StoredOperation, 'claim'>): boolean {
  return present !== null && !present.isReadBack
}

/** How long, after the grace time, its absence still proves nothing. */
export function waitOfClaim(row: Pick<StoredOperation, 'claim'>): number {
  return isUnreadClaim(row) ? (row.claim?.waitMs ?? 0) : 0
}

/** The rest of its waiting time after a restart; negative when over. After a clock was set back it waits again. */
export function waitLeftOfClaim(
  row: Pick<StoredOperation, 'claim'>,
  attempts: readonly OperationAttempt[],
  nowMs: number
): number {
  const waitMs = waitOfClaim(row)
  const arrivedAtMs = row.claim?.arrivedAtMs
  if (!isUnreadClaim(row) || arrivedAtMs === undefined || arrivedAtMs > nowMs || attempts.some(mayHaveArrived))
    return waitMs
  return waitMs - (nowMs - arrivedAtMs)
}

/** Stored with a judgement: from then on it is ordinary work, checked again right before sending. */
export function readBackOf({ claim: present }: Pick<StoredOperation, 'claim'>): ChangeDetails {
  return present === null || present.isReadBack ? {} : { claim: { ...present, isReadBack: true } }
}

/** None of it was ever sent, as far as known, and the gateway's state would not show whether it was sent elsewhere. */
export function isOriginUnclear(
  row: Pick<StoredOperation, 'claim'>,
  kind: OperationKind,
  attempts: readonly OperationAttempt[]
): boolean {
  return (
    row.claim !== null && row.claim.isUnsent !== true && kind.tellsOwnAlone === true && !attempts.some(mayHaveArrived)
  )
}

/** Nobody has sent it: neither who handed it over nor this laptop. */
export function isSureUnsent(row: Pick<StoredOperation, 'claim'>, attempts: readonly OperationAttempt[]): boolean {
  return row.claim?.isUnsent === true && !attempts.some(mayHaveArrived)
}
