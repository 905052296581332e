import type { Json } from '../../../preload/contract/define.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { OperationAttempt, StoredOperation } from '../../data/store/work/operations.ts'
import { answered, countSpent, isPersonsWish, mayHaveArrived, outcomeOf } from './rows.ts'
import { type EngineParts, asAppError, isOurFault, type Work } from './parts.ts'
import { hashOfPayload } from './handover/handedOver.ts'
import { isOriginUnclear, isSureUnsent, isUnreadClaim, waitOfClaim } from './handover/claim.ts'
import type { EffectReading } from './kind.ts'
import { addedMs, recordEffect, lookRequest, readBackOnce, untilNextLook, verifyOperation } from './readBack.ts'
import type { OperationState } from '../../../preload/contract/gateway/operations.ts'

/** Sends one operation once, if it may be sent now. The intent is on the disk before the first byte is sent. */
export async function sendOperation(parts: EngineParts, row: StoredOperation, work: Work): Promise<void> {
  const { rows, moves, patience, writing } = parts
  const { id } = row
  const earlier = rows.attempts(id)
  const spent = countSpent(row, earlier)
  if (spent >= work.kind.maxAttempts)
    return moves.move(id, 'needsAttention', message('operations.spent', { times: spent }))
  if (isOvertaken(parts, row)) return
  if (isUnreadClaim(row)) {
    moves.move(
      id,
      'unknown',
      message(row.claim?.whenAbsent === 'ask' ? 'operations.readBackCopy' : 'operations.readBackFirst')
    )
    patience.beginGrace(id, waitOfClaim(row))
    const claimed = rows.get(id)
    return claimed && verifyOperation(parts, claimed, work)
  }
  if (!(await isToBeSent(parts, row, work, earlier))) return

  const number = earlier.length + 1
  beginAttempt(parts, { id, number, payload: row.payload, imei: null })
  const reply = await parts
    .keepInHand(id, async () => {
      moves.tell(id)
      return work.kind.send(work.payload, writing, {
        baseline: rows.get(id)?.baseline ?? null,
        isAgain: earlier.length > 0
      })
    })
    .catch((error: unknown) => asAppError(error, writing))
  if (!(reply instanceof AppError)) {
    const result = await resultOf(parts, row, work)
    const more = {
      evidence: { what: reply.what, raw: reply.raw },
      attempt: { number, outcome: answered },
      ...(result === undefined ? {} : { result })
    }
    if (!reply.isAccepted) {
      moves.move(id, 'done', reply.what, more)
      // The reply is proof enough; whoever waits for it also sees it in the gateway's own records.
      return parts.awaited.has(id) ? readBackOnce(parts, id, work) : undefined
    }
    moves.move(id, 'accepted', reply.what, more)
    return patience.hold(id, untilNextLook(parts, id), 'look')
  }
  const { state, reason } = readReply(reply)
  if (state === 'unknown') patience.beginGrace(id)
  if (state === 'pending') parts.holdFor(id, reply)
  moves.move(id, state, reason, { attempt: { number, outcome: outcomeOf(reply, state) } })
  if (isOurFault(reply)) throw reply
  const after = rows.get(id)
  if (state === 'unknown' && after) await verifyOperation(parts, after, work)
}

/** The result for dependent work, if the gateway already shows it; otherwise they use its name. */
async function resultOf(parts: EngineParts, row: StoredOperation, { kind, payload }: Work): Promise<Json | undefined> {
  if (!kind.giveResult) return undefined
  try {
    return (await parts.keepInHand(row.id, () => kind.look(payload, lookRequest(parts, row, 1)))).result
  } catch (error) {
    const failure = asAppError(error, parts.reading)
    if (isOurFault(failure)) throw failure
    return undefined
  }
}

/** Rule 1: the intent, with the number of the attempt, the hash of the request and the gateway's time if known. */
export function beginAttempt(
  { moves, now, clockDifferenceMs, sentBy }: EngineParts,
  { id, number, payload, imei }: { id: string; number: number; payload: Json; imei: string | null }
): void {
  const difference = clockDifferenceMs()
  const attempt = {
    number,
    requestHash: hashOfPayload(payload),
    startedAt: now().toISOString(),
    serverTimeMs: difference === null ? null : now().getTime() + difference,
    by: sentBy(),
    imei
  }
  moves.beginAttempt(id, attempt, message('operations.onItsWay', { attempt: number }))
}

/** Someone else may have created what was proven absent: then a person decides. True when it must not be sent now. */
function mayNotFollow(
  { moves, patience, cacheLagMs }: EngineParts,
  { id }: StoredOperation,
  look: EffectReading
): boolean {
  if (look.seen === 'waiting') {
    patience.hold(id, cacheLagMs, 'look')
    moves.move(id, 'pending', look.what)
    return true
  }
  if (look.seen !== 'conflict' && look.seen !== 'unreadable') return false
  moves.move(id, 'needsAttention', look.what, { evidence: look })
  return true
}

