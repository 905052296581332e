import type { Pulled, TeamTaking } from '../../../../preload/contract/team/teamHolding.ts'
import { say } from '../../../say.ts'
import { t } from '../../../texts.ts'
import { useToasts } from '../../../shell/toasts.store.ts'
import { useJobs } from '../../job/jobs.store.ts'
import { useTeamHolding } from './teamHolding.store.ts'

/** Jobs arrived through the team log automatically, or someone else took some over: shows a note and reloads. */
export function takePulled({ arrived, lost }: Pick<Pulled, 'arrived' | 'lost'>): void {
  const toasts = useToasts()
  const jobs = useJobs()
  for (const { from, jobs: came } of arrived) toasts.say(t('windowTeamHolding.came', { n: came.length, from }))
  for (const [by, theirs] of Map.groupBy(lost, (one) => one.by)) toasts.say(t('windowTeamHolding.lostNow', { n: theirs.length, by }))
  const touched = [...arrived.flatMap((taken) => taken.jobs.map(({ id }) => id)), ...lost.map(({ jobId }) => jobId)]
  jobs.loadOpen().catch(toasts.sayFailure)
  if (jobs.job && touched.includes(jobs.job.id)) jobs.show(jobs.job.id).catch(toasts.sayFailure)
}

/** The progress of a take-over started in any window; a note shows the result if no screen waits for it. */
export function takeTaking(taking: TeamTaking): void {
  const isFollowed = useTeamHolding().take(taking)
  if (taking.taken) takePulled({ arrived: [taking.taken], lost: [] })
  else if (taking.why && !isFollowed) useToasts().say(say(taking.why))
}
