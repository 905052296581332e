import type { Evidence, Job, Step } from '../../../preload/contract/jobs.ts'
import { isFailed } from '../jobs/stage.ts'

/** What was seen in all steps, newest first. */
export function newestSeen(job: Job, most: number): Evidence[] {
  return job.steps
    .flatMap(({ evidence }) => evidence)
    .sort((a, b) => b.at.localeCompare(a.at) || b.seq - a.seq)
    .slice(0, most)
}

/** The step that somebody who looks from afar has to know of: one that failed, else one that was skipped, else the one under way. */
export function tellingStep({ steps }: Pick<Job, 'steps'>): Step | null {
  return steps.find(isFailed) ?? steps.find(({ state }) => state === 'running') ?? steps.find(({ state }) => state === 'waived') ?? null
}
