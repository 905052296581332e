import { AppError } from '../../../../preload/contract/errors.ts'
import { hasEnded } from '../../../../main/gateway/waitingWork/transitions.ts'
import type { StoredOperation } from '../../../../main/data/store/work/operations.ts'
import type { Store } from '../../../../main/data/store/index.ts'
import { english } from '../../window/english.ts'
import { graceMs, openGatewayWorld, type GatewayWorld } from './gatewayWorld.ts'
import { livePartsOf, outputsSent, type LiveKind } from './liveKinds.ts'
import type { Case, Harm, Verdict } from './matrix.ts'
import { outcomeOf } from './networkOutcomes.ts'

const never = new AbortController().signal

/** Work that a person follows, whose one request meets the outcome, in a process that dies at the instant. */
export async function runLive(
  kind: LiveKind,
  { outcome, crash, cache }: Case,
  { store, seed }: { store: Pick<Store, 'operations' | 'deviceWrites'>; seed: number }
): Promise<Verdict> {
  const { fault } = outcomeOf(outcome)
  const rows = store.operations
  const known = new Set(rows.list().map(({ id }) => id))
  const sentBefore = outputsSent(store.deviceWrites).length
  const world = await openGatewayWorld({ rows, cache, seed }, [kind.operation])
  const { gateway } = world
  try {
    kind.prepare?.(gateway)
    gateway.setFault(fault && { ...fault, operation: kind.operation, times: 1 })
    const run = world.start(crash)
    const parts = livePartsOf(run, gateway, store.deviceWrites)
    let failure = ''
    await world.over(kind.follow(parts, never)).catch((error: unknown) => {
      if (!run.process.isDead && !(error instanceof AppError)) throw error
      failure = error instanceof AppError ? english(error.sentence) : 'died'
    })
    const hasCrashed = run.process.isDead
    await world.over(parts.tests.close())
    run.end()
    // The next start writes the end of what nobody followed to its end, and sends nothing.
    world.start()
    world.advance(graceMs)
    const made = rows.list().filter(({ id }) => !known.has(id))
    const writes = outputsSent(store.deviceWrites).slice(0, -sentBefore || undefined)
    const attempts = made.length > 0 ? rows.attempts(made[0]?.id ?? '').length : writes.length
    const isCalledOff =
      made.some(({ state }) => state === 'cancelled') || writes.some((write) => write.outcome === 'refused')
    const found = parts.tests.list().some(({ state }) => state === 'found')
    const harms = harmsOf({ kind, world, outcome, made, attempts, isCalledOff, found })
    const ends = made.map(({ state, reason }) => `${state}, ${english(reason)}`)
    return {
      harms,
      asksForPerson: false,
      hasCrashed,
      said: [
        `${String(kind.count(gateway))} effects`,
        ...ends,
        failure,
        ...gateway.violations.map(({ why }) => why)
      ].join('; ')
    }
  } finally {
    await world.close()
  }
}

function harmsOf(about: {
  kind: LiveKind
  world: GatewayWorld
  outcome: Case['outcome']
  made: StoredOperation[]
  attempts: number
  isCalledOff: boolean
  found: boolean
}): Harm[] {
  const { kind, world, outcome, made, attempts, isCalledOff, found } = about
  const count = kind.count(world.gateway)
  const asked = world.gateway.requests.filter(({ operation }) => operation === kind.operation).length
  const harms: Harm[] = []
  if (count > (outcome === 'applied twice by a proxy' ? 2 : 1)) harms.push('doubled')
  // A 401 proves that nothing was applied: it is sent again after the sign-in.
  if (asked > (outcome === '401' ? 2 : 1)) harms.push('sent again')
  if (count === 0 && (found || made.some(({ state }) => state === 'done'))) harms.push('false done')
  // The log is true: what has an effect has an attempt, and is nowhere called off.
  if (count > 0 && (attempts === 0 || isCalledOff)) harms.push('lost')
  if (made.some(({ state }) => !hasEnded(state))) harms.push('lost')
  if (world.gateway.violations.length > 0 && outcome !== 'applied twice by a proxy')
    harms.push('not allowed by the document')
  return harms
}
