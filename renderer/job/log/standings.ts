import type { JobStanding } from '../../../preload/contract/job/jobLog.ts'
import type { ListedJob } from '../../../preload/contract/job/jobs.ts'
import { t } from '../../base/texts.ts'
import type { Shape } from '../../base/ui/status.ts'
import { jobShapes } from '../../base/shell/jobStage.ts'

/** In the order of a job's life. */
export const standings: readonly JobStanding[] = [
  'draft',
  'running',
  'installedAwaitingGateway',
  'done',
  'doneSkipped',
  'failed',
  'cancelled'
]

/** The state of a job as a short word for a row; with a shape, because colour alone is not enough. */
export function rowStanding({
  state,
  counts,
  isActive,
  damage,
  handedOver
}: Pick<ListedJob, 'state' | 'counts' | 'isActive' | 'damage' | 'handedOver'>): { shape: Shape; text: string } {
  if (damage) return { shape: 'unknown', text: t('windowJobs.job.damaged') }
  if (handedOver) return { shape: 'none', text: t('windowTransfers.away.label') }
  if (state === 'running' && !isActive) return { shape: 'wait', text: t('common.paused') }
  if (state === 'done' && (counts?.waived ?? 0) > 0)
    return { shape: 'waived', text: t('windowLog.standing.doneSkipped') }
  return { shape: jobShapes[state], text: t(`windowLog.standing.${state}`) }
}
