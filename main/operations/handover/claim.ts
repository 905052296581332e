import { type Change, type StoredRow, mayHaveArrived, type Attempt } from '../rows.ts'
import type { OperationKind } from '../kind.ts'

/** Whether it has to be looked for before anything else. */
export function isUnreadClaim({ claim: present }: Pick<StoredRow, 'claim'>): boolean {
  return present !== null && !present.isReadBack
}

/** How long beside the grace time its absence says nothing. */
export function waitOfClaim(row: Pick<StoredRow, 'claim'>): number {
  return isUnreadClaim(row) ? (row.claim?.waitMs ?? 0) : 0
}

/**
 * How much of its time is left after a restart, beside the grace time; less than nothing where part of that is over as well. Work that
 * came here and was sent by nobody, as far as is known, has waited since it came. A clock that was set back lets it wait anew.
 */
export function waitLeftOfClaim(row: Pick<StoredRow, 'claim'>, attempts: readonly Attempt[], nowMs: number): number {
  const waitMs = waitOfClaim(row)
  const arrivedAtMs = row.claim?.arrivedAtMs
  if (!isUnreadClaim(row) || arrivedAtMs === undefined || arrivedAtMs > nowMs || attempts.some(mayHaveArrived)) return waitMs
  return waitMs - (nowMs - arrivedAtMs)
}

/** What a judgement writes with it: from then on it is work like any other, looked for once more right before it is sent. */
export function readBackOf({ claim: present }: Pick<StoredRow, 'claim'>): Change {
  return present === null || present.isReadBack ? {} : { claim: { ...present, isReadBack: true } }
}

/** Nothing of it ever left, as far as is known, and what is there would not tell whether it left elsewhere. */
export function cannotBeTold(row: Pick<StoredRow, 'claim'>, kind: OperationKind, attempts: readonly Attempt[]): boolean {
  return row.claim !== null && kind.tellsOwnAlone === true && !attempts.some(mayHaveArrived)
}
