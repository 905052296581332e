import type { InputProof } from '../../../preload/contract/jobs/jobSeen.ts'
import type { LiveStep, Prompt, Step } from '../../../preload/contract/jobs/jobs.ts'
import { actOfStep, sentenceOfStep } from '../../../preload/jobs/stepWords.ts'
import { say } from '../../say.ts'
import { t } from '../../texts.ts'
import { otherNumberOf } from './stage.ts'

/** The one sentence of a step: the core's while it runs, before that the coming question, afterwards the result. */
export function sentenceOf(step: Step, live: Pick<LiveStep, 'say'> | null): string {
  return otherNumberOf(step) ? t('windowJob.other.stop') : say(sentenceOfStep(step, live))
}

/** True for an ordered input that is not confirmed yet: the person may say that it is not wired. */
export function mayLeave({ isOrdered, cycles, wantedCycles, notWired, isChattering }: InputProof): boolean {
  return isOrdered && !notWired && (isChattering || cycles < wantedCycles)
}

/** What the person does for a running step, in a few words: "turn the key"; empty when the step needs nobody. */
export function actOf(step: Pick<Step, 'kind'>, live: Pick<LiveStep, 'prompt' | 'act' | 'isWaiting'> | null | undefined): string {
  return say(actOfStep(step, live))
}

/** Short acts that name their step: the button that leads there says the act; any other names the step. */
const tellingActs: readonly Prompt['kind'][] = ['imei', 'photo', 'lines', 'signOff']

/** What the button to another step says: the act that is next, or the title of the step. */
export function nextWords(step: Step, live: Pick<LiveStep, 'prompt' | 'act' | 'isWaiting'> | null | undefined): string {
  const isTelling = live?.prompt ? tellingActs.includes(live.prompt.kind) : step.kind === 'ignition' || step.kind === 'iButton' || step.kind === 'engineBus'
  return (isTelling && actOf(step, live)) || say(step.title)
}
