import type { Pulled } from '../../../preload/contract/teamHolding.ts'
import { t } from '../../texts.ts'
import { useToasts } from '../app/toasts.store.ts'
import { useJobs } from '../jobs/jobs.store.ts'

/** Jobs came through the team log by themselves, or somebody else has taken them over: it is said, and what is shown is read again. */
export function takePulled({ arrived, lost }: Pick<Pulled, 'arrived' | 'lost'>): void {
  const toasts = useToasts()
  const jobs = useJobs()
  for (const { from, jobs: came } of arrived) toasts.say(t('windowTeamHolding.came', { n: came.length, from }))
  for (const [by, theirs] of Map.groupBy(lost, (one) => one.by)) toasts.say(t('windowTeamHolding.lostNow', { n: theirs.length, by }))
  const touched = [...arrived.flatMap((taken) => taken.jobs.map(({ id }) => id)), ...lost.map(({ jobId }) => jobId)]
  jobs.loadOpen().catch(toasts.sayFailure)
  if (jobs.job && touched.includes(jobs.job.id)) jobs.show(jobs.job.id).catch(toasts.sayFailure)
}
