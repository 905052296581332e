import fc from 'fast-check'
import { setImmediate } from 'node:timers'
import { vi } from 'vitest'
import type { OperationStore, StoredOperation } from '../../../../main/data/store/work/operations.ts'
import { isAtRest } from '../../../../main/gateway/waitingWork/transitions.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { createGatewayClient } from '../../../../main/gateway/client/client.ts'
import type { SimulatedGateway } from '../../../../simulator/gateway/gateway.ts'
import type { Fault } from '../../../../simulator/gateway/types.ts'
import { english } from '../../window/english.ts'
import { Crash, crashPoints, type CrashPoint } from './dyingProcess.ts'
import { cacheLagMs, graceMs, openGatewayWorld, type GatewayWorld, type Run, type Sabotage } from './gatewayWorld.ts'
import { cacheModes, outcomeNames, outcomeOf } from './networkOutcomes.ts'
import { queuedKinds, realKinds, type QueuedKind } from './queuedKinds.ts'

const kindNames = Object.keys(queuedKinds)
const never = new AbortController().signal
const hourMs = 3_600_000
const mostSteps = 300
const settledAfter = 24

const at = fc.integer({ min: 0, max: settledAfter - 4 })
const work = fc.record({
  kind: fc.constantFrom(...kindNames),
  n: fc.integer({ min: 0, max: 1 }),
  value: fc.integer({ min: 0, max: 2 }),
  at
})

/** What happens in one sequence. Steps are 15 s apart; after the last thing that happens it becomes quiet. */
export const sequences = fc.record({
  seed: fc.integer({ min: 1, max: 1_000 }),
  cache: fc.constantFrom(...cacheModes),
  works: fc.array(work, { minLength: 1, maxLength: 4 }),
  /** An asset that is made offline, with the key and the link that need it. */
  hasChain: fc.boolean(),
  faults: fc.array(
    fc.record({
      outcome: fc.constantFrom(...outcomeNames),
      work: fc.integer({ min: 0, max: 3 }),
      isRead: fc.boolean()
    }),
    { maxLength: 4 }
  ),
  crashes: fc.array(fc.record({ at, point: fc.constantFrom(...crashPoints) }), { maxLength: 3 }),
  /** The line goes away, or comes back. */
  switches: fc.array(at, { maxLength: 4 }),
  /** Another technician writes the same thing, or another value of it. */
  others: fc.array(fc.record({ at, work: fc.integer({ min: 0, max: 3 }), value: fc.integer({ min: 0, max: 2 }) }), {
    maxLength: 2
  }),
  jumps: fc.array(fc.record({ at, hours: fc.integer({ min: -6, max: 6 }), isOurs: fc.boolean() }), { maxLength: 2 }),
  /** Who asked for a pass stops waiting in the middle of it. */
  leaves: fc.array(fc.record({ at, turns: fc.integer({ min: 0, max: 40 }) }), { maxLength: 3 }),
  decisions: fc.array(fc.record({ at, work: fc.integer({ min: 0, max: 3 }), what: fc.constantFrom('drop', 'retry') }), {
    maxLength: 1
  })
})
export type Sequence = typeof sequences extends fc.Arbitrary<infer Value> ? Value : never

const readsOf: Record<string, string> = {
  'a key fob': 'ibuttons.list',
  'a link': 'vehicles.get',
  'a Bluetooth tag': 'rawdata.query',
  'the number of a SIM': 'sims.get',
  'an asset': 'assets.list',
  'a trigger': 'triggers.list',
  'a geofence': 'geofences.list',
  'a counter of its own': 'counters.ofVehicle',
  'a counter that is set': 'counters.ofVehicle'
}

const newThings: ReadonlySet<string> = new Set([
  'assets.create',
  'triggers.create',
  'geofences.create',
  'counters.create'
])
function isNewThing(name: string): boolean {
  return newThings.has(queuedKinds[name]?.operation ?? '')
}

interface Added {
  id: string
  kind: QueuedKind
  /** Whether an effect is this work; of what depends on another, its payload is known later. */
  payload(): Record<string, unknown>
  n: number
  value: number
}

export interface SequenceResult {
  harms: string[]
  works: number
  asked: number
  story: string[]
}

