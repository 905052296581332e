import { asMessage, message, type Message } from '../contract/messages.ts'
import type { JobState, LiveStep, Prompt, Step, StepState } from '../contract/job/jobs.ts'

/** `isLost`: for a front end, see `HeardStep`. */
type Asking = Pick<LiveStep, 'prompt' | 'act' | 'isWaiting'> & { isLost?: true }

/** The word of a step's state. Sent is not passed, and a step that waits for its device is not running. */
export function stepWord(
  { state, isSent }: Pick<Step, 'state' | 'isSent'>,
  live?: Pick<LiveStep, 'isWaiting'> | null
): StepState | 'sent' {
  if (state === 'running' && live?.isWaiting) return 'waiting'
  return isSent && state === 'pass' ? 'sent' : state
}

/** True when the job is closed: further work needs a new job. */
export function isClosed(state: JobState): boolean {
  return state === 'done' || state === 'installedAwaitingGateway' || state === 'cancelled'
}

/**
 * True for a step that needs the person to continue: an answer, or an action. While the device is lost nothing helps.
 */
export function needsPerson(live: Asking | null | undefined): boolean {
  return !live?.isWaiting && !live?.isLost && Boolean(live?.prompt ?? live?.act)
}

/** The one sentence of a step: the core's while it runs, before that the coming question, afterwards the result. */
export function sentenceOfStep(
  { kind, state, instruction, summary, title }: Pick<Step, 'kind' | 'state' | 'instruction' | 'summary' | 'title'>,
  live: Pick<LiveStep, 'say'> | null
): Message {
  if (state === 'running') return asMessage(live?.say ?? instruction)
  // "Yes" says nothing without its question.
  if (state === 'waiting' || state === 'deferred' || kind === 'question') return asMessage(instruction)
  return asMessage(summary ?? title)
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

/** What the person does for a running step, in a few words: "turn the key"; null when the step needs nobody. */
export function actOfStep({ kind }: Pick<Step, 'kind'>, live: Asking | null | undefined): Message | null {
  if (!live || !needsPerson(live)) return null
  const { prompt, act } = live
  if (prompt?.kind === 'choose' && prompt.suggested) return message('windowStage.act.confirm')
  if (prompt) return message(`windowStage.act.${promptActs[prompt.kind]}`)
  if (act?.id === 'ignition.startEngine' || act?.id === 'engineBus.startEngine')
    return message('windowStage.act.engine')
  if (kind === 'ignition') return message('windowStage.act.key')
  if (kind === 'iButton') return message('windowStage.act.fob')
  if (kind !== 'output') return act ?? null
  const todo = act?.values['todo']
  const isEngine = typeof todo === 'object' && todo !== null && 'id' in todo && todo.id === 'outputs.todo.engineOff'
  return message(isEngine ? 'windowStage.act.engineOff' : 'windowStage.act.conditions')
}
