import { z } from 'zod'
import { AppError, type ErrorCode } from '../../../preload/contract/errors.ts'
import type { OperationKind } from '../../../main/gateway/waitingWork/kind.ts'
import { createOperations, type Operations } from '../../../main/gateway/waitingWork/engine.ts'
import type { OperationAttempt, OperationStore, StoredOperation } from '../../../main/data/store/work/operations.ts'
import { mayHaveArrived } from '../../../main/gateway/waitingWork/rows.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { english } from '../window/english.ts'
import { hasEnded } from '../../../main/gateway/waitingWork/transitions.ts'

/** What the network and the gateway do with one write. */
type WriteOutcome =
  | 'ok'
  | 'no connection'
  | 'lost before'
  | 'applied, reply lost'
  | 'applied late'
  | 'applied twice by a proxy'
  | '400'
  | '401'
  | '403'
  | '404'
  | '409 ours'
  | '409 of another'
  | '429'
  | '500 before'
  | '500 after'
  | 'HTML 200'
  | 'cut JSON'

export const graceMs = 120_000
export const cacheLagMs = 15_000

export class Crash extends Error {}

interface Effect {
  operation: string
  atMs: number
}

export interface World {
  effects: Effect[]
  /** Effects that a proxy doubled: nobody on this side can prevent them. */
  doubledByProxy: number
  sends: string[]
  /** The most that were on their way at once for one key. */
  mostPerKey: number
  isOnline: boolean
  nowMs(): number
  advance(ms: number): void
  start(): Operations
  /** The process dies at the n-th instant from now (a write, a send or a read, before and after). */
  crashAt(instant: number): void
  readonly isDead: boolean
  /** Instants that passed since crashAt. */
  readonly instants: number
  add(operations: Operations, name: string, key?: string): string
  state(id: string): string
  row(id: string): StoredOperation
}

