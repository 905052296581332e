import type { LiveStep, Step } from '../contract/job/jobs.ts'
import { needsPerson } from './stepWords.ts'

/** What a step waits for. */
export type Wait =
  /** The device answers again. */
  | { what: 'device' }
  /** The gateway takes the next request. */
  | { what: 'gateway' }
  /** A person continues the paused job. */
  | { what: 'job' }
  /** Another step ends. `mayStart`: a person may start it before that. */
  | { what: 'step'; stepId: string; mayStart: boolean }

/**
 * How a step that has not ended goes on. `asks`: only a person takes it further, by an answer, an act, or by running it
 * again. `starts`: nothing is in its way. `untilMs`: when the wait ends, on the clock of `heardAtMs`; null if unknown.
 */
export type Standing =
  { is: 'runs' } | { is: 'asks' } | { is: 'starts' } | { is: 'waits'; for: Wait; untilMs: number | null }

type GoingStep = Pick<Step, 'id' | 'kind' | 'state' | 'attempts' | 'summary'>
type GoingLive = Pick<LiveStep, 'prompt' | 'act' | 'isWaiting' | 'output' | 'leftMs' | 'hint' | 'turnMs'> & {
  /** When it was heard, for a front end; in the engine it is of this moment. */
  heardAtMs?: number
  isLost?: true
}

export interface Going {
  steps: readonly GoingStep[]
  /** For each step those that have to end before it starts. */
  after: Readonly<Record<string, readonly string[]>>
  live: ReadonlyMap<string, GoingLive>
  /** Connected to its device; a job that is not is paused. */
  isActive: boolean
}

/** Stopped by a person, or its result could not be kept: it does not start again without a person. */
const haltedBy: readonly string[] = ['jobs.stepStopped', 'jobs.notKeptRunAgain']

function isHalted({ state, attempts, summary }: GoingStep): boolean {
  return (
    state === 'waiting' &&
    attempts > 0 &&
    summary !== null &&
    typeof summary !== 'string' &&
    haltedBy.includes(summary.id)
  )
}

function hasEnded(step: GoingStep): boolean {
  return (step.state !== 'running' && step.state !== 'waiting') || isHalted(step)
}

function isGood({ state }: GoingStep): boolean {
  return state !== 'running' && state !== 'waiting' && state !== 'fail' && state !== 'unreadable'
}

/** Without its result the other step could only fail. */
function mustBeGood(first: GoingStep, step: GoingStep): boolean {
  return (
    first.kind === 'identity' ||
    step.kind === 'signOff' ||
    (first.kind === 'vehicle' && (step.kind === 'link' || step.kind === 'counters'))
  )
}

/** How each step that has not ended goes on: the one rule for the engine and every front end. */
export function goingOn({ steps, after, live, isActive }: Going): Map<string, Standing> {
  const isOutputTested = steps.some(({ kind, state }) => kind === 'output' && state === 'running')

  /** What has to end before this step starts, in the order of the list. */
  function inTheWayOf(step: GoingStep): GoingStep[] {
    const first = new Set(after[step.id])
    return steps.filter((other) => {
      if (other === step) return false
      if (first.has(other.id)) return mustBeGood(other, step) ? !isGood(other) : !hasEnded(other)
      // Started by a person before its turn: nothing that belongs before it starts beside it. Only one output at a time.
      return (
        other.state === 'running' &&
        other.kind !== 'signOff' &&
        (after[other.id]?.includes(step.id) === true || (step.kind === 'output' && other.kind === 'output'))
      )
    })
  }

  /** The conditions of an output hold for what is tested while it may be on: nothing starts beside one before its turn. */
  function mayStart(step: GoingStep, inTheWay: readonly GoingStep[]): boolean {
    return !isOutputTested && !inTheWay.some((first) => mustBeGood(first, step))
  }

  /** Supply that is present passes after a known time; other steps only have a limit. */
  function endsAtMs({ id, kind, state }: GoingStep): number | null {
    const heard = live.get(id)
    const isKnown = kind === 'externalPower' && state === 'running' && heard && heard.hint === null
    return isKnown && heard.leftMs !== null ? (heard.heardAtMs ?? 0) + heard.leftMs : null
  }

  function standingOf(step: GoingStep): Standing {
    if (step.state === 'running') {
      const heard = live.get(step.id)
      if (heard?.isWaiting) return { is: 'waits', for: { what: 'device' }, untilMs: null }
      if (needsPerson(heard)) return { is: 'asks' }
      if (heard?.turnMs !== undefined)
        return { is: 'waits', for: { what: 'gateway' }, untilMs: (heard.heardAtMs ?? 0) + heard.turnMs }
      return { is: 'runs' }
    }
    if (!isActive) return { is: 'waits', for: { what: 'job' }, untilMs: null }
    if (isHalted(step)) return { is: 'asks' }
    const inTheWay = inTheWayOf(step)
    const last = inTheWay.at(-1)
    if (!last) return { is: 'starts' }
    return {
      is: 'waits',
      for: { what: 'step', stepId: last.id, mayStart: mayStart(step, inTheWay) },
      untilMs: inTheWay.length === 1 ? endsAtMs(last) : null
    }
  }

  return new Map(
    steps.filter(({ state }) => state === 'running' || state === 'waiting').map((step) => [step.id, standingOf(step)])
  )
}
