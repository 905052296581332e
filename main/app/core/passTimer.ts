import type { PassTimes } from '../../gateway/waitingWork/stories/nextMove.ts'

export interface PassTimerOptions {
  /** The longest time after the pass before. */
  everyMs: number
  run(): Promise<void>
  /** When an operation can move; undefined when nothing waits only for time. */
  nextMoveInMs(): number | undefined
  monotonicMs?: () => number
}

export type PassTimer = ReturnType<typeof createPassTimer>

/** The shortest time between passes. */
const leastPauseMs = 1_000

export function createPassTimer({
  everyMs,
  run,
  nextMoveInMs,
  monotonicMs = () => performance.now()
}: PassTimerOptions) {
  let timer: NodeJS.Timeout | undefined
  let dueMs = 0
  let isRunning = false
  let isWanted = false
  let isStopped = false

  function arm(): void {
    const inMs = Math.max(leastPauseMs, Math.min(everyMs, nextMoveInMs() ?? everyMs))
    dueMs = monotonicMs() + inMs
    clearTimeout(timer)
    timer = setTimeout(() => void go(), inMs)
  }

  async function go(): Promise<void> {
    if (isStopped) return
    if (isRunning) {
      isWanted = true
      return
    }
    isRunning = true
    try {
      do {
        isWanted = false
        await run()
      } while (isWanted && !isStopped)
    } finally {
      isRunning = false
      if (!isStopped) arm()
    }
  }

  arm()
  return {
    /** Runs a pass now, or again after the running one. */
    soon: (): void => void go(),
    times: (): PassTimes => ({ nextInMs: isRunning ? 0 : Math.max(0, dueMs - monotonicMs()), everyMs }),
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    }
  }
}
