/** Resolves after `ms`; rejects with the signal's reason when the signal fires. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const stopped = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stopped)
      resolve()
    }, ms)
    signal.addEventListener('abort', stopped, { once: true })
  })
}

/** Resolves after `ms`, or when the signal fires: for loops that check the signal themselves. */
export function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(end, ms)
    function end(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
  })
}

/** Waits for all of them, then throws the first failure: none may continue unnoticed. */
export async function allEnded(work: readonly (Promise<void> | undefined)[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}

/** Waits for `work`, but at most this long; a failure of it is thrown. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  try {
    await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  } finally {
    clearTimeout(timer)
  }
}

/** Fires with the first of them that is there; undefined without any. */
export function firstOf(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const present = signals.filter((one) => one !== undefined)
  return present.length > 1 ? AbortSignal.any(present) : present[0]
}

/** `answer`, or the signal's reason if the signal fires first. */
export function orAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopped = () => reject(signal.reason as Error)
    if (signal.aborted) stopped()
    signal.addEventListener('abort', stopped, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stopped))
  })
}
