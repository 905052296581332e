import type { ListedJob, StepCounts } from '../../../preload/contract/job/jobs.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import { vehicleNameOf } from '../../../preload/job/vehicleName.ts'
import { say } from '../say.ts'
import { t } from '../texts.ts'
import type { Shape } from '../ui/status.ts'
import { jobShapes } from './jobStage.ts'

/** The data for a job's state: a job in a list, or the one on the screen. */
export interface StandingJob extends Pick<ListedJob, 'state' | 'counts'> {
  /** Connected to its device now. */
  isActive: boolean
  /** Its log cannot be read. */
  isDamaged?: boolean
}

/**
 * The state of a job as shape and word: a job with skipped steps is never green, and a job without activity is paused.
 */
export function jobStanding({ state, counts, isActive, isDamaged }: StandingJob): { shape: Shape; text: string } {
  if (isDamaged) return { shape: 'unknown', text: t('windowJobs.job.damaged') }
  if (state === 'running' && !isActive) return { shape: 'wait', text: t('common.paused') }
  const skipped = counts?.waived ?? 0
  if (state === 'done' && skipped > 0) return { shape: 'waived', text: t('windowJobs.job.doneSkipped', { n: skipped }) }
  return { shape: jobShapes[state], text: t(`windowJobs.job.state.${state}`) }
}

/** "10 passed, 2 skipped, 1 not applicable": the result of a job, each state separately. */
export function countsText(counts: StepCounts): string {
  const open = counts.waiting + counts.running
  const failed = counts.fail + counts.unreadable
  return [
    t('windowJobs.counts.pass', { n: counts.pass }),
    counts.warn > 0 ? t('windowJobs.counts.warn', { n: counts.warn }) : '',
    counts.sent > 0 ? t('windowJobs.counts.sent', { n: counts.sent }) : '',
    (counts.received ?? 0) > 0 ? t('windowJobs.counts.received', { n: counts.received ?? 0 }) : '',
    counts.waived > 0 ? t('common.nSkipped', { n: counts.waived }) : '',
    failed > 0 ? t('common.nFailedJob', { n: failed }) : '',
    counts.deferred > 0 ? t('common.nForTheGateway', { n: counts.deferred }) : '',
    counts.notApplicable > 0 ? t('windowJobs.counts.notApplicable', { n: counts.notApplicable }) : '',
    open > 0 ? t('windowJobs.counts.open', { n: open }) : ''
  ]
    .filter((part) => part !== '')
    .join(', ')
}

interface NamedJob {
  vehicle: { name: string; plate?: string | null | undefined } | null
  vehicleText?: string | undefined
  template: { name: Message }
  customer: string
}

/** The vehicle is the name of a job; its checklist takes that place until there is one. */
export function jobTitle(job: Pick<NamedJob, 'vehicle' | 'vehicleText' | 'template'>): string {
  return vehicleNameOf(job) || say(job.template.name)
}

/** What stands under the name: plate, checklist and customer. */
export function jobSub(job: NamedJob): string {
  const checklist = vehicleNameOf(job) === '' ? '' : say(job.template.name)
  return [job.vehicle?.plate ?? '', checklist, job.customer].filter((part) => part !== '').join(' · ')
}
