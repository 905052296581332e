import { message } from '../../../preload/contract/messages.ts'
import type { StoredOperation } from '../../data/store/work/operations.ts'
import { answered, mayHaveArrived, wasConflict } from './rows.ts'
import { isOriginUnclear, isSureUnsent, isUnreadClaim, readBackOf } from './handover/claim.ts'
import { type EngineParts, asAppError, isOurFault, type Work } from './parts.ts'
import type { EffectReading, LookRequest } from './kind.ts'

/** From the first attempt that may have arrived, here or on another laptop: what appears after it is our effect. */
export function lookRequest({ rows, reading }: EngineParts, row: StoredOperation, wording: 1 | 2): LookRequest {
  const attempts = rows.attempts(row.id)
  const attempt = attempts.find(mayHaveArrived)
  const begun = [attempt && (attempt.serverTimeMs ?? Date.parse(attempt.startedAt)), row.claim?.sinceMs].filter(
    (ms) => typeof ms === 'number'
  )
  const sinceMs = begun.length > 0 ? Math.min(...begun) : undefined
  return {
    baseline: row.baseline,
    sinceMs,
    wording,
    isAnswered: attempts.some(({ outcome }) => outcome === answered),
    signal: reading
  }
}

/** When a person wanted it, by the gateway's clock if known. */
export function addedMs({ clockDifferenceMs }: EngineParts, { createdAt }: StoredOperation): number {
  return Date.parse(createdAt) + (clockDifferenceMs() ?? 0)
}

/** The effect was found: done, with the result for dependent work. */
export function recordEffect({ moves }: EngineParts, id: string, look: EffectReading): void {
  moves.move(id, 'done', look.what, { evidence: look, ...(look.result === undefined ? {} : { result: look.result }) })
}

/** The reply already counts; a record that is missing in the meantime may be the cache. */
export async function readBackOnce(parts: EngineParts, id: string, { kind, payload }: Work): Promise<void> {
  const { rows, moves, reading } = parts
  const row = rows.get(id)
  if (!row) return
  let look: EffectReading
  try {
    look = await kind.look(payload, lookRequest(parts, row, 1))
  } catch (error) {
    const failure = asAppError(error, reading)
    if (isOurFault(failure)) throw failure
    if (moves.isStill(id, 'done'))
      moves.move(id, 'done', message('operations.notReadBack', { reply: row.reason, why: failure.sentence }))
    return
  }
  if (look.seen === 'found' && moves.isStill(id, 'done'))
    moves.move(id, 'done', message('operations.readBack', { reply: row.reason, seen: look.what }), { evidence: look })
}

/** Accepted by the gateway; the effect is pending. It is never sent again automatically. */
export async function watchOperation(parts: EngineParts, row: StoredOperation, { kind, payload }: Work): Promise<void> {
  const { moves, patience, monotonicMs, cacheLagMs, reading } = parts
  const wait = patience.of(row.id)
  let look: EffectReading
  try {
    look = await kind.look(payload, lookRequest(parts, row, wait.firstAbsentMs === null ? 1 : 2))
  } catch (error) {
    return parts.stayInState(row, asAppError(error, reading))
  }
  if (!moves.isStill(row.id, 'accepted')) return
  if (look.seen === 'found') return recordEffect(parts, row.id, look)
  if (look.seen === 'waiting' || (look.seen === 'absent' && wait.firstAbsentMs === null)) {
    if (look.seen === 'absent') wait.firstAbsentMs = monotonicMs()
    patience.hold(
      row.id,
      look.seen === 'absent' ? cacheLagMs : untilNextLook(parts, row.id),
      look.seen === 'absent' ? 'cache' : 'look'
    )
    wait.timesWaited += 1
    return moves.move(row.id, 'accepted', look.what)
  }
  moves.move(row.id, 'needsAttention', look.what, { evidence: look })
}

/** An effect that comes with the next report is left alone: a parked vehicle may report tomorrow. */
export function untilNextLook({ patience, awaited, lookEveryMs }: EngineParts, id: string): number {
  if (awaited.has(id)) return lookEveryMs
  return lookEveryMs * Math.min(60, 12 * 2 ** patience.of(id).timesWaited)
}

/** Within the grace time "not found" decides nothing: if nobody waits, it is checked less and less often. */
function untilNextReadBack({ patience, awaited, lookEveryMs }: EngineParts, id: string): number {
  return awaited.has(id) ? lookEveryMs : lookEveryMs * 2 ** patience.of(id).timesWaited
}

/** Work that waits for someone at the gateway is found automatically when it is done, and never sent. */
export async function lookAgain(parts: EngineParts, row: StoredOperation, { kind, payload }: Work): Promise<void> {
  const { moves, patience, reading } = parts
  if (kind.lookAgainMs === undefined) return
  patience.hold(row.id, kind.lookAgainMs, 'look')
  try {
    const look = await kind.look(payload, lookRequest(parts, row, 1))
    if (look.seen === 'found' && moves.isStill(row.id, 'needsAttention')) recordEffect(parts, row.id, look)
  } catch (error) {
    const failure = asAppError(error, reading)
    // Nothing was sent and nothing is lost: it is checked again.
    if (isOurFault(failure)) throw failure
  }
}

