import { createTexts } from '../../../main/base/messages/texts.ts'
import type { LiveStep, Step } from '../../../preload/contract/job/jobs.ts'
import type { StepKind, StepOf, TemplateStep } from '../../../preload/contract/job/steps/index.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { plainMessage, type Message } from '../../../preload/contract/messages.ts'

const texts = createTexts({ language: 'en', units: 'metric', timeZone: 'UTC' })

/** What a message says in English, in metric units and UTC. */
export function english(message: Message): string {
  return texts.say(message)
}

export function orNothing(message: Message | null): string {
  return message === null ? '' : english(message)
}

/** The failure of a call, with its sentence in English words; fails when the call succeeds. */
export async function failureInWords(call: Promise<unknown>): Promise<{ code: string; words: string }> {
  const error = await call.then(
    () => undefined,
    (failure: unknown) => failure
  )
  if (!(error instanceof AppError)) throw new Error('The call did not fail as expected', { cause: error })
  return { code: error.code, words: english(error.sentence) }
}

/** A step as a person reads it. */
export function stepInWords(step: Step) {
  return {
    ...step,
    title: english(step.title),
    instruction: english(step.instruction),
    summary: orNothing(step.summary),
    remedy: orNothing(step.remedy),
    lastResult: step.lastResult && {
      ...step.lastResult,
      summary: orNothing(step.lastResult.summary),
      remedy: orNothing(step.lastResult.remedy)
    },
    evidence: step.evidence.map((seen) => ({ ...seen, what: english(seen.what) }))
  }
}
export type StepInWords = ReturnType<typeof stepInWords>

/** A running step as a person reads it. */
export function liveInWords(live: LiveStep) {
  return {
    ...live,
    say: english(live.say),
    hint: orNothing(live.hint),
    prompt: live.prompt && { ...live.prompt, text: english(live.prompt.text) }
  }
}
export type LiveInWords = ReturnType<typeof liveInWords>

/** A step of a checklist, in words. */
export function stepOfWords<Kind extends StepKind>(
  step: Omit<StepOf<Kind>, 'title' | 'instruction'> & { kind: Kind; title: string; instruction: string }
): TemplateStep {
  return {
    ...step,
    title: plainMessage(step.title),
    instruction: plainMessage(step.instruction)
  } as unknown as TemplateStep
}