/** A controllable gateway, network and clock, and a table that survives the process. */
export function makeWorld(options: {
  outcomes: WriteOutcome[]
  rows?: OperationStore
  kind?: Partial<OperationKind<{ name: string }>>
  lateMs?: number
  changed?: (state: string) => void
  learnTime?: () => Promise<void>
}): World {
  let clockMs = 0
  let instants = 0
  let crashInstant = Infinity
  let isDead = false
  const scripted = [...options.outcomes]
  const table = options.rows ?? memoryRows()
  const late: { atMs: number; operation: string }[] = []
  const onTheWay = new Map<string, number>()
  let isOfAnother = false

  const world: World = {
    effects: [],
    doubledByProxy: 0,
    sends: [],
    mostPerKey: 0,
    isOnline: true,
    nowMs: () => clockMs,
    advance(ms) {
      clockMs += ms
      for (const due of late.splice(0)) {
        if (due.atMs <= clockMs) world.effects.push({ operation: due.operation, atMs: due.atMs })
        else late.push(due)
      }
    },
    start() {
      isDead = false
      crashInstant = Infinity
      return createOperations({
        rows: mortal(),
        kinds: [makeKind()],
        clockDifferenceMs: () => 0,
        ...(options.learnTime ? { learnTime: options.learnTime } : {}),
        graceMs,
        cacheLagMs,
        monotonicMs: () => clockMs,
        now: () => new Date(clockMs),
        changed: (operation) => options.changed?.(operation.state)
      })
    },
    crashAt(instant) {
      instants = 0
      crashInstant = instant
    },
    get isDead() {
      return isDead
    },
    get instants() {
      return instants
    },
    add: (operations, name, key = 'vehicle:1') =>
      operations.add({ kind: 'scripted', key, title: plainMessage(name), payload: { name }, jobId: null, draft: false })
        .id,
    state: (id) => world.row(id).state,
    row(id) {
      const row = table.get(id)
      if (!row) throw new Error(`The table lost ${id}`)
      return row
    }
  }

  function instant(): void {
    if (isDead) throw new Crash('dead')
    instants += 1
    if (instants < crashInstant) return
    isDead = true
    throw new Crash('crash')
  }

  function around<Result>(work: () => Result): Result {
    instant()
    const result = work()
    instant()
    return result
  }

  /** The table as a process sees it that can die before and after every write. */
  function mortal(): OperationStore {
    const alive = <Result>(work: () => Result) => {
      if (isDead) throw new Crash('dead')
      return work()
    }
    return {
      add: (operation) => around(() => table.add(operation)),
      change: (...change) => around(() => table.change(...change)),
      beginAttempt: (...attempt) => around(() => table.beginAttempt(...attempt)),
      attempts: (id) => alive(() => table.attempts(id)),
      get: (id) => alive(() => table.get(id)),
      list: () => alive(() => table.list()),
      unfinished: () => alive(() => table.unfinished()),
      waiting: () => alive(() => table.waiting()),
      openNeeds: () => alive(() => table.openNeeds()),
      setPaused: (ids, paused) => around(() => table.setPaused(ids, paused)),
      youngerSent: (row) => alive(() => table.youngerSent(row)),
      needsOf: (id) => alive(() => table.needsOf(id)),
      dependents: (id) => alive(() => table.dependents(id)),
      counts: () => alive(() => table.counts()),
      page: (page) => alive(() => table.page(page)),
      ofJob: (jobId) => alive(() => table.ofJob(jobId)),
      // The instants lie around the writes in it; what a power cut leaves of it is the business of the store's own
      // tests.
      together: (work) => work()
    }
  }

  function makeKind(): OperationKind {
    const payload = z.object({ name: z.string() })
    const kind: OperationKind<{ name: string }> = {
      kind: 'scripted',
      payload,
      title: (payload) => plainMessage(String((payload as { name?: string }).name)),
      resendWhenAbsent: true,
      maxAttempts: 3,
      async send({ name }) {
        instant()
        const key = table.list().find((row) => english(row.title) === name)?.key ?? name
        const count = (onTheWay.get(key) ?? 0) + 1
        onTheWay.set(key, count)
        world.mostPerKey = Math.max(world.mostPerKey, count)
        await Promise.resolve()
        onTheWay.set(key, count - 1)
        world.sends.push(name)
        const failure = write(name, world.isOnline ? (scripted.shift() ?? 'ok') : 'no connection')
        instant()
        if (failure) throw failure
        return { what: plainMessage('The gateway accepted it.'), raw: { name } }
      },
      async look({ name }, { sinceMs }) {
        instant()
        await Promise.resolve()
        if (!world.isOnline) throw makeError('UNREACHABLE')
        const seen = world.effects.some(
          (effect) => effect.operation === name && effect.atMs <= clockMs && effect.atMs >= (sinceMs ?? 0)
        )
        instant()
        if (!seen && isOfAnother) return { seen: 'conflict', what: plainMessage('It belongs to another.'), raw: null }
        return seen
          ? { seen: 'found', what: plainMessage('It is there.'), raw: { name } }
          : { seen: 'absent', what: plainMessage('It is not there.'), raw: null }
      },
      ...options.kind
    }
    return kind as OperationKind
  }

  function write(name: string, outcome: WriteOutcome): AppError | undefined {
    const apply = () => void world.effects.push({ operation: name, atMs: clockMs })
    switch (outcome) {
      case 'ok':
        apply()
        return undefined
      case 'applied twice by a proxy':
        apply()
        apply()
        world.doubledByProxy += 1
        return undefined
      case 'no connection':
        return makeError('UNREACHABLE').withFate('notSent')
      case 'lost before':
        return makeError('UNREACHABLE')
      case 'applied, reply lost':
        apply()
        return makeError('UNREACHABLE')
      case 'applied late':
        late.push({ atMs: clockMs + (options.lateMs ?? graceMs - 1), operation: name })
        return makeError('TIMEOUT')
      case '400':
        return makeError('REFUSED', 400)
      case '401':
        return makeError('NOT_AUTHENTICATED', 401)
      case '403':
        return makeError('NOT_PERMITTED', 403)
      case '404':
        return makeError('NOT_FOUND', 404)
      case '409 ours':
        apply()
        return makeError('CONFLICT', 409)
      case '409 of another':
        isOfAnother = true
        return makeError('CONFLICT', 409)
      case '429':
        return makeError('RATE_LIMITED', 429, clockMs + 30_000)
      case '500 before':
        return makeError('SERVER_ERROR', 500)
      case '500 after':
        apply()
        return makeError('SERVER_ERROR', 500)
      case 'HTML 200':
        return makeError('UNREADABLE', 200)
      case 'cut JSON':
        apply()
        return makeError('UNREADABLE', 200)
    }
  }

  function makeError(code: ErrorCode, status?: number, retryAtMs?: number): AppError {
    return new AppError(code, plainMessage(`scripted ${code}`), {
      ...(status ? { status } : {}),
      ...(retryAtMs ? { retryAtMs } : {})
    })
  }

  return world
}

