import type { InputProof } from '../../../preload/contract/job/jobSeen.ts'
import type { Job, LiveStep, Prompt, Step } from '../../../preload/contract/job/jobs.ts'
import { actOfStep, sentenceOfStep } from '../../../preload/job/stepWords.ts'
import { formatSeconds } from '../../base/format.ts'
import { say } from '../../base/say.ts'
import { t } from '../../base/texts.ts'
import type { Standing } from '../../../preload/job/goingOn.ts'
import { secondsUntil } from './timeLeft.ts'
import { isFailed, otherNumberOf, type MainAction } from '../../base/shell/jobStage.ts'

/** The one sentence of a step: the core's while it runs, before that the coming question, afterwards the result. */
export function sentenceOf(step: Step, live: Pick<LiveStep, 'say'> | null): string {
  return otherNumberOf(step) ? t('windowJob.other.stop') : say(sentenceOfStep(step, live))
}

interface Scene {
  job: Pick<Job, 'steps'>
  now: number
}

/** The step that another one waits for. */
function awaitedBy(standing: Standing | undefined, { job }: Pick<Scene, 'job'>): Step | undefined {
  const wait = standing?.is === 'waits' && standing.for.what === 'step' ? standing.for : null
  return wait ? job.steps.find(({ id }) => id === wait.stepId) : undefined
}

/** How long a step still waits, in whole seconds; null if that is not known. */
export function waitS(standing: Standing | undefined, now: number): number | null {
  return standing?.is === 'waits' && standing.untilMs !== null ? secondsUntil(standing.untilMs, now) : null
}

/** What a step waits for that has not started, in a few words: "after Output 1", "in 25 s". */
export function waitOf(step: Pick<Step, 'kind'>, standing: Standing | undefined, scene: Scene): string {
  if (standing?.is === 'asks') return t('windowJob.waits.stopped')
  const awaited = awaitedBy(standing, scene)
  if (!awaited) return ''
  const forS = waitS(standing, scene.now)
  if (forS !== null) return t('windowJob.waits.in', { forS })
  return step.kind === 'signOff'
    ? t('windowJob.waits.afterRest')
    : t('windowJob.waits.after', { step: say(awaited.short ?? awaited.title) })
}

/** The same as a sentence: what starts, and for what it waits; empty for a step that waits for no other one. */
export function waitSentence(
  step: Pick<Step, 'kind' | 'title'>,
  standing: Standing | undefined,
  scene: Pick<Scene, 'job'>
): string {
  const awaited = awaitedBy(standing, scene)
  if (!awaited) return ''
  const names = { step: say(step.title), after: say(awaited.title) }
  if (step.kind === 'signOff') return t('windowJob.waits.signOff', names)
  if (awaited.kind === 'identity') return t('windowJob.waits.identity', names)
  return t(awaited.kind === 'externalPower' ? 'windowJob.waits.supply' : 'windowJob.waits.sentence', names)
}

/** What it means to start a waiting step now. */
export function startNowText(
  step: Pick<Step, 'kind'>,
  standing: Standing | undefined,
  scene: Pick<Scene, 'job'>
): string {
  const awaited = awaitedBy(standing, scene)
  if (!awaited) return ''
  if (awaited.kind === 'externalPower' && step.kind === 'output') return t('windowJob.waits.nowSupply')
  return awaited.state === 'running'
    ? t('windowJob.waits.nowRunning', { step: say(awaited.title) })
    : t('windowJob.waits.nowLater', { step: say(awaited.title) })
}

/** True for an ordered input that is not confirmed yet: the person may say that it is not wired. */
export function mayLeave({ isOrdered, cycles, wantedCycles, notWired, isChattering }: InputProof): boolean {
  return isOrdered && !notWired && (isChattering || cycles < wantedCycles)
}

/** What the person does for a running step, in a few words: "turn the key"; empty when the step needs nobody. */
export function actOf(
  step: Pick<Step, 'kind'>,
  live: (Pick<LiveStep, 'prompt' | 'act' | 'isWaiting'> & { isLost?: true }) | null | undefined
): string {
  return say(actOfStep(step, live))
}

/** Short acts that name their step: the button that leads there says the act; any other names the step. */
const tellingActs: readonly Prompt['kind'][] = ['imei', 'photo', 'lines', 'signOff']

/** What the button to another step says: the act that is next, or the title of the step. */
export function nextWords(
  step: Step,
  live: (Pick<LiveStep, 'prompt' | 'act' | 'isWaiting'> & { isLost?: true }) | null | undefined
): string {
  const isTelling = live?.prompt
    ? tellingActs.includes(live.prompt.kind)
    : step.kind === 'ignition' || step.kind === 'iButton' || step.kind === 'engineBus'
  return (isTelling && actOf(step, live)) || say(step.title)
}

/** What the button says that runs the step. */
export function runWords({ state, attempts }: Pick<Step, 'state' | 'attempts'>, main: MainAction): string {
  if (main === 'scanAgain') return t('windowJob.foot.scanAgain')
  return state === 'waiting' && attempts === 0 ? t('windowJobs.stage.run') : t('common.runAgain')
}

/** What the button says that leaves a step for the next one. */
export function leaveWords(step: Step, next: Step, nextLive: Parameters<typeof nextWords>[1]): string {
  return isFailed(step)
    ? t('windowJobs.stage.leave', { step: say(next.title) })
    : t('common.nextStep', { step: nextWords(next, nextLive) })
}

/** The age of values that are shown while the device does not answer. */
export function ageWhileLost(lostForMs: number): string {
  return t('windowJob.lost.age', { age: formatSeconds(Math.floor(lostForMs / 1000)) })
}
