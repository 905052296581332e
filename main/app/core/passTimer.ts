import type { PassTimes } from '../../gateway/waitingWork/stories/nextMove.ts'

export interface PassTimerOptions {
  /** The longest time after the pass before. */
  everyMs: number
  run(): Promise<void>
  /** When an operation can move; undefined when nothing waits only for time. */
  nextMoveInMs(): number | undefined
  /** Nobody waits for a pass: its failure is reported, and the next pass runs at its time. */
  reportFault(error: unknown): void
  monotonicMs?: () => number
}

export type PassTimer = ReturnType<typeof createPassTimer>

/** The shortest time between passes. */
const leastPauseMs = 1_000

export function createPassTimer({
  everyMs,
  run,
  nextMoveInMs,
  reportFault,
  monotonicMs = () => performance.now()
}: PassTimerOptions) {
  let timer: NodeJS.Timeout | undefined
  let dueMs = 0
  let isRunning = false
  let isWanted = false
  let isStopped = false

  function nextMove(): number {
    try {
      return nextMoveInMs() ?? everyMs
    } catch (error) {
      reportFault(error)
      return everyMs
    }
  }

  function arm(): void {
    const inMs = Math.max(leastPauseMs, Math.min(everyMs, nextMove()))
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
    } catch (error) {
      reportFault(error)
    }
    isRunning = false
    if (!isStopped) arm()
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
