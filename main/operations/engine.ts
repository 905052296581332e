import { createHash } from 'node:crypto'
import { ulid } from 'ulid'
import type { Json } from '../../preload/contract/define.ts'
import { AppError } from '../../preload/contract/errors.ts'
import type { Operation, OperationState, SyncResult } from '../../preload/contract/operations.ts'
import type { OperationKind } from './kind.ts'
import { readReply, type Sent } from './replies.ts'

/** What the engine needs of the store; `together` makes several writes one. */
export interface OperationRows {
  add(operation: Pick<Operation, 'id' | 'kind' | 'key' | 'state' | 'jobId' | 'title' | 'payload' | 'reason' | 'createdAt'>): void
  change(
    id: string,
    change: { state: OperationState; reason: string; at: string; payload?: Json; baseline?: Json; evidence?: { what: string; raw: Json } }
  ): void
  beginAttempt(id: string, attempt: { number: number; requestHash: string; startedAt: string; serverTimeMs: number | null }): void
  endAttempt(id: string, number: number, outcome: string): void
  lastAttempt(id: string): { number: number; startedAt: string; serverTimeMs: number | null } | undefined
  get(id: string): StoredRow | undefined
  list(): StoredRow[]
}
type StoredRow = Operation & { sequence: number; baseline: Json }

export interface OperationsOptions {
  rows: OperationRows
  kinds: OperationKind[]
  /** Whether a failed call can have reached the gateway. */
  wasSent(error: unknown): Sent
  /** The gateway's clock less ours, in ms, as far as it was learned. */
  clockDifferenceMs(): number | null
  /** After this time a request whose socket we closed was applied or never will be (operations.md, grace time). */
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
  /** Passes until nothing can move without a person, or `signal` fires. */
  settle(signal: AbortSignal): Promise<SyncResult>
  retry(id: string, reason: string): void
  drop(id: string, reason: string): void
  close(id: string, reason: string): void
  counts(): SyncResult
}

/** Waits are monotonic and belong to this run: after a restart the grace time starts anew, which is only ever longer. */
interface Waits {
  graceOverMs: number
  firstAbsentMs: number | null
  notBeforeMs: number
}

const finalStates: OperationState[] = ['done', 'cancelled', 'expired', 'superseded']
const personStates: OperationState[] = ['failed', 'needsAttention']

