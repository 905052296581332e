import { createHash } from 'node:crypto'
import { ulid } from 'ulid'
import type { Json } from '../../preload/contract/define.ts'
import { AppError } from '../../preload/contract/errors.ts'
import type { Operation, OperationState, SyncResult } from '../../preload/contract/operations.ts'
import { answered, countSpent, decision, mayHaveArrived, outcomeOf, wasConflict, type Attempt } from './attempts.ts'
import type { Look, OperationKind } from './kind.ts'
import { readReply } from './replies.ts'
import type { Change, OperationRows, StoredRow } from './rows.ts'
import { rest } from '../time/pause.ts'
import { createWaits } from './waits.ts'

export interface OperationsOptions {
  rows: OperationRows
  kinds: OperationKind[]
  /** The gateway's clock less ours, in ms, as far as it was learned. */
  clockDifferenceMs(): number | null
  /** After this time a request whose socket we closed was applied or never will be (docs/operations.md, grace time). */
  graceMs?: number
  /** How long the gateway may answer from its cache. */
  cacheLagMs?: number
  monotonicMs?: () => number
  now?: () => Date
  changed(operation: Operation): void
}

export interface Operations {
  /** Puts gateway work into the table. With `draft`, names still have to become ids. */
  add(work: { kind: string; key: string; title: string; payload: Json; jobId: string | null; draft: boolean }): Operation
  list(): Operation[]
  get(id: string): Operation | undefined
  /** One pass over everything that can move now. Work that must wait is left for a later pass. */
  pass(signal: AbortSignal): Promise<SyncResult>
  /** Passes until nothing moves without a person or without a gateway that answers, or `signal` fires. */
  settle(signal: AbortSignal): Promise<SyncResult>
  retry(id: string, reason: string): void
  drop(id: string, reason: string): void
  close(id: string, reason: string): void
  counts(): SyncResult
}

const finalStates: OperationState[] = ['done', 'cancelled', 'expired', 'superseded']
const personStates: OperationState[] = ['failed', 'needsAttention']
const underWay: OperationState[] = ['sending', 'verifying']

const lookEveryMs = 5_000
const askAgainMs = 5_000
const rateLimitMs = 15_000
/** A gateway that could not be asked so often in a row is out of reach: nobody waits for it. */
const awayAfter = 3