/** The result is unknown: reads back until it is known, by rules 3 and 4 of docs/operations.md. */
export async function verifyOperation(parts: EngineParts, row: StoredOperation, work: Work): Promise<void> {
  const { moves, patience, monotonicMs, reading } = parts
  const { id } = row
  if (isOriginUnclear(row, work.kind, parts.rows.attempts(id)))
    return moves.move(id, 'needsAttention', message('operations.claimNotTold'), readBackOf(row))
  const wait = patience.of(id)
  const begunAtMs = monotonicMs()
  const isGraceOver = begunAtMs >= wait.graceOverMs
  moves.move(id, 'verifying', message('operations.readingBack'))
  let look: EffectReading
  try {
    look = await parts.keepInHand(id, async () =>
      work.kind.look(
        work.payload,
        lookRequest(parts, await withBaseline(parts, row, work), wait.firstAbsentMs === null ? 1 : 2)
      )
    )
  } catch (error) {
    const failure = asAppError(error, reading)
    if (!moves.isStill(id, 'verifying')) return
    if (failure.fate !== 'refused' || !isGraceOver) {
      if (failure.code !== 'CANCELLED') parts.holdFor(id, failure)
      moves.move(id, 'unknown', message('operations.readBackFailed', { why: failure.sentence }))
      if (isOurFault(failure)) throw failure
      return
    }
    look = { seen: 'unreadable', what: message('operations.cannotBeReadBack', { why: failure.sentence }), raw: null }
  }
  if (!moves.isStill(id, 'verifying')) return
  judge(parts, { row, work, look, isGraceOver })
}

/** The state before the first attempt, for work from elsewhere that lacks it. */
async function withBaseline(
  parts: EngineParts,
  row: StoredOperation,
  { kind, payload }: Work
): Promise<StoredOperation> {
  const { rows, moves, reading } = parts
  if (!isUnreadClaim(row) || row.baseline !== null || !kind.baseline || rows.attempts(row.id).some(mayHaveArrived))
    return row
  const baseline = await kind.baseline(payload, reading, addedMs(parts, row))
  if (moves.isStill(row.id, 'verifying'))
    moves.move(row.id, 'verifying', message('operations.readingBack'), { baseline })
  return { ...row, baseline }
}

/**
 * The gateway's clock was set back since the attempt: the effect may carry a time from before it, so "absent" proves
 * nothing.
 */
function wasClockSetBack(parts: EngineParts, row: StoredOperation): boolean {
  const { sinceMs } = lookRequest(parts, row, 1)
  const differenceMs = parts.clockDifferenceMs()
  return sinceMs !== undefined && differenceMs !== null && parts.now().getTime() + differenceMs < sinceMs
}

function judge(
  parts: EngineParts,
  {
    row,
    work: { kind },
    look,
    isGraceOver
  }: { row: StoredOperation; work: Work; look: EffectReading; isGraceOver: boolean }
): void {
  const { rows, moves, patience, monotonicMs, cacheLagMs } = parts
  const { id } = row
  const wait = patience.of(id)
  const judged = { evidence: look, ...readBackOf(row) }
  if (look.seen === 'found') return recordEffect(parts, id, look)
  if (look.seen === 'conflict') return moves.move(id, 'needsAttention', look.what, judged)
  const isUnsent = isSureUnsent(row, rows.attempts(id))
  // What a report would show is ours, or that of nobody.
  const waits = look.seen === 'waiting' && !(isUnsent && isGraceOver && kind.tellsOwnAlone === true)
  if (waits) {
    patience.hold(id, cacheLagMs, 'look')
    return moves.move(id, 'unknown', look.what)
  }
  // Rule 3: within the grace time, "not found" only means "not there yet".
  if (!isGraceOver) {
    patience.hold(id, Math.min(untilNextReadBack(parts, id), wait.graceOverMs - monotonicMs()), 'look')
    wait.timesWaited += 1
    return moves.move(id, 'unknown', message('operations.notThereYet', { seen: look.what }))
  }
  if (isUnsent && look.seen !== 'absent') return moves.move(id, 'pending', message('operations.neverSent'), judged)
  if (look.seen === 'unreadable') return moves.move(id, 'needsAttention', look.what, judged)
  if (wait.firstAbsentMs === null) {
    // Rule 4: the gateway caches by request; one "absent" is not enough.
    wait.firstAbsentMs = monotonicMs()
    patience.hold(id, cacheLagMs, 'cache')
    return moves.move(id, 'unknown', message('operations.lookingOnceMore', { seen: look.what }), { evidence: look })
  }
  patience.forget(id)
  if (isUnsent) return moves.move(id, 'pending', message('operations.neverSent'), judged)
  const last = rows.attempts(id).at(-1)
  if (last && wasConflict(last))
    return moves.move(id, 'needsAttention', message('operations.conflictNotOurs', { seen: look.what }), judged)
  if (!kind.resendWhenAbsent)
    return moves.move(id, 'needsAttention', message('operations.absentNotResent', { seen: look.what }), judged)
  if (wasClockSetBack(parts, row))
    return moves.move(id, 'needsAttention', message('operations.absentAfterSetBack', { seen: look.what }), judged)
  if (isUnreadClaim(row) && row.claim?.whenAbsent === 'ask')
    return moves.move(id, 'needsAttention', message('operations.absentOfCopy', { seen: look.what }), judged)
  moves.move(id, 'pending', message('operations.absentResend'), judged)
}
