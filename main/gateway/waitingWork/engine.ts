import { ulid } from 'ulid'
import type { Json } from '../../../preload/contract/define.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, plainMessage, type Message } from '../../../preload/contract/messages.ts'
import type {
  Operation,
  OperationLine,
  OperationState,
  SyncResult
} from '../../../preload/contract/gateway/operations.ts'
import type { Paused } from '../../../preload/contract/gateway/stories.ts'
import { orAborted, rest } from '../../base/time/pause.ts'
import { askAs } from '../../base/time/turns.ts'
import type { OperationStore, StoredOperation, WaitingOperation } from '../../data/store/work/operations.ts'
import { attemptOfDecision, triesOf } from './rows.ts'
import { waitLeftOfClaim } from './handover/claim.ts'
import { chooseRecord } from './drafts.ts'
import { createMoves, releaseOf } from './moves.ts'
import { createParts } from './parts.ts'
import { awayAfter, createPatience, type HoldCause } from './patience.ts'
import type { OperationKind } from './kind.ts'
import { assertNotHandedOver, createHandover } from './handover/handingOver.ts'
import { createLiveOperations } from './live.ts'
import { replaceOlder } from './send.ts'
import { createPasses } from './pass.ts'
import { countsOf, hasEnded, isAtRest, isUnsent, lineOf, movesByItself } from './transitions.ts'

export interface OperationsOptions {
  rows: OperationStore
  /** Read-only: nothing moves. */
  isReadOnly?: boolean
  kinds: OperationKind[]
  /** The gateway's clock minus ours, in ms, if known. */
  clockDifferenceMs(): number | null
  /** Makes sure that it is known before a write is sent: only what appeared later counts as its effect. */
  learnTime?: (signal: AbortSignal) => Promise<void>
  /** The current user; stored with each attempt. */
  sentBy?: () => string
  /** After this time a request whose socket we closed was applied or never will be (docs/operations.md, grace time). */
  graceMs?: number
  /** How long the gateway may answer from its cache. */
  cacheLagMs?: number
  lookEveryMs?: number
  /** How long writes in flight may continue when the engine stops. */
  finishWithinMs?: number
  monotonicMs?: () => number
  now?: () => Date
  /**
   * Whether someone may have taken over jobs without this laptop knowing: then Fitter looks for the effect before
   * sending.
   */
  mayBeElsewhere?: () => boolean
  /** Whether all work is paused; the caller stores it. */
  isPaused?: () => boolean
  changed(operation: OperationLine): void
  /** It was delayed, or a person paused it. */
  held?: (id: string) => void
  reportFault?: (error: unknown) => void
}

export interface NewWork {
  kind: string
  key: string
  title: Message
  payload: Json
  jobId: string | null
  /** Names still have to become ids. */
  draft: boolean
  /**
   * Operations that must be done first, and the part of the payload that their result fills (empty: only the order
   * counts).
   */
  needs?: { id: string; part: string }[]
}

export type Operations = ReturnType<typeof createOperations>

/** When one operation will move, as far as this run of Fitter knows. */
export interface OperationProgress {
  isUnderWay: boolean
  hold: { inMs: number; cause: HoldCause } | undefined
  /** The gateway could not be reached last time. */
  isAway: boolean
  /** The rest of the time in which a lost request may still be applied. */
  graceMs: number
  /** It waits for someone at the gateway, and is checked automatically. */
  looksAgain: boolean
}

const settledLookMs = 500
const finishWithinMs = 3_000