/** Applies each intended effect once and never claims one that is not there (docs/operations.md). */
export function createOperations(options: OperationsOptions): Operations {
  const { rows, changed } = options
  const kinds = new Map(options.kinds.map((kind) => [kind.kind, kind]))
  const cacheLagMs = options.cacheLagMs ?? 15_000
  const monotonicMs = options.monotonicMs ?? (() => performance.now())
  const now = options.now ?? (() => new Date())
  const waits = createWaits(monotonicMs, options.graceMs ?? 120_000)
  /** What this process is sending or reading back at this moment. */
  const inHand = new Set<string>()
  let running: Promise<SyncResult> | undefined

  // Whoever is told asks this engine for more: not before there is one.
  let isBuilt = false
  pickUpTheInterrupted('Fitter stopped while this was on its way. Reading back before anything is sent again.')
  for (const { id, state } of rows.list()) if (state === 'unknown') waits.beginGrace(id)
  isBuilt = true

  /** Rule 2: it broke off between the first byte and the answer. Nobody knows, so nobody may send again. */
  function pickUpTheInterrupted(reason: string): void {
    for (const { id, state } of rows.list()) {
      if (!underWay.includes(state) || inHand.has(id)) continue
      move(id, 'unknown', reason)
      waits.beginGrace(id)
    }
  }

  function move(id: string, state: OperationState, reason: string, more: Change = {}): void {
    const before = rows.get(id)
    if (before?.state === state && before.reason === reason && Object.keys(more).length === 0) return
    rows.change(id, { state, reason, at: now().toISOString(), ...more })
    tell(id)
  }

  function tell(id: string): void {
    const row = isBuilt ? rows.get(id) : undefined
    if (row) changed(row)
  }

  function counts(): SyncResult {
    const result: SyncResult = { done: 0, waiting: 0, needsAttention: 0, failed: 0 }
    for (const { state } of rows.list()) {
      if (state === 'done') result.done += 1
      else if (state === 'failed') result.failed += 1
      else if (state === 'needsAttention') result.needsAttention += 1
      else if (!finalStates.includes(state)) result.waiting += 1
    }
    return result
  }

  function listOpen(): StoredRow[] {
    return rows.list().filter(({ state }) => !finalStates.includes(state) && !personStates.includes(state))
  }

  async function passOnce(signal: AbortSignal): Promise<SyncResult> {
    pickUpTheInterrupted('Fitter could not write down what came of this. Reading back before anything is sent again.')
    // Names become ids first: only then it is known which work is about the same vehicle.
    await all(listOpen().filter(({ state }) => state === 'draft').map((row) => finalise(row, signal)))
    const byKey = Map.groupBy(listOpen(), (row) => row.key)
    // Rule 6: one at a time per key, keys in parallel. An unsettled one holds back the younger ones on its key.
    await all(
      [...byKey.values()].map(async (queue) => {
        for (const { id } of queue) {
          await advance(id, signal)
          const after = rows.get(id)
          if (after && !finalStates.includes(after.state)) return
        }
      })
    )
    return counts()
  }

  async function advance(id: string, signal: AbortSignal): Promise<void> {
    const row = rows.get(id)
    if (!row || signal.aborted || waits.isHeld(id)) return
    const work = workOf(row)
    if (!work) return
    if (row.state === 'pending') return send(row, work, signal)
    if (row.state === 'unknown') return verify(row, work, signal)
    if (row.state === 'accepted') return watch(row, work, signal)
  }

  /** The gateway took it; the effect is still to come. It is never sent again by itself. */
  async function watch(row: StoredRow, { kind, payload }: Work, signal: AbortSignal): Promise<void> {
    const wait = waits.of(row.id)
    let look: Look
    try {
      look = await kind.look(payload, lookRequest(row, wait.firstAbsentMs === null ? 1 : 2, signal))
    } catch (error) {
      return stay(row, asAppError(error, signal))
    }
    if (!isStill(row.id, 'accepted')) return
    if (look.seen === 'found') return move(row.id, 'done', look.what, { evidence: look })
    if (look.seen === 'waiting' || (look.seen === 'absent' && wait.firstAbsentMs === null)) {
      if (look.seen === 'absent') wait.firstAbsentMs = monotonicMs()
      waits.hold(row.id, cacheLagMs)
      return move(row.id, 'accepted', look.what)
    }
    move(row.id, 'needsAttention', look.what, { evidence: look })
  }

  /** The kind and what it is to send; without them only a person can help. */
  function workOf(row: StoredRow): Work | undefined {
    const kind = kinds.get(row.kind)
    if (!kind) {
      move(row.id, 'needsAttention', `This Fitter does not know work of the kind ${row.kind}. Update Fitter.`)
      return undefined
    }
    const payload = kind.payload.safeParse(row.payload)
    if (payload.success) return { kind, payload: payload.data }
    move(row.id, 'needsAttention', 'What this should send cannot be read any more. Drop it and enter it again.')
    return undefined
  }

  async function finalise(row: StoredRow, signal: AbortSignal): Promise<void> {
    const work = workOf(row)
    if (!work || waits.isHeld(row.id) || signal.aborted) return
    try {
      const result = await work.kind.finalise?.(work.payload, signal)
      if (!isStill(row.id, 'draft')) return
      if (result?.kind === 'stuck') return move(row.id, 'needsAttention', result.reason)
      const { payload, key, title } = result ?? row
      move(row.id, 'pending', 'Ready to be sent.', { finalised: { payload, key, title } })
      waits.forget(row.id)
    } catch (error) {
      stay(row, asAppError(error, signal))
    }
  }

  /** While the gateway was asked, a person may have decided otherwise. */
  function isStill(id: string, state: OperationState): boolean {
    return rows.get(id)?.state === state
  }

  /** Reading failed before anything was sent: nothing is lost, it waits, unless asking again is of no use. */
  function stay({ id, state }: StoredRow, error: AppError): void {
    if (isOurFault(error)) throw error
    if (error.code === 'CANCELLED' || !isStill(id, state)) return
    if (error.fate === 'refused') return move(id, 'needsAttention', error.message)
    holdFor(id, error)
    move(id, state, error.code === 'NOT_AUTHENTICATED' ? 'Waits until someone signs in at the gateway.' : `Waits: ${error.message}`)
  }

  /** After an answer that none could be had: not again at once, and not for the sake of a budget. */
  function holdFor(id: string, error: AppError): void {
    if (error.code === 'RATE_LIMITED') {
      waits.hold(id, error.retryAtMs === undefined ? rateLimitMs : error.retryAtMs - now().getTime())
      return
    }
    waits.of(id).timesAway += error.code === 'NOT_AUTHENTICATED' ? awayAfter : 1
    waits.hold(id, askAgainMs)
  }

  async function send(row: StoredRow, { kind, payload }: Work, signal: AbortSignal): Promise<void> {
    const earlier = rows.attempts(row.id)
    const spent = countSpent(row, earlier)
    if (spent >= kind.maxAttempts) {
      move(row.id, 'needsAttention', `Sent ${spent} times without effect. Look at the evidence and decide.`)
      return
    }
    if (!(await lookBeforeSending(row, { kind, payload }, earlier, signal))) return

    const difference = options.clockDifferenceMs()
    const number = earlier.length + 1
    // Rule 1: the intent is on the disk before the first byte leaves.
    rows.beginAttempt(row.id, {
      number,
      requestHash: createHash('sha256').update(JSON.stringify(row.payload)).digest('hex'),
      startedAt: now().toISOString(),
      serverTimeMs: difference === null ? null : now().getTime() + difference
    })
    const reply = await keepInHand(row.id, async () => {
      tell(row.id)
      return kind.send(payload, signal)
    }).catch((error: unknown) => asAppError(error, signal))
    if (!(reply instanceof AppError) && reply.isAccepted) {
      move(row.id, 'accepted', reply.what, { evidence: { what: reply.what, raw: reply.raw }, attempt: { number, outcome: answered } })
      waits.hold(row.id, lookEveryMs)
      return
    }
    if (!(reply instanceof AppError)) {
      move(row.id, 'done', reply.what, { evidence: reply, attempt: { number, outcome: answered } })
      return readBackOnce(row.id, { kind, payload }, signal)
    }
    const { state, reason } = readReply(reply)
    if (state === 'unknown') waits.beginGrace(row.id)
    if (state === 'pending') holdFor(row.id, reply)
    move(row.id, state, reason, { attempt: { number, outcome: outcomeOf(reply, state) } })
    if (isOurFault(reply)) throw reply
    if (state === 'unknown') await advance(row.id, signal)
  }

  /**
   * As long as nothing can have arrived: what is there already, which also shows that the gateway answers. Afterwards: a
   * last look whether an attempt arrived after all. False when it is not to be sent now.
   */
  async function lookBeforeSending(row: StoredRow, { kind, payload }: Work, earlier: Attempt[], signal: AbortSignal): Promise<boolean> {
    try {
      const hasArrived = earlier.some(mayHaveArrived)
      if (!hasArrived && kind.baseline) {
        const baseline = await kind.baseline(payload, signal)
        if (!isStill(row.id, 'pending')) return false
        move(row.id, 'pending', row.reason, { baseline })
      }
      if (hasArrived) {
        const look = await kind.look(payload, lookRequest(row, 1, signal))
        if (!isStill(row.id, 'pending')) return false
        if (look.seen === 'found') {
          move(row.id, 'done', look.what, { evidence: look })
          return false
        }
      }
      return isStill(row.id, 'pending') && !signal.aborted
    } catch (error) {
      const failure = asAppError(error, signal)
      if (isOurFault(failure)) throw failure
      // A person may send again what cannot be read back.
      if (earlier.some(mayHaveArrived) && failure.fate === 'refused') return isStill(row.id, 'pending')
      stay(row, failure)
      return false
    }
  }

  /** The reply already counts; seeing the effect as well makes the better evidence. Not seeing it yet may be the cache. */
  async function readBackOnce(id: string, { kind, payload }: Work, signal: AbortSignal): Promise<void> {
    const row = rows.get(id)
    if (!row) return
    let look: Look
    try {
      look = await kind.look(payload, lookRequest(row, 1, signal))
    } catch (error) {
      const failure = asAppError(error, signal)
      if (isOurFault(failure)) throw failure
      return move(id, 'done', `${row.reason} It could not be read back: ${failure.message}`)
    }
    if (look.seen === 'found') move(id, 'done', `${row.reason} Read back: ${look.what}`, { evidence: look })
  }

  /** Counted from the first attempt that may have arrived: what appears after it is ours. */
  function lookRequest(row: StoredRow, wording: 1 | 2, signal: AbortSignal) {
    const attempt = rows.attempts(row.id).find(mayHaveArrived)
    const sinceMs = attempt ? (attempt.serverTimeMs ?? Date.parse(attempt.startedAt)) : undefined
    return { baseline: row.baseline, sinceMs, wording, signal }
  }

  async function verify(row: StoredRow, { kind, payload }: Work, signal: AbortSignal): Promise<void> {
    const { id } = row
    const wait = waits.of(id)
    const begunAtMs = monotonicMs()
    const isGraceOver = begunAtMs >= wait.graceOverMs
    move(id, 'verifying', 'Reading back at the gateway.')
    let look: Look
    try {
      look = await keepInHand(id, () => kind.look(payload, lookRequest(row, wait.firstAbsentMs === null ? 1 : 2, signal)))
    } catch (error) {
      const failure = asAppError(error, signal)
      if (failure.fate !== 'refused' || !isGraceOver) {
        if (failure.code !== 'CANCELLED') holdFor(id, failure)
        move(id, 'unknown', `It is not known whether this arrived; reading back failed: ${failure.message}`)
        if (isOurFault(failure)) throw failure
        return
      }
      look = { seen: 'unreadable', what: `It is not known whether this arrived, and it cannot be read back: ${failure.message}`, raw: null }
    }
    wait.timesAway = 0
    if (look.seen === 'found') return move(id, 'done', look.what, { evidence: look })
    if (look.seen === 'conflict') return move(id, 'needsAttention', look.what, { evidence: look })
    if (look.seen === 'waiting') {
      waits.hold(id, cacheLagMs)
      return move(id, 'unknown', look.what)
    }
    // Rule 3: before the grace time is over, "not there" only means "not there yet".
    if (!isGraceOver) {
      waits.hold(id, Math.min(lookEveryMs, wait.graceOverMs - monotonicMs()))
      return move(id, 'unknown', `Not there yet; looking again: ${look.what}`)
    }
    if (look.seen === 'unreadable') return move(id, 'needsAttention', look.what, { evidence: look })
    if (wait.firstAbsentMs === null) {
      // Rule 4: the gateway caches by request; one "absent" is not enough.
      wait.firstAbsentMs = monotonicMs()
      waits.hold(id, cacheLagMs)
      return move(id, 'unknown', `Not there; looking once more in other words: ${look.what}`, { evidence: look })
    }
    waits.forget(id)
    const last = rows.attempts(id).at(-1)
    if (last && wasConflict(last)) {
      return move(id, 'needsAttention', `The gateway says that it exists already, and it is not ours. ${look.what}`, { evidence: look })
    }
    if (!kind.resendWhenAbsent) return move(id, 'needsAttention', `${look.what} It is not sent again by itself.`, { evidence: look })
    move(id, 'pending', 'Read twice and not there: it will be sent again.', { evidence: look })
  }

  async function keepInHand<T>(id: string, work: () => Promise<T>): Promise<T> {
    inHand.add(id)
    try {
      return await work()
    } finally {
      inHand.delete(id)
    }
  }

  /** When the next pass can move something without a person; undefined when nothing waits for time alone. */
  function nextMoveMs(): number | undefined {
    const times = listOpen()
      // What shows only after the device's next report may take days: nobody waits for it.
      .filter(({ state }) => state !== 'accepted')
      .map(({ id }) => waits.of(id))
      .filter((wait) => wait.holdUntilMs > monotonicMs() && wait.timesAway < awayAfter)
      .map((wait) => wait.holdUntilMs)
    return times.length > 0 ? Math.min(...times) : undefined
  }

  function decide(id: string, allowed: OperationState[], state: OperationState, reason: string): void {
    const row = rows.get(id)
    if (!row) throw new AppError('NOT_FOUND', `There is no waiting work with the id ${id}.`)
    if (!allowed.includes(row.state)) {
      throw new AppError('INVALID_REQUEST', `This work is ${row.state}: that cannot be done with it now.`)
    }
    move(id, state, reason, { evidence: { what: `A person decided: ${reason}`, raw: decision(row.state, state, row.attempts) } })
    waits.forget(id)
  }

  function pass(signal: AbortSignal): Promise<SyncResult> {
    running ??= passOnce(signal).finally(() => (running = undefined))
    return running
  }

  return {
    counts,
    pass,
    list: () => rows.list(),
    get: (id) => rows.get(id),
    add({ kind, key, title, payload, jobId, draft }) {
      const id = ulid()
      const state = draft ? 'draft' : 'pending'
      const reason = draft ? 'Waits for the gateway to tell which records are meant.' : 'Ready to be sent.'
      rows.add({ id, kind, key, state, jobId, title, payload, reason, createdAt: now().toISOString() })
      const row = rows.get(id)
      if (!row) throw new Error('An operation that was just added cannot be read')
      changed(row)
      return row
    },
    async settle(signal) {
      for (;;) {
        await pass(signal)
        const next = nextMoveMs()
        if (next === undefined || signal.aborted) return counts()
        await rest(Math.max(50, next - monotonicMs()), signal)
      }
    },
    retry(id, reason) {
      const row = rows.get(id)
      decide(id, ['needsAttention', 'failed'], row && row.attempts > 0 ? 'pending' : 'draft', reason)
    },
    drop: (id, reason) => decide(id, ['draft', 'blocked', 'pending', 'unknown', 'accepted', 'needsAttention', 'failed'], 'cancelled', reason),
    close: (id, reason) => decide(id, ['needsAttention'], 'done', reason)
  }
}

interface Work {
  kind: OperationKind
  payload: unknown
}

/** Waits for all of it, also when one part fails: what is under way must never overlap with the next pass. */
async function all(work: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** It says nothing about the gateway, and whoever waits must hear of it. */
function isOurFault({ code }: AppError): boolean {
  return code === 'INTERNAL' || code === 'DATA_UNUSABLE' || code === 'DATA_LOCKED'
}

/** What was stopped may fail with any reason. */
function asAppError(error: unknown, signal: AbortSignal): AppError {
  if (signal.aborted && !(error instanceof AppError)) return new AppError('CANCELLED', 'Stopped while the gateway was asked.')
  if (error instanceof AppError) return error
  return new AppError('INTERNAL', 'A fault in Fitter.', { cause: error })
}
