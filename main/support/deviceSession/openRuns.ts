import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'

interface OpenRun<Shown> {
  shown: Shown
  abort: AbortController
  /** Resolves when no request of the run is out. */
  ended: Promise<void>
}

const keptRuns = 20

/** The latest runs: each can be shown and stopped while it changes devices, and remains readable afterwards. */
export function createOpenRuns<Shown extends { id: string }, Run extends OpenRun<Shown>>(
  isRunning: (run: Run) => boolean
) {
  const runs = new Map<string, Run>()

  function find(id: string): Run {
    const run = runs.get(id)
    if (!run) throw new AppError('NOT_FOUND', message('workspace.runUnknown'))
    return run
  }

  /** How a run is when it has ended. */
  async function ended(id: string): Promise<Shown> {
    const run = find(id)
    await run.ended
    return structuredClone(run.shown)
  }

  return {
    find,
    ended,
    add(run: Run): void {
      for (const [id, old] of runs) if (runs.size >= keptRuns && !isRunning(old)) runs.delete(id)
      runs.set(run.shown.id, run)
    },
    some: (is: (run: Run) => boolean) => [...runs.values()].some(is),
    /** Latest first. */
    list: (): Shown[] => [...runs.values()].map(({ shown }) => structuredClone(shown)).reverse(),
    /** A request that is out is allowed to finish: if it were aborted, its effect would be unknown. */
    async stop(id: string): Promise<Shown> {
      find(id).abort.abort()
      return ended(id)
    },
    /** Stops all runs; resolves when no request is out. */
    async close(): Promise<void> {
      for (const run of runs.values()) run.abort.abort()
      await Promise.all([...runs.values()].map((run) => run.ended))
    }
  }
}
