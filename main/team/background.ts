import { AppError } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import type { TeamWork } from '../../preload/contract/team/team.ts'
import type { Team } from './team.ts'

/** Automatic work between laptops. */
export interface MovingWork {
  /** A hand-over that the server does not have yet. */
  isUnderWay(): boolean
  goOn(signal: AbortSignal): Promise<unknown>
  /** Imports what came for this laptop, and learns what was taken from it. */
  pull(signal: AbortSignal): Promise<unknown>
}

export interface BackgroundParts {
  team: Pick<Team, 'status' | 'isMember' | 'push'>
  changed(work: TeamWork): void
  reportFault(error: unknown): void
  holding?: MovingWork | undefined
  /** The local copies, each updated after the pull. */
  copies?: readonly ((signal: AbortSignal) => Promise<unknown>)[]
  gatherMs?: number
  /** The pauses after consecutive failures; then always the last one. */
  pausesMs?: readonly number[]
  /** The interval of pulls without news. */
  pullEveryMs?: number
  tellEveryMs?: number
}

export type TeamBackground = ReturnType<typeof createTeamBackground>

const standardPausesMs = [5_000, 15_000, 60_000, 300_000]
/** News arrive in bursts; their changes are fetched together. */
const gatherNewsMs = 2_000

/**
 * The only place that pushes and pulls automatically: after a write, news or a return of the network, and regularly.
 */
export function createTeamBackground({
  team,
  changed,
  reportFault,
  holding,
  copies = [],
  gatherMs = 200,
  pausesMs = standardPausesMs,
  pullEveryMs = 300_000,
  tellEveryMs = 1_000
}: BackgroundParts) {
  const ending = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isWanted = false
  let isPullWanted = false
  let problem: Message | null = null
  let failures = 0
  /** Shown to a person: when it is retried after a failure. */
  let nextAtMs: number | null = null
  let dueAtMs = Infinity
  /**
   * Due at once before the first success, after a failure and after a change: the server may be a different or a
   * restored one.
   */
  let pullDueAtMs = -Infinity

  function work(): TeamWork {
    return {
      ...team.status(),
      isPushing: running !== undefined,
      problem,
      nextAt: nextAtMs === null ? null : new Date(nextAtMs).toISOString()
    }
  }

  function arm(inMs: number, isAfterFailure = false): void {
    clearTimeout(timer)
    dueAtMs = performance.now() + inMs
    nextAtMs = isAfterFailure ? Date.now() + inMs : null
    timer = setTimeout(() => void run(), inMs)
    timer.unref()
  }

  async function once(): Promise<void> {
    try {
      const { joined, waiting } = team.status()
      if (!joined) return
      // Regularly even if nothing waits: a restored server lacks what it had acknowledged.
      if (joined.mayWrite && (waiting > 0 || performance.now() >= pullDueAtMs))
        await team.push(ending.signal, tellFar())
      if (holding?.isUnderWay()) await holding.goOn(ending.signal)
      if (isPullWanted || performance.now() >= pullDueAtMs) await fetchAll(joined.mayWrite)
      problem = null
      failures = 0
    } catch (error) {
      if (ending.signal.aborted) return
      if (!(error instanceof AppError)) reportFault(error)
      pullDueAtMs = -Infinity
      failures += 1
      problem =
        error instanceof AppError
          ? error.sentence
          : message('team.failed', { host: team.status().server?.host ?? '', state: '-' })
    }
  }

  function tellFar(): () => void {
    let toldAtMs = performance.now()
    return () => {
      if (performance.now() - toldAtMs < tellEveryMs) return
      changed(work())
      toldAtMs = performance.now()
    }
  }

  async function fetchAll(mayWrite: boolean): Promise<void> {
    isPullWanted = false
    // Spread, so that not all laptops of a company start at once.
    pullDueAtMs = performance.now() + pullEveryMs * (0.8 + 0.4 * Math.random())
    if (mayWrite) await holding?.pull(ending.signal)
    for (const copy of copies) await copy(ending.signal)
  }

  function run(): Promise<void> {
    if (running) {
      isWanted = true
      return running
    }
    if (ending.signal.aborted) return Promise.resolve()
    clearTimeout(timer)
    dueAtMs = Infinity
    nextAtMs = null
    running = once()
      // The data file could not be read, not even for its part of the problem.
      .catch(reportFault)
      .then(() => {
        running = undefined
        if (!ending.signal.aborted) armNext()
        isWanted = false
        changed(work())
      })
      .catch(reportFault)
    return running
  }

  function armNext(): void {
    if (failures > 0) arm(pausesMs[Math.min(failures, pausesMs.length) - 1] ?? pullEveryMs, true)
    else if (isWanted) arm(gatherMs)
    else if (team.isMember()) arm(Math.max(gatherMs, pullDueAtMs - performance.now()))
  }

  function begin(inMs: number): void {
    if (ending.signal.aborted || !team.isMember()) return
    if (running) isWanted = true
    // New work does not shorten a pause after a failure; an earlier due time stays.
    else if (nextAtMs === null && performance.now() + inMs < dueAtMs) arm(inMs)
  }

  return {
    work,
    /** A log has a new entry. */
    soon: () => begin(gatherMs),
    /** Something may have arrived, from news or for an unknown reason. */
    noticeArrivals(): void {
      isPullWanted = true
      begin(gatherNewsMs)
    },
    /** The network changed, the computer woke up, or another team was joined: a pause ends at once. */
    renew(): void {
      failures = 0
      nextAtMs = null
      pullDueAtMs = -Infinity
      dueAtMs = Infinity
      begin(gatherMs)
    },
    /** Pushes and pulls, and resolves when it ended, with any result. */
    pushNow(): Promise<void> {
      isPullWanted = true
      return run()
    },
    async stop(): Promise<void> {
      ending.abort()
      clearTimeout(timer)
      await running
    }
  }
}
