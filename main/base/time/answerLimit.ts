const sliceMs = 200

/**
 * Calls `onOver` after `ms` in which an answer could have been taken. Time in which this thread was held (another
 * program has the data file, the computer slept) does not count, and an answer that has arrived is always taken first:
 * nobody was silent because Fitter did not listen. Returns how to end the wait.
 */
export function limitAnswer(ms: number, onOver: () => void): () => void {
  let leftMs = ms
  let timer: NodeJS.Timeout | undefined
  let last: NodeJS.Immediate | undefined
  const waitOn = (): void => {
    const thisMs = Math.min(leftMs, sliceMs)
    timer = setTimeout(() => {
      leftMs -= thisMs
      if (leftMs > 0) waitOn()
      else last = setImmediate(onOver)
    }, thisMs)
  }
  waitOn()
  return () => {
    clearTimeout(timer)
    clearImmediate(last)
  }
}