/** Reads the current state before it is sent, or whether an attempt arrived after all. False: not now. */
async function isToBeSent(
  parts: EngineParts,
  row: StoredOperation,
  { kind, payload }: Work,
  earlier: OperationAttempt[]
): Promise<boolean> {
  const { moves, reading } = parts
  const isStill = (): boolean => moves.isStill(row.id, 'pending') && !reading.aborted && !parts.isPaused(row.id)
  const hasArrived = earlier.some(mayHaveArrived)
  try {
    if (!hasArrived && kind.baseline && !holdsBaseline(parts, row, kind)) {
      const baseline = await kind.baseline(payload, reading, addedMs(parts, row))
      if (!isStill()) return false
      moves.move(row.id, 'pending', row.reason, { baseline })
      parts.patience.of(row.id).baselineAtMs = parts.monotonicMs()
    }
    if (hasArrived || (row.claim !== null && !isOriginUnclear(row, kind, earlier))) {
      const look = await kind.look(payload, lookRequest(parts, row, 1))
      if (!isStill()) return false
      if (look.seen === 'found') {
        recordEffect(parts, row.id, look)
        return false
      }
      // Nobody has sent it: only what somebody else has changed keeps it back.
      const isFree = isPersonsWish(row, earlier) || (isSureUnsent(row, earlier) && look.seen !== 'conflict')
      if (!isFree && mayNotFollow(parts, row, look)) return false
    } else if (parts.mayBeElsewhere()) {
      const look = await lookElsewhere(parts, row, { kind, payload })
      if (!isStill()) return false
      if (look?.seen === 'found') {
        recordEffect(parts, row.id, look)
        return false
      }
    }
    await parts.learnTime(reading)
    return isStill()
  } catch (error) {
    const failure = asAppError(error, reading)
    if (isOurFault(failure)) throw failure
    // A person may send something again that cannot be read back.
    if (hasArrived && failure.fate === 'refused') return isStill()
    parts.stayInState(row, failure)
    return false
  }
}

/**
 * The reading before an unsent attempt stays valid for a while: repeating it would use up the requests that the write
 * needs.
 */
function holdsBaseline(
  { patience, monotonicMs, lookEveryMs }: EngineParts,
  { id, baseline }: StoredOperation,
  kind: Work['kind']
): boolean {
  if (baseline === null) return false
  const { baselineAtMs } = patience.of(id)
  return kind.keepsBaseline === true || (baselineAtMs !== null && monotonicMs() - baselineAtMs < lookEveryMs * 24)
}

/** What the answer to a write means for its operation (docs/operations.md, "Replies"). */
export function readReply(error: AppError): { state: OperationState; reason: Message } {
  const why = error.sentence
  if (error.status !== undefined && error.status >= 300 && error.status < 400)
    return { state: 'needsAttention', reason: message('operations.redirected') }
  // Also if the client knows that it is about rights: they may be granted, and then it can be sent again.
  if (error.status === 401 || error.code === 'NOT_AUTHENTICATED')
    return { state: 'needsAttention', reason: message('operations.signInFirst', { why }) }
  switch (error.code) {
    case 'RATE_LIMITED':
      return { state: 'pending', reason: message('operations.rateLimited') }
    case 'REFUSED':
    case 'NOT_PERMITTED':
    case 'INVALID_REQUEST':
      return { state: 'failed', reason: why }
    case 'NOT_FOUND':
      return { state: 'needsAttention', reason: message('operations.recordNotShown') }
    case 'CONFLICT':
      return { state: 'unknown', reason: message('operations.existsAlready') }
    default:
      return error.fate === 'unknown'
        ? { state: 'unknown', reason: message('operations.arrivalUnknown', { why }) }
        : { state: 'pending', reason: message('operations.notSent', { why }) }
  }
}

/** Earlier unsent ones of the same kind on the same key: if only the last value counts, they are obsolete. */
export function replaceOlder({ rows, kinds, moves }: EngineParts, id: string): void {
  const row = rows.get(id)
  if (!row || !kinds.get(row.kind)?.newerReplaces) return
  for (const older of rows.unfinished()) {
    const isSame = older.key === row.key && older.kind === row.kind && older.sequence < row.sequence
    if (isSame && !rows.attempts(older.id).some(mayHaveArrived))
      moves.move(older.id, 'superseded', message('operations.replaced', { title: row.title }))
  }
}

/**
 * An earlier one is not sent after a later one on its key: it would undo the later wish. True when stopped for good.
 */
export function isOvertaken({ rows, kinds, moves }: EngineParts, row: StoredOperation): boolean {
  const [younger] = rows.youngerSent(row)
  if (!younger) return false
  const isMoot =
    kinds.get(row.kind)?.newerReplaces && younger.kind === row.kind && !rows.attempts(row.id).some(mayHaveArrived)
  if (isMoot) moves.move(row.id, 'superseded', message('operations.replaced', { title: younger.title }))
  else moves.move(row.id, 'needsAttention', message('operations.overtaken', { title: younger.title }))
  return true
}

/** Stores in the later ones of a key what they wait for: a later one never overtakes one that needs a person. */
export function holdBack({ moves }: EngineParts, younger: readonly StoredOperation[], older: StoredOperation): void {
  for (const { id, state } of younger)
    if (state === 'pending' && moves.isStill(id, state))
      moves.move(id, 'pending', message('operations.waitsForDecision', { title: older.title }))
}

/**
 * Someone may have sent this work unknown to us: only a found effect counts, any other state is what sending changes.
 */
export async function lookElsewhere(
  parts: EngineParts,
  row: StoredOperation,
  { kind, payload }: Work
): Promise<EffectReading | undefined> {
  // The gateway's state would not show who caused it.
  if (kind.tellsOwnAlone) return undefined
  // What appeared since a person wanted it, by the gateway's clock.
  await parts.learnTime(parts.reading)
  const request = lookRequest(parts, row, 1)
  try {
    return await kind.look(payload, { ...request, sinceMs: request.sinceMs ?? addedMs(parts, row) })
  } catch (error) {
    const failure = asAppError(error, parts.reading)
    // A user without the right to read may still be allowed to write.
    if (failure.fate === 'refused') return undefined
    throw failure
  }
}
