import { Worker } from 'node:worker_threads'
import { message } from '../../../preload/contract/messages.ts'
import type { PhotoAnswer, PhotoInput } from './preparePhoto.ts'

/** A TypeScript file when run from the sources; beside the bundle in the built application. */
const workerFile = new URL(import.meta.url.endsWith('.ts') ? './photoWorker.ts' : './photoWorker.mjs', import.meta.url)

/** Longer than the largest picture takes on a slow computer. */
const limitMs = 60_000
/** A thread that is idle for this long is ended. */
const idleMs = 30_000

/** A thread that prepares one picture after the other. */
export function openPhotoThread() {
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined

  async function close(): Promise<void> {
    clearTimeout(idle)
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }

  async function prepareNow(input: PhotoInput): Promise<PhotoAnswer> {
    clearTimeout(idle)
    // As its makers ask: a library that only threads have loaded is unloaded with them, even while it still ends its
    // work.
    await import('sharp')
    const thread = (worker ??= new Worker(workerFile, { resourceLimits: { maxOldGenerationSizeMb: 1_500 } }))
    let timer: NodeJS.Timeout | undefined
    let release = () => {}
    try {
      const answer = await new Promise<PhotoAnswer | undefined>((resolve, reject) => {
        // A picture that needs more memory than any valid one is unreadable.
        const failed = (error: NodeJS.ErrnoException) =>
          error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(undefined) : reject(error)
        const exit = () => reject(new Error('The thread that prepares pictures ended without an answer'))
        thread.once('message', resolve).once('error', failed).once('exit', exit)
        release = () => void thread.off('message', resolve).off('error', failed).off('exit', exit)
        timer = setTimeout(() => resolve(undefined), limitMs)
        thread.postMessage(input)
      })
      if (!answer) await close()
      else idle = setTimeout(() => void close(), idleMs).unref()
      return answer ?? { outcome: 'refused', reason: message('photos.unreadable') }
    } catch (error) {
      await close()
      throw error
    } finally {
      clearTimeout(timer)
      release()
    }
  }

  return {
    /** A picture that takes too long, or crashes the thread, is refused; the next one gets a new thread. */
    prepare(input: PhotoInput): Promise<PhotoAnswer> {
      const answer = last.then(() => prepareNow(input))
      last = answer.catch(() => undefined)
      return answer
    },
    close
  }
}
