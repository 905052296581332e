import { z } from 'zod'
import type { OperationStore, StoredOperation } from '../../../../main/data/store/work/operations.ts'
import { attemptOfDecision } from '../../../../main/gateway/waitingWork/rows.ts'
import { waitOfClaim } from '../../../../main/gateway/waitingWork/handover/claim.ts'
import type { OperationKind } from '../../../../main/gateway/waitingWork/kind.ts'
import { createMoves } from '../../../../main/gateway/waitingWork/moves.ts'
import { createParts } from '../../../../main/gateway/waitingWork/parts.ts'
import type { Patience, Wait } from '../../../../main/gateway/waitingWork/patience.ts'
import { createPasses } from '../../../../main/gateway/waitingWork/pass.ts'
import { hasEnded } from '../../../../main/gateway/waitingWork/transitions.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import type { OperationState } from '../../../../preload/contract/gateway/operations.ts'
import { isAtWork, nameOf, type LaptopState, type OperationState1, type Setup, type World } from './state.ts'

/** The fate of a sent request. */
export const networks = [
  'answered',
  'applied, no answer',
  'late, no answer',
  'lost',
  'dies before it left',
  'dies after it left',
  'refused for now'
] as const
export type Network = (typeof networks)[number]

export class Wrong extends Error {}

const never = new AbortController().signal
const text = plainMessage('')
const at = (ms: number): string => new Date(ms).toISOString()

export function laptopAt({ laptops }: World, by: number): LaptopState {
  const laptop = laptops[by]
  if (!laptop) throw new Error('No such laptop')
  return laptop
}

