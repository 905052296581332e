import { needsAcceptance } from '../../../preload/job/acceptance.ts'
import type { OtherNumber } from '../../../preload/contract/job/jobSeen.ts'
import type { Bead, JobState, LiveStep, Prompt, Step, StepState, Witness } from '../../../preload/contract/job/jobs.ts'
import type { Standing } from '../../../preload/job/goingOn.ts'
import { isClosed, needsPerson, stepWord } from '../../../preload/job/stepWords.ts'
import type { IconName } from '../ui/Icon.vue'
import type { Shape } from '../ui/status.ts'
import { lineKinds } from './jobLanes.ts'

export { isClosed, needsPerson, stepWord }

/** The shape of a step: sent is not passed, and a step that waits for its device is not running. */
export function stepShape(
  { state, isSent }: Pick<Step, 'state' | 'isSent'>,
  live?: (Pick<LiveStep, 'isWaiting'> & { isLost?: true }) | null
): Shape {
  if (state === 'running' && live?.isLost) return 'unknown'
  if (state === 'running' && live?.isWaiting) return stepShapes.waiting
  return isSent && state === 'pass' ? 'sent' : stepShapes[state]
}

const stepShapes: Record<StepState, Shape> = {
  waiting: 'wait',
  running: 'live',
  pass: 'pass',
  received: 'received',
  warn: 'warn',
  fail: 'fail',
  unreadable: 'unknown',
  waived: 'waived',
  deferred: 'defer',
  notApplicable: 'none'
}

/** The shape of a step in a list of jobs. */
export function beadShape(bead: Bead): Shape {
  return bead === 'sent' ? 'sent' : stepShapes[bead]
}

/** The icon beside the words of a witness. */
export const witnessIcons: Readonly<Record<Witness, IconName>> = { device: 'chip', gateway: 'cloud', person: 'person' }

export const jobShapes: Record<JobState, Shape> = {
  draft: 'wait',
  running: 'live',
  installedAwaitingGateway: 'defer',
  done: 'pass',
  failed: 'fail',
  cancelled: 'none'
}

const settled: readonly StepState[] = ['pass', 'received', 'warn', 'waived', 'notApplicable']

/** True when the step needs no more work. */
export function isSettled(step: Step): boolean {
  return settled.includes(step.state)
}

/** Counts of a job's steps for its head: settled, failed, waiting for the gateway, or for the person. */
export function progressOf(steps: readonly Step[], live: LiveOfSteps) {
  return {
    total: steps.length,
    settled: steps.filter(isSettled).length,
    failed: steps.filter(({ state }) => state === 'fail').length,
    unread: steps.filter(({ state }) => state === 'unreadable').length,
    later: steps.filter(({ state }) => state === 'deferred').length,
    skipped: steps.filter(({ state }) => state === 'waived').length,
    warned: steps.filter(({ state }) => state === 'warn').length,
    asking: steps.filter(({ id, state }) => state === 'running' && needsPerson(live.get(id))).length
  }
}

const inputCount = 7

/** The lines of a step: those that it asks for, or that its kind and title name. */
export function linesOf(step: Pick<Step, 'id' | 'kind' | 'title'>, prompt: Prompt | null): string[] {
  // Without an order every input is listed: then only those that move count.
  if (prompt?.kind === 'lines') return prompt.lines.length < inputCount ? prompt.lines : []
  return (
    lineKinds[step.kind]?.names ??
    [...`${JSON.stringify(step.title)} ${step.id}`.matchAll(/\b(IN|OUT|input|output)[ -]?([1-7])\b/gi)].map(
      ([, word = '', n = '']) => `${word.toUpperCase().startsWith('I') ? 'IN' : 'OUT'}${n}`
    )
  )
}

type Asking = Pick<LiveStep, 'prompt' | 'act' | 'isWaiting' | 'output'> & { isLost?: true }
export type LiveOfSteps = ReadonlyMap<string, Asking>
/** How each step goes on that has not ended. */
export type Standings = ReadonlyMap<string, Standing>

/** True for a step that starts by itself when another one has ended. */
export function isInLine(standing: Standing | undefined): boolean {
  return standing?.is === 'waits' && standing.for.what === 'step'
}

/**
 * The person has armed an output: its countdown and its Off stay under the hand. What was last known of it outlives the
 * step.
 */
function isSwitching(step: Step, live: LiveOfSteps): boolean {
  const output = live.get(step.id)?.output
  return step.state === 'running' && output !== undefined && output.phase !== 'hold'
}

interface Scene {
  steps: readonly Step[]
  live: LiveOfSteps
  /** The step on the stage. */
  onStage: string | null
  /** True when the person selected it. */
  isPinned: boolean
  /** True when the result on the stage was there long enough to be read. */
  isRead?: boolean
  standings?: Standings | undefined
}

const failed: readonly StepState[] = ['fail', 'unreadable']

/** True when a step ended without confirmation: the person should read its remedy. */
export function isFailed({ state }: Pick<Step, 'state'>): boolean {
  return failed.includes(state)
}

