import { AppError, type Fate } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'

/** The queue in front of a device, a small computer that answers few requests at a time. */
export type DeviceQueue = ReturnType<typeof createDeviceQueue>

interface Waiting {
  alone: boolean
  start: () => void
}

const maxInFlight = 4

export function createDeviceQueue() {
  const waiting: Waiting[] = []
  let running = 0
  let isAloneRunning = false
  let answeredAtMs = -Infinity

  function advance(): void {
    for (let next = waiting[0]; next; next = waiting[0]) {
      if (isAloneRunning || running >= maxInFlight || (next.alone && running > 0)) return
      waiting.shift()
      running += 1
      isAloneRunning = next.alone
      next.start()
    }
  }

  return {
    /** An answer of the device arrived. */
    answered(): void {
      answeredAtMs = performance.now()
    },
    /** Whether the device answered anything since then, by the monotonic clock. */
    hasAnsweredSince: (atMs: number): boolean => answeredAtMs > atMs,
    /**
     * Runs `work` when its turn comes: four at a time, a change alone. Overtaking (an output off, and its proof) starts
     * at once.
     */
    run<T>(
      work: () => Promise<T>,
      {
        alone,
        overtakes = false,
        signal
      }: { alone: boolean; overtakes?: boolean | undefined; signal?: AbortSignal | undefined }
    ): Promise<T> {
      if (overtakes) return signal?.aborted ? Promise.reject(cancelledCall()) : work()
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          const index = waiting.indexOf(entry)
          if (index >= 0) waiting.splice(index, 1)
          reject(cancelledCall())
          advance()
        }
        const entry: Waiting = {
          alone,
          start: () => {
            signal?.removeEventListener('abort', leave)
            work()
              .then(resolve, reject)
              .finally(() => {
                running -= 1
                if (alone) isAloneRunning = false
                advance()
              })
          }
        }
        if (signal?.aborted) return reject(cancelledCall())
        signal?.addEventListener('abort', leave, { once: true })
        waiting.push(entry)
        advance()
      })
    }
  }
}

/** Nothing has been sent while it waits in the queue. */
export function cancelledCall(fate: Fate = 'notSent'): AppError {
  return new AppError('CANCELLED', message('device.cancelled'), { fate })
}