/** Applies each intended effect once and never claims one that is not there (operations.md). */
export function createOperations(options: OperationsOptions): Operations {
  const { rows, wasSent, changed } = options
  const kinds = new Map(options.kinds.map((kind) => [kind.kind, kind]))
  const graceMs = options.graceMs ?? 120_000
  const cacheLagMs = options.cacheLagMs ?? 15_000
  const monotonicMs = options.monotonicMs ?? (() => performance.now())
  const now = options.now ?? (() => new Date())
  const waits = new Map<string, Waits>()
  let running: Promise<SyncResult> | undefined

  for (const row of rows.list()) {
    // Rule 2: the process died between the first byte and the answer. Nobody knows, so nobody may send again.
    if (row.state === 'sending' || row.state === 'verifying') {
      move(row.id, 'unknown', 'Fitter stopped while this was on its way. Reading back before anything is sent again.')
    }
    if (row.state === 'sending' || row.state === 'verifying' || row.state === 'unknown') beginGrace(row.id)
  }

  function beginGrace(id: string): void {
    waits.set(id, { graceOverMs: monotonicMs() + graceMs, firstAbsentMs: null, notBeforeMs: 0 })
  }

  function waitsOf(id: string): Waits {
    let wait = waits.get(id)
    if (!wait) waits.set(id, (wait = { graceOverMs: 0, firstAbsentMs: null, notBeforeMs: 0 }))
    return wait
  }

  function move(id: string, state: OperationState, reason: string, more: { payload?: Json; baseline?: Json; evidence?: { what: string; raw: Json } } = {}): void {
    rows.change(id, { state, reason, at: now().toISOString(), ...more })
    const row = rows.get(id)
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

  async function passOnce(signal: AbortSignal): Promise<SyncResult> {
    const open = rows.list().filter((row) => !finalStates.includes(row.state) && !personStates.includes(row.state))
    const byKey = Map.groupBy(open, (row) => row.key)
    // Rule 6: one at a time per key, keys in parallel. An unsettled one holds back the younger ones on its key.
    await Promise.all(
      [...byKey.values()].map(async (queue) => {
        for (const row of queue) {
          await advance(row.id, signal)
          const after = rows.get(row.id)
          if (after && !finalStates.includes(after.state)) return
        }
      })
    )
    return counts()
  }

  async function advance(id: string, signal: AbortSignal): Promise<void> {
    const row = rows.get(id)
    const kind = row && kinds.get(row.kind)
    if (!row || signal.aborted) return
    if (!kind) {
      move(id, 'needsAttention', `This Fitter does not know work of the kind ${row.kind}. Update Fitter.`)
      return
    }
    if (waitsOf(id).notBeforeMs > monotonicMs()) return
    const payload = kind.payload.safeParse(row.payload)
    if (!payload.success) {
      move(id, 'needsAttention', 'What this should send cannot be read any more. Drop it and enter it again.')
      return
    }
    if (row.state === 'draft') {
      if (!(await finalise(row, kind, payload.data, signal))) return
      return advance(id, signal)
    }
    if (row.state === 'pending') return send(row, kind, payload.data, signal)
    if (row.state === 'unknown' || row.state === 'accepted') return verify(row, kind, payload.data, signal)
  }

  async function finalise(row: StoredRow, kind: OperationKind, payload: unknown, signal: AbortSignal): Promise<boolean> {
    try {
      const result = await kind.finalise?.(payload, signal)
      if (result?.kind === 'stuck') {
        move(row.id, 'needsAttention', result.reason)
        return false
      }
      move(row.id, 'pending', 'Ready to be sent.', result ? { payload: result.payload } : {})
      return true
    } catch (error) {
      stay(row, error)
      return false
    }
  }

  /** Reading failed before anything was sent: nothing is lost, it waits. */
  function stay(row: StoredRow, error: unknown): void {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'CANCELLED') return
    if (error.code === 'NOT_AUTHENTICATED') {
      move(row.id, row.state, 'Waits until someone signs in at the gateway.')
      return
    }
    if (error.retryAtMs !== undefined) holdUntil(row.id, error.retryAtMs)
    move(row.id, row.state, `Waits: ${error.message}`)
  }

  function holdUntil(id: string, epochMs: number): void {
    waitsOf(id).notBeforeMs = monotonicMs() + Math.max(0, epochMs - now().getTime())
  }

  async function send(row: StoredRow, kind: OperationKind, payload: unknown, signal: AbortSignal): Promise<void> {
    if (row.attempts >= kind.maxAttempts) {
      move(row.id, 'needsAttention', `Sent ${row.attempts} times without effect. Look at the evidence and decide.`)
      return
    }
    if (row.attempts === 0 && kind.baseline) {
      try {
        move(row.id, 'pending', row.reason, { baseline: await kind.baseline(payload, signal) })
      } catch (error) {
        stay(row, error)
        return
      }
    }
    const difference = options.clockDifferenceMs()
    const attempt = {
      number: row.attempts + 1,
      requestHash: createHash('sha256').update(JSON.stringify(row.payload)).digest('hex'),
      startedAt: now().toISOString(),
      serverTimeMs: difference === null ? null : now().getTime() + difference
    }
    // Rule 1: the intent is on the disk before the first byte leaves.
    rows.beginAttempt(row.id, attempt)
    try {
      const reply = await kind.send(payload, signal)
      rows.endAttempt(row.id, attempt.number, 'answered')
      move(row.id, 'done', reply.what, { evidence: reply })
      await readBackOnce(row.id, kind, payload, signal)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const reply = readReply(error, wasSent(error))
      rows.endAttempt(row.id, attempt.number, `${error.code} ${error.status ?? ''}`.trim())
      if (reply.state === 'unknown') beginGrace(row.id)
      if (error.retryAtMs !== undefined) holdUntil(row.id, error.retryAtMs)
      move(row.id, reply.state, reply.reason)
      if (reply.state === 'unknown') await advance(row.id, signal)
    }
  }

  /** The reply already counts; seeing the effect as well makes the better evidence. Not seeing it yet may be the cache. */
  async function readBackOnce(id: string, kind: OperationKind, payload: unknown, signal: AbortSignal): Promise<void> {
    const row = rows.get(id)
    if (!row) return
    try {
      const look = await kind.look(payload, lookRequest(row, 1, signal))
      if (look.seen === 'found') move(id, 'done', `${row.reason} Read back: ${look.what}`, { evidence: look })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      move(id, 'done', `${row.reason} It could not be read back: ${error.message}`)
    }
  }

  function lookRequest(row: StoredRow, wording: 1 | 2, signal: AbortSignal) {
    const attempt = rows.lastAttempt(row.id)
    const sinceMs = attempt ? (attempt.serverTimeMs ?? Date.parse(attempt.startedAt)) : undefined
    return { baseline: row.baseline, sinceMs, wording, signal }
  }

  async function verify(row: StoredRow, kind: OperationKind, payload: unknown, signal: AbortSignal): Promise<void> {
    const wait = waitsOf(row.id)
    const wording = wait.firstAbsentMs === null ? 1 : 2
    if (wording === 2 && monotonicMs() < (wait.firstAbsentMs ?? 0) + cacheLagMs) return
    const begunAtMs = monotonicMs()
    move(row.id, 'verifying', 'Reading back at the gateway.')
    let look
    try {
      look = await kind.look(payload, lookRequest(row, wording, signal))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.retryAtMs !== undefined) holdUntil(row.id, error.retryAtMs)
      move(row.id, 'unknown', `It is not known whether this arrived; reading back failed: ${error.message}`)
      return
    }
    if (look.seen === 'found') return move(row.id, 'done', look.what, { evidence: look })
    if (look.seen === 'conflict') return move(row.id, 'needsAttention', look.what, { evidence: look })
    // Rule 3: before the grace time is over, "not there" only means "not there yet".
    if (begunAtMs < wait.graceOverMs) return move(row.id, 'unknown', `Not there yet; looking again: ${look.what}`)
    if (look.seen === 'unreadable') return move(row.id, 'needsAttention', look.what, { evidence: look })
    if (wait.firstAbsentMs === null) {
      // Rule 4: the gateway caches by request; one "absent" is not enough.
      wait.firstAbsentMs = monotonicMs()
      return move(row.id, 'unknown', `Not there; looking once more in other words: ${look.what}`, { evidence: look })
    }
    waits.delete(row.id)
    if (!kind.resendWhenAbsent) return move(row.id, 'needsAttention', `${look.what} It is not sent again by itself.`, { evidence: look })
    move(row.id, 'pending', 'Read twice and not there: it will be sent again.', { evidence: look })
  }

  /** When the next pass can move something without a person; undefined when nothing waits for time alone. */
  function nextMoveMs(): number | undefined {
    const times: number[] = []
    for (const row of rows.list()) {
      if (row.state !== 'unknown' && row.state !== 'pending') continue
      const wait = waits.get(row.id)
      if (!wait) continue
      if (row.state === 'pending' && wait.notBeforeMs <= monotonicMs()) continue
      times.push(Math.max(wait.notBeforeMs, row.state === 'unknown' ? nextLookMs(wait) : 0))
    }
    return times.length > 0 ? Math.min(...times) : undefined
  }

  function nextLookMs(wait: Waits): number {
    if (wait.firstAbsentMs !== null) return wait.firstAbsentMs + cacheLagMs
    return Math.min(wait.graceOverMs, monotonicMs() + 5_000)
  }

  function decide(id: string, allowed: OperationState[], state: OperationState, reason: string): void {
    const row = rows.get(id)
    if (!row) throw new AppError('NOT_FOUND', `There is no waiting work with the id ${id}.`)
    if (!allowed.includes(row.state)) {
      throw new AppError('INVALID_REQUEST', `This work is ${row.state}: that cannot be done with it now.`)
    }
    move(id, state, reason, { evidence: { what: `A person decided: ${reason}`, raw: { from: row.state, to: state } } })
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
        const result = await pass(signal)
        const next = nextMoveMs()
        if (next === undefined || signal.aborted) return result
        await waitFor(Math.max(50, next - monotonicMs()), signal)
        if (signal.aborted) return counts()
      }
    },
    retry(id, reason) {
      const row = rows.get(id)
      decide(id, ['needsAttention', 'failed'], row && row.attempts > 0 ? 'pending' : 'draft', reason)
      waits.delete(id)
    },
    drop: (id, reason) => decide(id, ['draft', 'blocked', 'pending', 'unknown', 'accepted', 'needsAttention', 'failed'], 'cancelled', reason),
    close: (id, reason) => decide(id, ['needsAttention'], 'done', reason)
  }
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(end, ms)
    function end(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
  })
}