/** The engine of one laptop as it is shipped (passes, sending, reading back, moves), over the rows of the model. */
export function openEngine(world: World, by: number, setup: Setup, network: Network = 'answered') {
  const { kinds, without } = setup
  const laptop = laptopAt(world, by)
  const nowMs = (): number => world.effects.length
  let didSend = false
  let looked = false
  let wrong: Wrong | undefined
  let die = (): void => undefined
  const death = new Promise<'died'>((resolve) => (die = () => resolve('died')))
  /** The process is dead: nothing it waits for comes back. */
  const dying = (): Promise<never> => {
    die()
    return new Promise(() => undefined)
  }

  const number = (id: string): number => Number(id.slice(2))
  const one = (id: string): OperationState1 | undefined => laptop.ops.find((op) => op.id === id)
  function storedRow(op: OperationState1): StoredOperation {
    const evidence =
      op.allowedAfter > 0
        ? [{ at: '', what: text, raw: attemptOfDecision('needsAttention', 'pending', op.allowedAfter) }]
        : []
    const shared = {
      title: text,
      reason: text,
      payload: {},
      baseline: null,
      result: null,
      jobId: 'job',
      paused: null,
      isLive: false
    }
    return {
      ...shared,
      id: op.id,
      key: op.id,
      sequence: number(op.id),
      kind: op.id,
      state: op.state,
      attempts: op.attempts.length,
      createdAt: at(0),
      updatedAt: at(0),
      evidence,
      claim: op.claim
    } as unknown as StoredOperation
  }
  const rowsOf = (keep: (op: OperationState1) => boolean): StoredOperation[] => laptop.ops.filter(keep).map(storedRow)
  const attemptsOf = (id: string) =>
    (one(id)?.attempts ?? []).map(({ outcome, serverTimeMs }, index) => ({
      number: index + 1,
      requestHash: '',
      startedAt: at(serverTimeMs),
      serverTimeMs,
      outcome,
      by: ''
    }))
  const rows = {
    together: (work) => work(),
    change(id, { state, claim, attempt }) {
      const op = one(id)
      if (!op) throw new Error('No such operation')
      op.state = state
      if (claim) op.claim = claim
      const tried = attempt && op.attempts[attempt.number - 1]
      if (tried) tried.outcome = attempt.outcome
    },
    beginAttempt(id, attempt) {
      const op = one(id)
      if (!op) throw new Error('No such operation')
      op.state = 'sending'
      op.attempts.push({ outcome: null, serverTimeMs: attempt.serverTimeMs ?? 0 })
    },
    attempts: attemptsOf,
    get(id) {
      const op = one(id)
      return op && storedRow(op)
    },
    unfinished: () => rowsOf(({ state }) => !hasEnded(state)),
    youngerSent: ({ sequence }) =>
      rowsOf(
        (op) =>
          number(op.id) > sequence &&
          op.attempts.some(({ outcome }) => outcome === null || outcome === 'answered' || outcome.startsWith('unknown'))
      ),
    needsOf: () => [],
    dependents: () => []
  } as Partial<OperationStore> as OperationStore

  const patience: Patience = {
    of(id) {
      const wait = (laptop.waits[id] ??= { since: null, isAbsentOnce: false })
      return {
        graceOverMs: wait.since === null ? -1 : 1,
        get firstAbsentMs() {
          return wait.isAbsentOnce ? 0 : null
        },
        set firstAbsentMs(ms) {
          wait.isAbsentOnce = ms !== null
        },
        holdUntilMs: 0,
        holdCause: 'look',
        timesAway: 0,
        timesWaited: 0,
        baselineAtMs: null
      } satisfies Wait
    },
    beginGrace: (id) => void (laptop.waits[id] = { since: world.sent, isAbsentOnce: false }),
    hold: () => undefined,
    isHeld: () => false,
    holdOf: () => undefined,
    isAway: () => false,
    reached: () => undefined,
    gatewayIsBack: () => undefined,
    graceOf: () => 0,
    tryNow: () => true,
    forget: (id) => void delete laptop.waits[id]
  }

  function send(id: string): Promise<{ what: typeof text; raw: null }> {
    const op = one(id)
    if (!op) throw new Error('No such operation')
    didSend = true
    const wished = op.isWished
    if (op.isTakenOver) wrong ??= new Wrong(`${id} came by a take-over and is sent with nobody's word`)
    if (!isAtWork(laptop) && !op.isWished) wrong ??= new Wrong(`${id} is sent from ${nameOf(by)}, where the job is not`)
    const isElsewhere = world.laptops.some(
      (other, who) => who !== by && !other.isGone && other.ops.some((row) => row.id === id && !hasEnded(row.state))
    )
    const kind = kinds[number(id) - 1]
    if (!looked && isElsewhere && kind !== 'untold' && kind !== 'refusing')
      wrong ??= new Wrong(`${id} is sent without a look while another laptop may send it`)
    const isApplied = network === 'answered' || network === 'applied, no answer' || network === 'dies after it left'
    if (network === 'dies before it left') return dying()
    if (network === 'refused for now') return Promise.reject(new AppError('RATE_LIMITED', text, { status: 429 }))
    world.sent += 1
    const effect = { op: id, by, looked, wished, n: world.sent }
    if (network === 'late, no answer') world.air.push(effect)
    const isRefused = kind === 'refusing' && world.effects.some((effect) => effect.op === id)
    if (isApplied && !isRefused) wrong ??= applyEffect(world, effect, kind)
    if (network === 'dies after it left') return dying()
    if (network === 'answered')
      return isRefused
        ? Promise.reject(new AppError('CONFLICT', text, { status: 409, fate: 'refused' }))
        : Promise.resolve({ what: text, raw: null })
    return Promise.reject(new AppError('TIMEOUT', text, { fate: 'unknown' }))
  }

  const made = kinds.map((kind, index): [string, OperationKind] => {
    const id = `op${index + 1}`
    return [
      id,
      {
        kind: id,
        payload: z.object({}),
        title: (payload) => plainMessage(String((payload as { name?: string }).name)),
        resendWhenAbsent: kind !== 'never',
        maxAttempts: 3,
        ...(kind === 'untold' ? { tellsOwnAlone: true } : {}),
        send: () => send(id),
        look(_payload, { sinceMs }) {
          looked = true
          const isSeen = world.effects.some(
            (effect, index) => effect.op === id && (kind === 'refusing' || index >= (sinceMs ?? 0))
          )
          return Promise.resolve({ seen: isSeen ? 'found' : 'absent', what: text, raw: null })
        }
      }
    ]
  })
  const byName = new Map(made)
  const moves = createMoves({ rows, kinds: byName, now: () => new Date(nowMs()), changed: () => undefined })
  const parts = createParts({
    rows,
    kinds: byName,
    moves,
    patience,
    inHand: new Set(),
    isAllPaused: () => false,
    awaited: new Set(),
    still: new Set(),
    mayBeElsewhere: () => laptop.isPushed && without !== 'looked for right before it is sent',
    cacheLagMs: 0,
    lookEveryMs: 0,
    monotonicMs: () => 0,
    now: () => new Date(nowMs()),
    clockDifferenceMs: () => 0,
    learnTime: () => Promise.resolve(),
    sentBy: () => '',
    reading: never,
    writing: never
  })
  const passes = createPasses(parts, { expireForgotten: () => undefined })

  return {
    moves,
    /** A pass that comes to one piece of work; the process may die in it. */
    async pass(id: string): Promise<{ didSend: boolean }> {
      for (const other of laptop.ops) if (other.id !== id) parts.still.add(other.id)
      if ((await Promise.race([passes.once(), death])) === 'died') openEngine(world, by, setup).restart()
      if (wrong) throw wrong
      return { didSend }
    },
    restart,
    decide(id: string, state: OperationState) {
      const op = one(id)
      if (!op) return
      moves.move(id, state, text)
      op.allowedAfter = state === 'pending' ? op.attempts.length : op.allowedAfter
      op.isTakenOver = false
      op.isWished = state === 'pending'
      patience.forget(id)
    }
  }

  function restart(): void {
    laptop.waits = {}
    passes.pickUpTheInterrupted(text)
    for (const row of rows.unfinished()) if (row.state === 'unknown') patience.beginGrace(row.id, waitOfClaim(row))
  }
}

/**
 * The gateway applies a request. Twice the same is wrong, but where both looked before either could see the other's.
 */
export function applyEffect(world: World, effect: World['air'][number], kind: string | undefined): Wrong | undefined {
  const before = world.effects.find(({ op }) => op === effect.op)
  if (before && kind === 'refusing') return undefined
  world.effects.push({ ...effect, at: world.sent })
  if (!before) return undefined
  const isUnseen =
    before.by !== effect.by && before.looked && effect.looked && effect.n <= before.at && mayBeTwo(world, 'send')
  const isWish = kind === 'untold' && (before.wished || effect.wished)
  return isUnseen || isWish
    ? undefined
    : new Wrong(`${effect.op} is applied twice: by ${nameOf(before.by)} and by ${nameOf(effect.by)}`)
}

/**
 * Whether something happened by which two may rightly believe that the job is theirs, until they hear of each other.
 */
export function mayBeTwo({ server, isSetBack, files, laptops }: World, what: 'work' | 'send'): boolean {
  const takers = (id: string): number =>
    laptops.filter(({ log }) => log.some((entry) => entry.startsWith(`here ${id} `))).length
  return (
    isSetBack ||
    (what === 'send' && server.takenOver.length > 0) ||
    files.some(({ id }) => takers(id) > 1 && !server.offers.some(({ parcel }) => parcel.id === id))
  )
}
