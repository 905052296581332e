import type { InputProof } from '../../../preload/contract/jobs/jobSeen.ts'
import type { LiveStep, Step } from '../../../preload/contract/jobs/jobs.ts'
import { say } from '../../say.ts'
import { t } from '../../texts.ts'
import { otherNumberOf } from './stage.ts'

/** The one sentence of a step: the core's while it runs, before that the coming question, afterwards the result. */
export function sentenceOf(step: Step, live: Pick<LiveStep, 'say'> | null): string {
  if (otherNumberOf(step)) return t('windowJob.other.stop')
  if (step.state === 'running') return say(live?.say ?? step.instruction)
  if (step.state === 'waiting' || step.state === 'deferred') return say(step.instruction)
  return say(step.summary ?? step.title)
}

/** True for an ordered input that is not confirmed yet: the person may say that it is not wired. */
export function mayLeave({ isOrdered, cycles, wantedCycles, notWired, isChattering }: InputProof): boolean {
  return isOrdered && !notWired && (isChattering || cycles < wantedCycles)
}
