import type { OperationState } from '../../../../preload/contract/gateway/operations.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import type { OperationStore, StoredOperation } from '../../../../main/data/store/work/operations.ts'
import { isAtRest } from '../../../../main/gateway/waitingWork/transitions.ts'
import { english } from '../../window/english.ts'
import type { CrashPoint } from './dyingProcess.ts'
import { cacheLagMs, graceMs, openGatewayWorld, type GatewayWorld, type Sabotage } from './gatewayWorld.ts'
import { outcomeOf, type CacheMode, type OutcomeName } from './networkOutcomes.ts'
import type { QueuedKind } from './queuedKinds.ts'

export interface Case {
  kind: string
  outcome: OutcomeName
  /** Undefined: nobody dies. */
  crash: CrashPoint | undefined
  cache: CacheMode
}

export type Harm =
  'lost' | 'doubled' | 'sent again' | 'false done' | 'refusal not told' | 'wrong value' | 'not allowed by the document'

export interface Verdict {
  harms: Harm[]
  asksForPerson: boolean
  /** It ended, or died where it should. */
  hasCrashed: boolean
  said: string
}

const stepMs = 15_000
/** At 72 km/h. */
const stepM = 300
/** A write that was under way for so long was right when it left. */
const lateErrorM = 2_400
const mostSteps = 200
const never = new AbortController().signal

/** One operation of a real kind, whose first write meets the outcome, in a process that dies at the instant. */
export async function runQueued(
  kind: QueuedKind,
  { outcome, crash, cache }: Case,
  parts: { rows: OperationStore; seed: number; sabotage?: Sabotage }
): Promise<Verdict> {
  const { fault, isOfAnother } = outcomeOf(outcome)
  const world = await openGatewayWorld({ cache, ...parts }, [kind.operation])
  const { gateway, reporter } = world
  try {
    const work = kind.work(gateway, 0)
    if (isOfAnother) kind.plantOther?.(gateway, work)
    gateway.setFault(fault && { ...fault, operation: kind.operation, times: 1 })
    let run = world.start(crash)
    let crashes = 0
    const { id } = run.operations.add({ ...work, title: plainMessage('work'), jobId: null })
    const row = (): StoredOperation => {
      const present = parts.rows.get(id)
      if (!present) throw new Error('The table lost it')
      return present
    }
    for (let step = 0; step < mostSteps && !isAtRest(row().state); step++) {
      await world.over(run.operations.pass(never)).catch((error: unknown) => {
        if (!run.process.isDead) throw error
      })
      if (run.process.isDead) {
        run.end()
        run = world.start()
        crashes += 1
        continue
      }
      if (isAtRest(row().state)) break
      reporter.report({ drivenM: stepM })
      world.advance(parts.sabotage?.stepMs ?? stepMs)
    }
    // What is still on its way arrives before anybody judges.
    world.advance(graceMs + cacheLagMs)
    reporter.report()
    const { state, reason } = row()
    const count = kind.count(gateway, work)
    const said = `${state} with ${String(count)} effects, ${english(reason)}`
    // What waits for a person would be looked at by the next one on this table.
    if (!['done', 'cancelled', 'superseded'].includes(state)) run.operations.drop(id, 'judged')
    return {
      harms: harmsOf({ kind, work, outcome, state, count, world }),
      asksForPerson: state !== 'done',
      hasCrashed: crashes > 0,
      said: [said, ...gateway.violations.map(({ why }) => why)].join('; ')
    }
  } finally {
    await world.close()
  }
}

function harmsOf({
  kind,
  work,
  outcome,
  state,
  count,
  world
}: {
  kind: QueuedKind
  work: ReturnType<QueuedKind['work']>
  outcome: OutcomeName
  state: OperationState
  count: number
  world: GatewayWorld
}): Harm[] {
  const { isNetworkAlone } = outcomeOf(outcome)
  const most = outcome === 'applied twice by a proxy' ? 2 : 1
  const applied = world.gateway.state.effects.filter(({ operation }) => operation === kind.operation).length
  const harms: Harm[] = []
  if (count > most || (!kind.isIdempotent && applied > most)) harms.push('doubled')
  if (state === 'done' && count === 0) harms.push('false done')
  if (count === 0 && (isNetworkAlone ? state !== 'needsAttention' : state !== 'needsAttention' && state !== 'failed'))
    harms.push('lost')
  if (isNetworkAlone && state === 'failed') harms.push('refusal not told')
  const errorM = count > 0 ? (kind.errorOf?.(world.gateway, work, world.reporter.drivenM()) ?? 0) : 0
  if (errorM > stepM + (outcome === 'applied late' ? lateErrorM : 0)) harms.push('wrong value')
  if (world.gateway.violations.length > 0) harms.push('not allowed by the document')
  return harms
}
