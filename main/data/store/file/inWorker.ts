import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { openThread } from '../../../base/threads/thread.ts'
import type { DataWork, DataWorkResults } from './dataWork.ts'
import type { Progress } from './progress.ts'

export interface WorkOptions {
  /** Stops the work; the caller removes the incomplete file. */
  signal?: AbortSignal | undefined
  progress?: Progress | undefined
}

/** Runs a task on a data file in a separate thread. Throws the task's errors, and CANCELLED when it was stopped. */
export async function inWorker<Work extends DataWork>(
  work: Work,
  { signal, progress }: WorkOptions = {}
): Promise<DataWorkResults[Work['task']]> {
  const thread = openThread<Work, DataWorkResults[Work['task']], { done: number; total: number }>(
    'dataWorker',
    import.meta.url
  )
  try {
    return await thread.ask(work, { signal, onNews: ({ done, total }) => progress?.(done, total) })
  } catch (error) {
    throw signal?.aborted ? new AppError('CANCELLED', message('store.checkStopped')) : error
  } finally {
    await thread.close()
  }
}
