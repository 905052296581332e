import type { InputProof } from '../../../preload/contract/jobs/jobSeen.ts'
import type { LiveStep, Prompt, Step } from '../../../preload/contract/jobs/jobs.ts'
import { say } from '../../say.ts'
import { t } from '../../texts.ts'
import { needsPerson, otherNumberOf } from './stage.ts'

/** The one sentence of a step: the core's while it runs, before that the coming question, afterwards the result. */
export function sentenceOf(step: Step, live: Pick<LiveStep, 'say'> | null): string {
  if (otherNumberOf(step)) return t('windowJob.other.stop')
  if (step.state === 'running') return say(live?.say ?? step.instruction)
  if (step.state === 'waiting' || step.state === 'deferred') return say(step.instruction)
  // "Yes" says nothing without its question.
  if (step.kind === 'question') return say(step.instruction)
  return say(step.summary ?? step.title)
}

/** True for an ordered input that is not confirmed yet: the person may say that it is not wired. */
export function mayLeave({ isOrdered, cycles, wantedCycles, notWired, isChattering }: InputProof): boolean {
  return isOrdered && !notWired && (isChattering || cycles < wantedCycles)
}

const promptActs = {
  imei: 'scan',
  yesNo: 'confirm',
  value: 'value',
  text: 'answer',
  choice: 'choose',
  ready: 'answer',
  photo: 'photos',
  picture: 'confirm',
  choose: 'choose',
  lines: 'inputs',
  arm: 'arm',
  effect: 'answer',
  signOff: 'sign'
} as const satisfies Record<Prompt['kind'], string>

/** What the person does for a running step, in a few words: "turn the key"; empty when the step needs nobody. */
export function actOf({ kind }: Pick<Step, 'kind'>, live: Pick<LiveStep, 'prompt' | 'act' | 'isWaiting'> | null | undefined): string {
  if (!live || !needsPerson(live)) return ''
  const { prompt, act } = live
  if (prompt?.kind === 'choose' && prompt.suggested) return t('windowStage.act.confirm')
  if (prompt) return t(`windowStage.act.${promptActs[prompt.kind]}`)
  if (act?.id === 'ignition.startEngine' || act?.id === 'engineBus.startEngine') return t('windowStage.act.engine')
  if (kind === 'ignition') return t('windowStage.act.key')
  if (kind === 'iButton') return t('windowStage.act.fob')
  return kind === 'output' ? t('windowStage.act.conditions') : say(act)
}

/** Short acts that name their step: the button that leads there says the act; any other names the step. */
const tellingActs: readonly Prompt['kind'][] = ['imei', 'photo', 'lines', 'signOff']

/** What the button to another step says: the act that is next, or the title of the step. */
export function nextWords(step: Step, live: Pick<LiveStep, 'prompt' | 'act' | 'isWaiting'> | null | undefined): string {
  const isTelling = live?.prompt ? tellingActs.includes(live.prompt.kind) : step.kind === 'ignition' || step.kind === 'iButton' || step.kind === 'engineBus'
  return (isTelling && actOf(step, live)) || say(step.title)
}
