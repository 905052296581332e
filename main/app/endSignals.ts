/** Closing the terminal must not leave an output on. `SIGBREAK` is Ctrl+Break on Windows. */
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGBREAK'] as const

/** The longest end: the proof of "off", a last attempt, and the report of what is left. */
export const endLimitMs = 45_000

/**
 * A launcher passes on what the terminal has already sent to all its programs: within this time it is the same wish.
 */
const sameWishMs = 1_000

/**
 * The first signal ends everything in order (an output that is on goes off first), a later one at once. Returns how to
 * stop listening.
 */
export function onEndSignal(end: () => void): () => void {
  let firstMs: number | undefined
  const hear = (signal: NodeJS.Signals): void => {
    const nowMs = performance.now()
    if (firstMs === undefined) {
      firstMs = nowMs
      return end()
    }
    if (nowMs - firstMs < sameWishMs) return
    stop()
    process.kill(process.pid, signal)
  }
  const stop = (): void => {
    for (const signal of endSignals) process.off(signal, hear)
  }
  for (const signal of endSignals) process.on(signal, hear)
  return stop
}

/**
 * Ctrl+Z: a stopped process switches nothing off, so it does that first and stops afterwards. Another Ctrl+Z in between
 * changes nothing, because `outputsOff` has a limit of its own. Returns how to stop listening.
 */
export function onSuspendSignal(outputsOff: () => Promise<void>): () => void {
  let isGoing = false
  const hear = (): void => {
    if (isGoing) return
    isGoing = true
    outputsOff()
      .then(suspend, suspend)
      .finally(() => (isGoing = false))
  }
  process.on('SIGTSTP', hear)
  return () => void process.off('SIGTSTP', hear)
}

/** The launcher that waits for this process stops too: otherwise the terminal would wait for both. */
function suspend(): void {
  if (Number(process.env['FITTER_LAUNCHER']) === process.ppid) process.kill(process.ppid, 'SIGSTOP')
  process.kill(process.pid, 'SIGSTOP')
}
