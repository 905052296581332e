import { AppError } from '../../preload/contract/errors.ts'
import type { Message } from '../../preload/contract/messages.ts'
import type { TeamWork } from '../../preload/contract/team.ts'
import type { Team } from './team.ts'

export interface BackgroundParts {
  team: Team
  changed(work: TeamWork): void
  reportFault(error: unknown): void
  /** What comes within this time goes in one push. */
  gatherMs?: number
  /** How long is waited after failures in a row; the last one from then on. */
  pausesMs?: readonly number[]
}

export interface TeamBackground {
  work(): TeamWork
  /** Something was written to a log. */
  soon(): void
  /** Pushes what waits, and resolves when it ended, however it ended. */
  pushNow(): Promise<void>
  stop(): Promise<void>
}

const standardPausesMs = [5_000, 15_000, 60_000, 300_000]

/** Pushes by itself: soon after something was written, and again after a while where it did not work. Jobs know nothing of it. */
export function createTeamBackground({ team, changed, reportFault, gatherMs = 200, pausesMs = standardPausesMs }: BackgroundParts): TeamBackground {
  const ending = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isWanted = false
  let problem: Message | null = null
  let failures = 0
  let nextAtMs: number | null = null

  function work(): TeamWork {
    return { ...team.status(), isPushing: running !== undefined, problem, nextAt: nextAtMs === null ? null : new Date(nextAtMs).toISOString() }
  }

  function arm(inMs: number): void {
    clearTimeout(timer)
    nextAtMs = inMs > gatherMs ? Date.now() + inMs : null
    timer = setTimeout(() => void pushNow(), inMs)
    timer.unref()
  }

  async function once(): Promise<void> {
    const { joined, waiting } = team.status()
    if (!joined?.mayWrite || waiting === 0) return
    try {
      await team.push(ending.signal)
      problem = null
      failures = 0
    } catch (error) {
      if (ending.signal.aborted) return
      if (!(error instanceof AppError)) reportFault(error)
      problem = error instanceof AppError ? error.sentence : { id: 'team.failed', values: { host: team.status().server?.host ?? '', state: '-' } }
      arm(pausesMs[Math.min(failures, pausesMs.length - 1)] ?? gatherMs)
      failures += 1
    }
  }

  function pushNow(): Promise<void> {
    if (running) {
      isWanted = true
      return running
    }
    if (ending.signal.aborted) return Promise.resolve()
    clearTimeout(timer)
    nextAtMs = null
    running = once()
      .finally(() => (running = undefined))
      .then(() => {
        changed(work())
        if (isWanted && failures === 0 && !ending.signal.aborted) arm(gatherMs)
        isWanted = false
      })
    return running
  }

  return {
    work,
    soon() {
      if (ending.signal.aborted || !team.isMember()) return
      if (running) isWanted = true
      // A pause after a failure is not cut short by work that comes meanwhile.
      else if (nextAtMs === null) arm(gatherMs)
    },
    pushNow,
    async stop() {
      ending.abort()
      clearTimeout(timer)
      await running
    }
  }
}
