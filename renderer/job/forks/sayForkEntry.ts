import type { Job } from '../../../preload/contract/job/jobs.ts'
import { say } from '../../base/say.ts'
import { t } from '../../base/texts.ts'
import type { ForkEntry } from './alignEntries.ts'

/** An entry of a log in words: its step, and what it says or what kind it is. */
export function sayForkEntry({ what, stepId, type }: ForkEntry, steps: Job['steps']): string {
  const step = steps.find(({ id }) => id === stepId)
  return [step ? say(step.title) : '', what ? say(what) : t('windowTeamForks.entry', { type })]
    .filter((part) => part !== '')
    .join(': ')
}