/** Runs one sequence against the real gateway code and judges it by the gateway's own records. */
export async function runSequence(
  given: Sequence,
  parts: { rows: OperationStore; sabotage?: Sabotage }
): Promise<SequenceResult> {
  const writes = [...new Set(Object.values(queuedKinds).map(({ operation }) => operation))]
  const world = await openGatewayWorld({ ...parts, cache: given.cache, seed: given.seed }, writes)
  const other = openOther(world)
  const added: Added[] = []
  const story: string[] = []
  const dropped = new Map<string, number>()
  let run = world.start()
  try {
    world.gateway.setFault(faultsOf(given))
    if (given.hasChain) added.push(...addChain(run, world.gateway, parts.rows))
    for (let step = 0; step < mostSteps; step++) {
      if (step <= settledAfter) await happen(step)
      await pass(step)
      if (run.process.isDead) {
        story.push(`${String(step)}: died`)
        run.end()
        run = world.start()
      }
      const rest = added.every(
        ({ id }) =>
          isAtRest(row(id).state) || row(id).reason.id === 'operations.waitsForDecision' || row(id).state === 'blocked'
      )
      if (step > settledAfter && rest) break
      world.reporter.report({ drivenM: 100 })
      world.advance(15_000)
    }
    world.advance(graceMs + cacheLagMs)
    return {
      harms: judge(),
      works: added.length,
      asked: added.filter(({ id }) => ['needsAttention', 'failed'].includes(row(id).state)).length,
      story: [...story, ...added.map(tell)]
    }
  } finally {
    world.gateway.setOnline(true)
    // What waits would be looked at by the next sequence on this table.
    run.end()
    run = world.start()
    for (const { id } of added)
      if (!['done', 'cancelled', 'superseded', 'sending', 'verifying'].includes(row(id).state))
        run.operations.drop(id, 'judged')
    other.close()
    await world.close()
  }

  function row(id: string): StoredOperation {
    const present = parts.rows.get(id)
    if (!present) throw new Error(`The table lost ${id}`)
    return present
  }

  /** A process may die right after its start. */
  function begin(diesAt: CrashPoint): Run {
    try {
      return world.start(diesAt)
    } catch (error) {
      if (!(error instanceof Crash)) throw error
      return world.start()
    }
  }

  /** Adds work; a process that dies in the middle of it has kept it whole or not at all. */
  function wish(wanted: { kind: string; n: number; value: number }): Added {
    try {
      return add(run, world.gateway, wanted)
    } catch (error) {
      if (!(error instanceof Crash)) throw error
      run.end()
      run = world.start()
      const kind = queuedKinds[wanted.kind] as QueuedKind
      const { payload, key } = kind.work(world.gateway, wanted.n, wanted.value)
      const kept = parts.rows.unfinished().findLast((one) => one.key === key && !added.some(({ id }) => id === one.id))
      return kept
        ? { id: kept.id, kind, n: wanted.n, value: wanted.value, payload: () => payload as Record<string, unknown> }
        : add(run, world.gateway, wanted)
    }
  }

  function tell({ id }: Added): string {
    const { kind, key, state, reason, attempts } = row(id)
    return `${kind} ${key}: ${state} after ${String(attempts)} attempts, ${english(reason)}`
  }

  /** What this step brings, before it is worked on. */
  async function happen(step: number): Promise<void> {
    const isOnline = given.switches.filter((one) => one <= step).length % 2 === 0 || step >= settledAfter
    world.gateway.setOnline(isOnline)
    for (const { at: when, ...wanted } of given.works)
      if (when === step) added.push(wish({ ...wanted, n: isNewThing(wanted.kind) ? 10 + added.length : wanted.n }))
    for (const jump of given.jumps.filter((one) => one.at === step)) {
      // What a gateway has cached lives on for as long as its clock is set back: no rule can tell it from what is
      // there.
      if (!jump.isOurs && jump.hours < 0 && given.cache === 'byRequest') continue
      const ms = jump.hours * hourMs
      if (jump.isOurs) {
        vi.setSystemTime(Date.now() + ms)
        world.gatewayAheadMs -= ms
      } else {
        world.gatewayAheadMs += ms
      }
      story.push(`${String(step)}: the clock ${jump.isOurs ? 'here' : 'of the gateway'} jumps ${String(jump.hours)} h`)
    }
    for (const one of given.others.filter((other) => other.at === step)) {
      const wanted = given.works[one.work]
      if (!wanted || !isOnline) continue
      story.push(`${String(step)}: somebody else writes ${wanted.kind}, value ${String(one.value)}`)
      await world.over(other.write(queuedKinds[wanted.kind] as QueuedKind, wanted.n, one.value))
    }
    for (const decision of given.decisions.filter((one) => one.at === step)) decide(decision)
    const crash = given.crashes.find((one) => one.at === step)
    if (crash) {
      story.push(`${String(step)}: the process dies ${crash.point}`)
      run.end()
      run = begin(crash.point)
    }
  }

  function decide({ work: index, what }: { work: number; what: string }): void {
    const one = added[index]
    if (!one) return
    try {
      if (what === 'drop') {
        dropped.set(one.id, row(one.id).attempts)
        run.operations.drop(one.id, 'not wanted any more')
      } else {
        run.operations.retry(one.id, 'once more')
      }
      story.push(`a person says ${what} of work ${String(index)}`)
    } catch (error) {
      if (!(error instanceof AppError) && !run.process.isDead) throw error
      dropped.delete(one.id)
    }
  }

  async function pass(step: number): Promise<void> {
    const leave = given.leaves.find((one) => one.at === step)
    try {
      if (leave) {
        const caller = new AbortController()
        const left = run.operations.pass(caller.signal)
        left.catch(() => undefined)
        for (let turn = 0; turn < leave.turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
        caller.abort()
        await left
      }
      await world.over(run.operations.pass(never))
    } catch (error) {
      if (!run.process.isDead) throw error
    }
  }

  /** Rule 6: an older one of a key that was applied after a younger one undoes what was wanted later. */
  function overtaken(ours: { operation: string; detail: Record<string, unknown> }[]): string[] {
    const placesOf = ({ kind, payload }: Added) =>
      ours.flatMap(({ operation, detail }, place) =>
        operation === kind.operation && kind.isEffect(detail, payload()) ? [place] : []
      )
    return added.flatMap((older) =>
      added.flatMap((younger) => {
        const [first, second] = [row(older.id), row(younger.id)]
        // What is wanted twice is rightly there before and after what was wanted between.
        const isOnce = (one: Added): boolean =>
          added.filter((twin) => JSON.stringify(twin.payload()) === JSON.stringify(one.payload())).length === 1
        const isPair = first.key === second.key && first.sequence < second.sequence && isOnce(older) && isOnce(younger)
        return isPair && Math.max(-1, ...placesOf(older)) > Math.min(Infinity, ...placesOf(younger))
          ? [`overtaken: ${tell(younger)}, before ${tell(older)}`]
          : []
      })
    )
  }

  function judge(): string[] {
    const harms: string[] = []
    const { effects } = world.gateway.state
    // A gateway whose clock is set back shows what came after an attempt only hours later: until then it waits.
    const isSetBack = given.jumps.some(({ hours, isOurs }) => !isOurs && hours < 0)
    const ours = effects.filter(({ user }) => user === world.gateway.user)
    const proxied = (operation: string) =>
      given.faults.filter(
        (fault) =>
          !fault.isRead &&
          fault.outcome === 'applied twice by a proxy' &&
          queuedKinds[given.works[fault.work]?.kind ?? '']?.operation === operation
      ).length
    for (const one of added) {
      const { state } = row(one.id)
      const isOne = (detail: Record<string, unknown>) => one.kind.isEffect(detail, one.payload())
      const twins = added.filter(
        (twin) => twin.kind === one.kind && twin.n === one.n && twin.value === one.value
      ).length
      const mine = ours.filter(({ operation, detail }) => operation === one.kind.operation && isOne(detail)).length
      const anybodys = effects.filter(
        ({ operation, detail }) => operation === one.kind.operation && isOne(detail)
      ).length
      if (state === 'done' && anybodys === 0) harms.push(`false done: ${tell(one)}`)
      if (!one.kind.isIdempotent && mine > twins + proxied(one.kind.operation))
        harms.push(`doubled, ${String(mine)} times: ${tell(one)}`)
      if (!isAtRest(state) && !['pending', 'blocked', 'accepted'].includes(state) && !isSetBack)
        harms.push(`never at rest: ${tell(one)}`)
      if (state === 'cancelled' && !dropped.has(one.id)) harms.push(`called off by nobody: ${tell(one)}`)
      if (dropped.has(one.id) && state === 'cancelled' && row(one.id).attempts > (dropped.get(one.id) ?? 0))
        harms.push(`sent after it was dropped: ${tell(one)}`)
    }
    harms.push(...overtaken(ours))
    // Doubles are counted above: two of the same may be wanted, and others write as well.
    harms.push(...world.gateway.violations.flatMap(({ why }) => (why.startsWith('doubled effect') ? [] : [why])))
    return harms
  }
}

function faultsOf(given: Sequence): Fault[] {
  return given.faults.flatMap(({ outcome, work: index, isRead }) => {
    const wanted = given.works[index]
    const { fault } = outcomeOf(outcome)
    const kind = wanted && queuedKinds[wanted.kind]
    if (!kind || !fault || (isRead && ('twice' in fault || 'lateMs' in fault))) return []
    return [{ ...fault, operation: isRead ? (readsOf[wanted.kind] ?? kind.operation) : kind.operation, times: 1 }]
  })
}

function add(
  run: Run,
  gateway: SimulatedGateway,
  { kind: name, n, value }: { kind: string; n: number; value: number }
): Added {
  const kind = queuedKinds[name] as QueuedKind
  const wanted = kind.work(gateway, n, value)
  const { id } = run.operations.add({ ...wanted, title: plainMessage(name), jobId: null })
  return { id, kind, n, value, payload: () => wanted.payload as Record<string, unknown> }
}

/** Made without a network: each gets the id of the asset when the gateway has given it. */
function addChain(run: Run, gateway: SimulatedGateway, rows: OperationStore): Added[] {
  const named = (name: string, n: number) => ({
    kind: queuedKinds[name] as QueuedKind,
    wanted: (queuedKinds[name] as QueuedKind).work(gateway, n)
  })
  const asset = named('an asset', 7)
  const key = named('a key fob', 7)
  const link = named('a link', 3)
  const title = plainMessage('chain')
  const { name } = asset.wanted.payload as { name: string }
  const made = run.operations.add({ ...asset.wanted, title, jobId: null }).id
  const keyId = run.operations.add({
    ...key.wanted,
    title,
    jobId: null,
    draft: true,
    payload: { ...(key.wanted.payload as object), assetId: null, assetName: name } as never,
    needs: [{ id: made, part: 'asset' }]
  }).id
  const { primary } = link.wanted.payload as { primary: object }
  const linkId = run.operations.add({
    ...link.wanted,
    title,
    jobId: null,
    draft: true,
    payload: { primary, secondary: { id: null, text: name } } as never,
    needs: [{ id: made, part: 'secondary' }]
  }).id
  /** The one that the work went on with, when it is one of that name; a proxy may have made two. */
  const idIn = (id: string): number | undefined => {
    const { assetId, secondary } = (rows.get(id)?.payload ?? {}) as { assetId?: number; secondary?: { id: number } }
    return gateway.state.assets.find((one) => one.name === name && one.id === (assetId ?? secondary?.id))?.id
  }
  return [
    { id: made, kind: asset.kind, n: 7, value: 0, payload: () => asset.wanted.payload as Record<string, unknown> },
    {
      id: keyId,
      kind: key.kind,
      n: 7,
      value: 0,
      payload: () => ({ ...(key.wanted.payload as object), assetId: idIn(keyId) })
    },
    { id: linkId, kind: link.kind, n: 3, value: 0, payload: () => ({ primary, secondary: { id: idIn(linkId) } }) }
  ]
}

/** Another technician at another computer, with another account. */
function openOther(world: GatewayWorld) {
  const account = world.gateway.accounts.find(({ role }) => role === 'support')
  if (!account) throw new Error('The simulated gateway knows nobody else')
  const client = createGatewayClient({
    url: world.gateway.url,
    credentials: () => Promise.resolve({ user: account.user, password: account.password })
  })
  const kinds = new Map(realKinds(() => Promise.resolve(client)).map((kind) => [kind.kind, kind]))
  return {
    async write(kind: QueuedKind, n: number, value: number): Promise<void> {
      // A new thing of theirs is never ours.
      const wanted = kind.work(world.gateway, newThings.has(kind.operation) ? n + 50 : n, value)
      const payload =
        wanted.kind === 'sims.update'
          ? { ...(wanted.payload as object), resourceId: world.gateway.state.sims[0]?.id }
          : wanted.payload
      try {
        await kinds.get(wanted.kind)?.send(payload, never, { baseline: null, isAgain: false })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
      }
    },
    close: () => client.close()
  }
}
