import type { ListedJob } from '../../../preload/contract/job/jobs.ts'
import { goTo } from './router.ts'
import { useToasts } from './toasts.store.ts'
import { useJobs } from './jobs.store.ts'

/** Opens a job and continues it. */
export async function goOnWith({ id, isActive }: Pick<ListedJob, 'id' | 'isActive'>): Promise<void> {
  const jobs = useJobs()
  const toasts = useToasts()
  goTo('job', id)
  if (isActive) return
  try {
    await jobs.show(id)
    await jobs.start(id)
  } catch (cause) {
    // The job is open; its screen explains why it does not continue.
    toasts.sayFailure(cause)
  }
}
