/** The time limit of a command. The time in which a person thinks about a question does not count. */
export type TimeLimit = ReturnType<typeof startTimeLimit>

/** Calls `reached` once, when `limitMs` are over. */
export function startTimeLimit(limitMs: number, reached: () => void) {
  let leftMs = limitMs
  let startedMs = performance.now()
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  const resume = (): void => {
    stop()
    startedMs = performance.now()
    timer = setTimeout(reached, Math.max(0, leftMs))
  }
  resume()
  return {
    stop,
    resume,
    pause(): void {
      if (timer === undefined) return
      stop()
      leftMs -= performance.now() - startedMs
    }
  }
}