function remedyAction(step: Step): MainAction {
  if (step.kind === 'identity' && otherNumberOf(step)) return 'scanAgain'
  const { remedy } = step
  return remedy !== null && typeof remedy !== 'string' && apnRemedies.includes(remedy.id) ? 'setApn' : 'runAgain'
}

/**
 * The step on the stage. A person's choice stays, and so do a failure and a warning until the person leaves them, and an
 * output from the hold until it is off again. Otherwise a step with a question comes first; a step that runs is replaced
 * only by something more important, and a good result leaves when it was there long enough to be read.
 */
export function chooseStage({ steps, live, onStage, isPinned, isRead = false }: Scene): string | null {
  const current = steps.find((step) => step.id === onStage)
  if (
    current &&
    (isPinned ||
      isFailed(current) ||
      needsAcceptance(current) ||
      needsPerson(live.get(current.id)) ||
      isSwitching(current, live))
  )
    return current.id
  const asking = firstAsking(steps, live)
  if (asking) return asking.id
  if (current && current.state !== 'waiting' && !(isRead && isOver(current))) return current.id
  const running = steps.find((step) => step.state === 'running')
  if (running) return running.id
  if (current && !isOver(current)) return current.id
  return (steps.find((step) => !isOver(step)) ?? steps.find(isFailed) ?? current ?? steps.at(-1))?.id ?? null
}

/** Nothing more happens in the step here: a step that is left for the gateway is over, too. */
function isOver(step: Step): boolean {
  return isSettled(step) || step.state === 'deferred'
}

/** A question precedes an action: it may be about what the action changes. */
function firstAsking(steps: readonly Step[], live: LiveOfSteps): Step | undefined {
  const asking = steps.filter((step) => step.state === 'running' && needsPerson(live.get(step.id)))
  return asking.find((step) => live.get(step.id)?.prompt) ?? asking[0]
}

/**
 * The target of "Next": a step with a question, else one that only the person starts, else a failed one, else a warning to
 * accept; the sign-off comes after all of these. What waits for another step starts by itself.
 */
export function chooseNext({ steps, live, onStage, standings }: Omit<Scene, 'isPinned'>): Step | null {
  const isNext = (step: Step) => step.state === 'waiting' && !isInLine(standings?.get(step.id))
  const asking = firstAsking(
    steps.filter(({ id }) => id !== onStage),
    live
  )
  // Measurements at rest come before starting the engine, even if not started yet.
  const before =
    asking && !live.get(asking.id)?.prompt
      ? steps.slice(0, steps.indexOf(asking)).find((step) => step.id !== onStage && isNext(step))
      : undefined
  if (asking) return before ?? asking
  const at = steps.findIndex((step) => step.id === onStage)
  const around = [...steps.slice(at + 1), ...steps.slice(0, Math.max(0, at))]
  const open = around.filter(
    (step) => !isSettled(step) && step.state !== 'running' && (step.state !== 'waiting' || isNext(step))
  )
  return (
    open.find((step) => step.state === 'waiting' && step.kind !== 'signOff') ??
    open.find(isFailed) ??
    around.find(needsAcceptance) ??
    open.find((step) => step.state === 'waiting') ??
    open[0] ??
    null
  )
}

/** True for a question with a button that answers it: ordered inputs are only switched. */
function hasButton(prompt: Prompt | null | undefined): boolean {
  return prompt?.kind === 'lines' ? prompt.lines.length === inputCount : Boolean(prompt)
}

export type MainAction = 'run' | 'accept' | 'runAgain' | 'scanAgain' | 'setApn' | 'next' | null

/** Remedies performed on the device itself: their button is offered first. */
const apnRemedies: readonly string[] = ['network.checkApn', 'delivered.checkApn']

/** True for a step that a person may skip with a reason: a warning is accepted instead, a wrong device never passes. */
export function isSkippable(step: Step): boolean {
  const { kind, state, lastResult } = step
  return (
    kind !== 'signOff' &&
    !['pass', 'received', 'waived'].includes(state) &&
    !lastResult?.isMismatch &&
    !needsAcceptance(step)
  )
}

/** The differing identity number of a failed step; null without one. */
export function otherNumberOf(step: Step): OtherNumber | null {
  return isFailed(step) ? (step.lastResult?.other ?? null) : null
}

/**
 * The one filled button below the stage. It follows the remedy: a failure is run again, and "Next" only leaves it.
 * While a step runs, the filled button is in its question.
 */
export function mainAction(
  step: Step,
  next: Step | null,
  live: LiveOfSteps = new Map(),
  standing?: Standing
): MainAction {
  // A step without a button of its own leaves the filled one to the next act.
  if (step.state === 'running' || isInLine(standing))
    return next && !hasButton(live.get(step.id)?.prompt) && needsPerson(live.get(next.id)) ? 'next' : null
  if (step.state === 'waiting') return 'run'
  if (isFailed(step)) return remedyAction(step)
  if (needsAcceptance(step)) return 'accept'
  return next ? 'next' : null
}
