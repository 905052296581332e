import { Worker } from 'node:worker_threads'
import { AppError, type ErrorData } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { DataWork, DataWorkResults } from './dataWork.ts'
import type { Progress } from './progress.ts'

export interface WorkOptions {
  /** Stops the work; the caller removes the incomplete file. */
  signal?: AbortSignal | undefined
  progress?: Progress | undefined
}

/** A TypeScript file when run from the sources; beside the bundle in the built application. */
const workerFile = new URL(import.meta.url.endsWith('.ts') ? './dataWorker.ts' : './dataWorker.mjs', import.meta.url)

/** Runs a task on a data file in a separate thread. Throws the task's errors, and CANCELLED when it was stopped. */
export function inWorker<Work extends DataWork>(
  work: Work,
  { signal, progress }: WorkOptions = {}
): Promise<DataWorkResults[Work['task']]> {
  return new Promise((resolve, reject) => {
    const stopped = () => new AppError('CANCELLED', message('store.checkStopped'))
    if (signal?.aborted) return reject(stopped())
    const worker = new Worker(workerFile, { workerData: work })
    let isEnding = false
    const end = (then: () => void) => {
      isEnding = true
      signal?.removeEventListener('abort', stop)
      worker.terminate().then(then, reject)
    }
    const stop = () => end(() => reject(stopped()))
    signal?.addEventListener('abort', stop)
    worker.on(
      'message',
      (
        answer: { done: number; total: number } | { result: DataWorkResults[Work['task']] } | { failure: ErrorData }
      ) => {
        if ('done' in answer) return progress?.(answer.done, answer.total)
        if ('failure' in answer)
          return end(() =>
            reject(new AppError(answer.failure.code, answer.failure.message, { retryable: answer.failure.retryable }))
          )
        end(() => resolve(answer.result))
      }
    )
    worker.on('error', (error) => end(() => reject(error)))
    worker.on('exit', () => {
      if (!isEnding) reject(new Error('The thread that looked the data over ended without an answer'))
    })
  })
}
