import type { JobState, LiveStep, Step, StepState } from '../../../preload/contract/jobs.ts'
import type { Shape } from '../../ui/status.ts'

/** The shape of a step: what was only sent is no pass. */
export function stepShape({ state, isSent }: Pick<Step, 'state' | 'isSent'>): Shape {
  return isSent && state === 'pass' ? 'sent' : stepShapes[state]
}

/** The word of a step's state. */
export function stepWord({ state, isSent }: Pick<Step, 'state' | 'isSent'>): StepState | 'sent' {
  return isSent && state === 'pass' ? 'sent' : state
}

const stepShapes: Record<StepState, Shape> = {
  waiting: 'wait',
  running: 'live',
  pass: 'pass',
  warn: 'warn',
  fail: 'fail',
  unreadable: 'unknown',
  waived: 'waived',
  deferred: 'defer',
  notApplicable: 'none'
}

export const jobShapes: Record<JobState, Shape> = {
  draft: 'wait',
  running: 'live',
  installedAwaitingGateway: 'defer',
  done: 'pass',
  failed: 'fail',
  cancelled: 'waived'
}

const settled: readonly StepState[] = ['pass', 'warn', 'waived', 'notApplicable']

/** True when the job takes no more work: a new one is made for that. */
export function isClosed(state: JobState): boolean {
  return state === 'done' || state === 'installedAwaitingGateway' || state === 'cancelled'
}

/** True when nothing more has to be done about a step. */
export function isSettled(step: Step): boolean {
  return settled.includes(step.state)
}

/** True for steps that the lines of the device prove something about: a chart of them belongs there and nowhere else. */
export function watchesLines({ kind }: Pick<Step, 'kind'>): boolean {
  return kind === 'externalPower' || kind === 'ignition' || kind === 'inputs' || kind === 'output'
}

interface Scene {
  steps: readonly Step[]
  live: ReadonlyMap<string, Pick<LiveStep, 'prompt'>>
  /** The step that is on the stage now. */
  onStage: string | null
  /** True when the person put it there. */
  isPinned: boolean
}

const failed: readonly StepState[] = ['fail', 'unreadable']

/** True when a step ended without what it was to prove: its remedy is to be read. */
export function isFailed(step: Step): boolean {
  return failed.includes(step.state)
}

/**
 * The step that belongs on the stage. What the person chose stays, and so does a failure until the person leaves it. Else
 * a step that asks the person something comes first; a step that still runs, or has just ended, is not taken away for
 * anything less.
 */
export function chooseStage({ steps, live, onStage, isPinned }: Scene): string | null {
  const current = steps.find((step) => step.id === onStage)
  if (current && (isPinned || isFailed(current) || live.get(current.id)?.prompt)) return current.id
  const asking = steps.find((step) => step.state === 'running' && live.get(step.id)?.prompt)
  if (asking) return asking.id
  if (current && current.state !== 'waiting') return current.id
  const running = steps.find((step) => step.state === 'running')
  if (running) return running.id
  if (current) return current.id
  return (steps.find((step) => !isSettled(step)) ?? steps.at(-1))?.id ?? null
}

/**
 * Where "Next" leads: a step that asks, else the next one that still waits, else one that failed; the sign-off comes
 * after all of these.
 */
export function chooseNext({ steps, live, onStage }: Omit<Scene, 'isPinned'>): Step | null {
  const asking = steps.find((step) => step.id !== onStage && step.state === 'running' && live.get(step.id)?.prompt)
  if (asking) return asking
  const at = steps.findIndex((step) => step.id === onStage)
  const around = [...steps.slice(at + 1), ...steps.slice(0, Math.max(0, at))]
  const open = around.filter((step) => !isSettled(step) && step.state !== 'running')
  return (
    open.find((step) => step.state === 'waiting' && step.kind !== 'signOff') ??
    open.find((step) => step.state === 'fail' || step.state === 'unreadable') ??
    open.find((step) => step.state === 'waiting') ??
    open[0] ??
    null
  )
}

export type MainAction = 'run' | 'runAgain' | 'next' | null

/**
 * The one filled button below the stage. It follows the remedy: a failure is run again, and "Next" only leaves it. While a
 * step runs, the filled button is in its question.
 */
export function mainAction(step: Step, next: Step | null): MainAction {
  if (step.state === 'running') return null
  if (step.state === 'waiting') return 'run'
  if (isFailed(step)) return 'runAgain'
  return next ? 'next' : null
}