/** The table without a disk, for tests that run it tens of thousands of times. */
function memoryRows(): OperationStore {
  const rows = new Map<string, StoredOperation>()
  const attempts = new Map<string, OperationAttempt[]>()
  const wanted = new Map<string, { id: string; part: string }[]>()
  const read = (row: StoredOperation): StoredOperation => ({
    ...row,
    evidence: [...row.evidence],
    attempts: attempts.get(row.id)?.length ?? 0
  })
  const all = () => [...rows.values()].map(read)
  const get = (id: string) => {
    const row = rows.get(id)
    return row && read(row)
  }
  function change(
    id: string,
    {
      state,
      reason,
      at,
      finalised,
      baseline,
      result,
      claim,
      evidence,
      attempt
    }: Parameters<OperationStore['change']>[1]
  ): void {
    const row = rows.get(id)
    if (!row) throw new Error(`There is no operation ${id} to change`)
    if (finalised && row.state !== 'draft' && row.state !== 'blocked') throw new Error('The payload is frozen')
    Object.assign(row, {
      state,
      reason,
      updatedAt: at,
      ...finalised,
      ...(baseline === undefined ? {} : { baseline }),
      ...(result === undefined ? {} : { result }),
      ...(claim === undefined ? {} : { claim })
    })
    if (evidence) row.evidence.push({ at, what: evidence.what, raw: evidence.raw })
    const tried = attempts.get(id)?.find(({ number }) => number === attempt?.number)
    if (tried && attempt) tried.outcome = attempt.outcome
  }
  return {
    change,
    get,
    add({ needs, ...operation }) {
      rows.set(operation.id, {
        ...operation,
        paused: null,
        attempts: 0,
        updatedAt: operation.createdAt,
        evidence: [],
        sequence: rows.size + 1,
        baseline: null,
        result: null,
        claim: null
      })
      wanted.set(operation.id, needs)
    },
    together: (work) => work(),
    unfinished: () => all().filter(({ state }) => !hasEnded(state)),
    waiting: () =>
      all()
        .filter(({ state }) => !hasEnded(state))
        .map((row) => ({ ...row, isPaused: row.paused !== null, vehicleId: null })),
    openNeeds: () =>
      all()
        .filter(({ state }) => !hasEnded(state))
        .flatMap(({ id }) => (wanted.get(id) ?? []).map((need) => ({ id, needs: need.id }))),
    setPaused(ids, paused) {
      for (const id of ids) Object.assign(rows.get(id) ?? {}, { paused })
    },
    youngerSent: ({ key, sequence }) =>
      all().filter(
        (row) => row.key === key && row.sequence > sequence && (attempts.get(row.id) ?? []).some(mayHaveArrived)
      ),
    needsOf: (id) => wanted.get(id) ?? [],
    dependents: (id) =>
      all().filter((row) => row.state === 'blocked' && (wanted.get(row.id) ?? []).some((need) => need.id === id)),
    counts: () =>
      Object.fromEntries(
        Object.entries(Object.groupBy(all(), ({ state }) => state)).map(([state, of]) => [state, of.length])
      ),
    page: ({ scope, before, limit }) =>
      all()
        .filter((row) => hasEnded(row.state) === (scope === 'ended') && row.sequence < (before ?? Infinity))
        .reverse()
        .slice(0, limit),
    ofJob: (jobId) => all().filter((row) => row.jobId === jobId),
    beginAttempt(id, { number, requestHash, startedAt, serverTimeMs, by }, reason) {
      const attempt = { number, requestHash, startedAt, serverTimeMs, by }
      const known = attempts.get(id) ?? []
      if (known.some(({ number }) => number === attempt.number)) throw new Error('This attempt was made before')
      attempts.set(id, [...known, { ...attempt, outcome: null }])
      change(id, { state: 'sending', reason, at: attempt.startedAt })
    },
    attempts: (id) => (attempts.get(id) ?? []).map((attempt) => ({ ...attempt })),
    list: all
  }
}

const restStates = ['done', 'failed', 'needsAttention', 'cancelled', 'expired', 'superseded', 'moved']

/**
 * Passes until the work is at rest, with the clock advancing in between; a process that dies is started again.
 * `untilStep` is called with the number of each step before it.
 */
export async function runUntilRest(
  world: World,
  ids: () => string[],
  options: { stepMs?: number; eachStep?: (step: number, operations: Operations) => void } = {}
): Promise<number> {
  let operations: Operations | undefined
  /** One that waits for a decision on an older one of its key stays where it is. */
  const isAtRest = (id: string): boolean =>
    restStates.includes(world.state(id)) || world.row(id).reason.id === 'operations.waitsForDecision'
  let restarts = 0
  const never = new AbortController().signal
  for (let step = 0; step < 4_000; step++) {
    try {
      operations ??= world.start()
      options.eachStep?.(step, operations)
      await operations.pass(never)
    } catch (error) {
      if (!world.isDead) throw error
      operations = undefined
      restarts += 1
      continue
    }
    if (ids().length > 0 && ids().every(isAtRest)) {
      // What is still on its way arrives before anybody judges.
      world.advance(graceMs + cacheLagMs)
      return restarts
    }
    world.advance(options.stepMs ?? 4_000)
  }
  throw new Error(
    `Not at rest: ${ids()
      .map((id) => `${world.state(id)} (${english(world.row(id).reason)})`)
      .join(', ')}`
  )
}
