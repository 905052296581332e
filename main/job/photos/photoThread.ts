import { message } from '../../../preload/contract/messages.ts'
import { openThread } from '../../base/threads/thread.ts'
import type { PhotoAnswer, PhotoInput } from './preparePhoto.ts'

/** Longer than the largest picture takes on a slow computer. */
const limitMs = 60_000
/** A thread that is idle for this long is ended. */
const idleMs = 30_000

/** A thread that prepares one picture after the other. */
export function openPhotoThread() {
  const thread = openThread<PhotoInput, PhotoAnswer>('photoWorker', import.meta.url, {
    idleMs,
    resourceLimits: { maxOldGenerationSizeMb: 1_500 }
  })
  return {
    /** A picture that takes too long, or crashes the thread, is refused; the next one gets a new thread. */
    async prepare(input: PhotoInput): Promise<PhotoAnswer> {
      // As its makers ask: a library that only threads have loaded is unloaded with them, even while it still ends its
      // work.
      await import('sharp')
      try {
        return await thread.ask(input, { limitMs })
      } catch (error) {
        // A picture that needs more memory than any valid one is unreadable.
        const { name, code } = error as NodeJS.ErrnoException
        if (name !== 'TimeoutError' && code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
        return { outcome: 'refused', reason: message('photos.unreadable') }
      }
    },
    close: thread.close
  }
}