/** Applies each intended effect once and never claims one that is not there (docs/operations.md). */
export function createOperations(options: OperationsOptions) {
  const { rows } = options
  const kinds = new Map(options.kinds.map((kind) => [kind.kind, kind]))
  const monotonicMs = options.monotonicMs ?? (() => performance.now())
  const now = options.now ?? (() => new Date())
  const reading = new AbortController()
  const writing = new AbortController()
  const moves = createMoves({ rows, kinds, now, changed: (row) => options.changed(lineOf(row)) })
  const parts = createParts({
    rows,
    kinds,
    moves,
    patience: createPatience(monotonicMs, options.graceMs ?? 120_000, options.held),
    inHand: new Set(),
    isAllPaused: options.isPaused ?? (() => false),
    awaited: new Set(),
    still: new Set(),
    mayBeElsewhere: options.mayBeElsewhere ?? (() => false),
    cacheLagMs: options.cacheLagMs ?? 15_000,
    lookEveryMs: options.lookEveryMs ?? 5_000,
    monotonicMs,
    now,
    clockDifferenceMs: () => options.clockDifferenceMs(),
    learnTime: options.learnTime ?? (() => Promise.resolve()),
    sentBy: options.sentBy ?? (() => ''),
    reading: reading.signal,
    writing: writing.signal
  })
  const live = createLiveOperations(parts)
  const passes = createPasses(parts, live)
  let running: Promise<void> | undefined
  let passBeganMs = Infinity

  if (!options.isReadOnly) passes.pickUpTheInterrupted(message('operations.interrupted'))
  for (const row of rows.unfinished())
    if (row.state === 'unknown')
      parts.patience.beginGrace(row.id, waitLeftOfClaim(row, rows.attempts(row.id), now().getTime()))
  if (!options.isReadOnly) live.expireForgotten()
  moves.beginToTell()

  const counts = (): SyncResult => countsOf(rows.counts())

  /**
   * One pass over everything that can move now. It has no owner: when `signal` fires, only the caller stops waiting.
   */
  async function pass(signal: AbortSignal): Promise<SyncResult> {
    if (options.isReadOnly || reading.signal.aborted || signal.aborted) return counts()
    if (!running) {
      passBeganMs = monotonicMs()
      running = askAs({ name: 'waiting work' }, () => passes.once()).finally(() => (running = undefined))
    }
    const isGone = new AppError('CANCELLED', message('operations.stopped'))
    const left = new AbortController()
    const leave = (): void => left.abort(isGone)
    signal.addEventListener('abort', leave, { once: true })
    try {
      await orAborted(running, left.signal)
    } catch (error) {
      if (error !== isGone) throw error
      running?.catch(options.reportFault ?? (() => undefined))
    } finally {
      signal.removeEventListener('abort', leave)
    }
    return counts()
  }

  /**
   * When the next pass can move something that was delayed at `sinceMs`; undefined when nothing waits only for time.
   */
  function nextMoveMs(sinceMs = monotonicMs()): number | undefined {
    const times = rows
      .waiting()
      // An effect that needs the device's next report may take days: nobody waits for it.
      .filter((row) => canMove(row) && row.state !== 'accepted' && !row.isLive)
      .map(({ id }) => parts.patience.of(id))
      .filter((wait) => wait.holdUntilMs > sinceMs && wait.timesAway < awayAfter)
      .map((wait) => wait.holdUntilMs)
    return times.length > 0 ? Math.min(...times) : undefined
  }

  /** What the next pass may send. */
  function readyIds(): Set<string> {
    return new Set(
      rows
        .waiting()
        .filter((row) => row.state === 'pending' && !row.isLive && canMove(row) && !parts.patience.isHeld(row.id))
        .map(({ id }) => id)
    )
  }

  /** Whether a pass can change it: paused work that is not in progress stays unchanged. */
  function canMove({ state, isPaused }: WaitingOperation): boolean {
    return movesByItself(state) && !((isPaused || parts.isAllPaused()) && isUnsent(state))
  }

  function decide(id: string, allowed: OperationState[], state: OperationState, reason: string): void {
    const row = rows.get(id)
    if (!row) throw new AppError('NOT_FOUND', message('operations.noSuch', { id }))
    assertNotHandedOver(parts, id)
    if (!allowed.includes(row.state))
      throw new AppError('INVALID_REQUEST', message('operations.notNow', { state: row.state }))
    moves.move(id, state, plainMessage(reason), {
      evidence: {
        what: message('operations.personDecided', { reason }),
        raw: attemptOfDecision(row.state, state, row.attempts)
      }
    })
    parts.patience.forget(id)
  }

  function get(id: string): StoredOperation {
    const row = rows.get(id)
    if (!row) throw new AppError('NOT_FOUND', message('operations.noSuch', { id }))
    return row
  }

  return {
    ...live,
    ...createHandover(parts, { running: () => running, expireForgotten: live.expireForgotten }),
    counts,
    pass,
    /** All there ever were, oldest first. */
    list: (): StoredOperation[] => rows.list(),
    get: (id: string): StoredOperation | undefined => rows.get(id),
    needsOf: (id: string): { id: string; part: string }[] => rows.needsOf(id),
    /** With its payload and evidence; throws NOT_FOUND. */
    show(id: string): Operation {
      const row = get(id)
      return { ...lineOf(row), payload: row.payload, evidence: row.evidence, tries: triesOf(row, rows.attempts(id)) }
    },
    /** All of a job, oldest first. */
    ofJob: (jobId: string): StoredOperation[] => rows.ofJob(jobId),
    hasWork: (): boolean =>
      rows
        .waiting()
        .some(
          (row) => canMove(row) || (row.state === 'needsAttention' && kinds.get(row.kind)?.lookAgainMs !== undefined)
        ),
    /** Newest first, of the open or of the ended ones. */
    page({ scope, before, limit }: { scope: 'open' | 'ended'; before: number | null; limit: number }): {
      operations: OperationLine[]
      more: boolean
      counts: SyncResult
    } {
      const found = rows.page({ scope, before, limit: limit + 1 })
      return { operations: found.slice(0, limit).map(lineOf), more: found.length > limit, counts: counts() }
    },
    add({ kind, key, title, payload, jobId, draft, needs = [] }: NewWork): StoredOperation {
      const id = ulid()
      const [first] = needs
      const [state, reason] = first
        ? (['blocked', message('operations.waitsForOther', { title: get(first.id).title })] as const)
        : draft
          ? (['draft', message('operations.namesOpen')] as const)
          : (['pending', message('operations.ready')] as const)
      moves.inOne(() => {
        rows.add({
          id,
          kind,
          key,
          state,
          jobId,
          title,
          payload,
          reason,
          createdAt: now().toISOString(),
          isLive: false,
          needs
        })
        const release = first && releaseOf(rows, kinds, get(id))
        if (release) moves.move(id, release.state, release.reason, release.more)
        replaceOlder(parts, id)
        moves.tell(id)
      })
      return get(id)
    },
    /** Passes until nothing moves without a person or an answering gateway, or `signal` fires. */
    async settle(signal: AbortSignal): Promise<SyncResult> {
      for (;;) {
        const before = readyIds()
        await pass(signal)
        // The running pass left out what became free in the meantime, and the sending of what it found to be absent.
        const next = [...readyIds()].every((id) => before.has(id)) ? nextMoveMs(passBeganMs) : monotonicMs()
        if (next === undefined || signal.aborted || reading.signal.aborted) return counts()
        await rest(Math.max(50, next - monotonicMs()), signal)
      }
    },
    /** Passes until this one is at rest, or `signal` fires. */
    async settled(id: string, signal: AbortSignal): Promise<StoredOperation> {
      parts.awaited.add(id)
      try {
        for (;;) {
          if (isAtRest(get(id).state) || signal.aborted) return get(id)
          await pass(signal)
          if (!isAtRest(get(id).state)) await rest(settledLookMs, signal)
        }
      } finally {
        parts.awaited.delete(id)
      }
    },
    retry(id: string, reason: string): void {
      const row = get(id)
      const [younger] = rows.youngerSent(row)
      if (younger && !hasEnded(row.state))
        throw new AppError('INVALID_REQUEST', message('operations.retryWouldUndo', { title: younger.title }))
      decide(id, ['needsAttention', 'failed'], row.attempts > 0 ? 'pending' : 'draft', reason)
    },
    drop: (id: string, reason: string) =>
      decide(
        id,
        ['draft', 'blocked', 'pending', 'unknown', 'accepted', 'needsAttention', 'failed'],
        'cancelled',
        reason
      ),
    close: (id: string, reason: string) => decide(id, ['needsAttention'], 'done', reason),
    titleOf(name: string, payload: Json): Message | undefined {
      const kind = kinds.get(name)
      const read = kind?.payload.safeParse(payload)
      return read?.success ? kind?.title(read.data) : undefined
    },
    /** Chooses the record for an ambiguous name in a draft. */
    choose(id: string, entityId: number): void {
      assertNotHandedOver(parts, id)
      chooseRecord(parts, get(id), entityId)
    },
    /**
     * Milliseconds until the next pass can move something without a person; undefined when nothing waits only for time.
     */
    nextMoveInMs(): number | undefined {
      const at = nextMoveMs()
      return at === undefined ? undefined : Math.max(0, at - monotonicMs())
    },
    /** When one will move, as far as known. */
    standing(id: string): OperationProgress {
      const { patience, inHand } = parts
      const row = rows.get(id)
      return {
        isUnderWay: inHand.has(id),
        hold: patience.holdOf(id),
        isAway: patience.isAway(id),
        graceMs: patience.graceOf(id),
        looksAgain: row !== undefined && kinds.get(row.kind)?.lookAgainMs !== undefined
      }
    },
    setPaused(ids: readonly string[], paused: Paused): void {
      rows.setPaused(ids, paused)
      for (const id of ids) options.held?.(id)
    },
    /** Ends the delay of work that waits only because the gateway could not be reached. */
    gatewayIsBack(): void {
      for (const { id } of rows.unfinished()) parts.patience.gatewayIsBack(id)
    },
    /** Resolves when no pass is running, or when `signal` fires: a running one may have been turned away already. */
    async idle(signal: AbortSignal): Promise<void> {
      const ended = running?.catch(() => undefined)
      if (ended) await orAborted(ended, signal).catch(() => undefined)
    },
    /** Lets the next pass try them, unless a rule forbids it; returns those that a rule delays. */
    tryNow: (ids: readonly string[]): string[] => ids.filter((id) => !parts.patience.tryNow(id)),
    /** Starts nothing more; writes in flight get a little time. Resolves when nothing is being written any more. */
    async stop(): Promise<void> {
      reading.abort(new AppError('CANCELLED', message('operations.closing')))
      const late = setTimeout(
        () => writing.abort(new AppError('CANCELLED', message('operations.closing'))),
        options.finishWithinMs ?? finishWithinMs
      )
      // Its failure went to whoever waited for it.
      await running?.catch(() => undefined)
      clearTimeout(late)
    }
  }
}
