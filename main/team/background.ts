import { AppError } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import type { TeamWork } from '../../preload/contract/team/team.ts'
import type { Team } from './team.ts'

/** Work that moves between laptops, as far as it goes by itself. */
export interface MovingWork {
  /** Something left here that the server does not have yet. */
  isUnderWay(): boolean
  /** Brings on its way what left here. */
  goOn(signal: AbortSignal): Promise<unknown>
  /** Fetches what came for this laptop, and learns what was taken from it. */
  pull(signal: AbortSignal): Promise<unknown>
}

export interface BackgroundParts {
  team: Pick<Team, 'status' | 'isMember' | 'push'>
  changed(work: TeamWork): void
  reportFault(error: unknown): void
  holding?: MovingWork | undefined
  /** Copies of what the team has, each brought up to date after the pull. */
  copies?: readonly ((signal: AbortSignal) => Promise<unknown>)[]
  /** What comes within this time goes in one push. */
  gatherMs?: number
  /** How long is waited after failures in a row; the last one from then on. */
  pausesMs?: readonly number[]
  /** So often it is asked what came, where nothing tells that something did. */
  pullEveryMs?: number
  /** So often it is told how many wait still, while a push takes long. */
  tellEveryMs?: number
}

export interface TeamBackground {
  work(): TeamWork
  /** Something was written to a log. */
  soon(): void
  /** Something may have come: a colleague's step, or no one knows what. */
  heard(): void
  /** Another network, the computer woke up, another team: what waits for the end of a pause goes on at once. */
  renew(): void
  /** Gives and fetches, and resolves when it ended, however it ended. */
  pushNow(): Promise<void>
  stop(): Promise<void>
}

const standardPausesMs = [5_000, 15_000, 60_000, 300_000]
/** News come in numbers; what they bring is fetched together. */
const gatherNewsMs = 2_000

/**
 * The one place where anything goes to the team log or comes from it by itself: soon after something was written, when the
 * network is back, after news, and now and then. Again after a while where it did not work. Jobs know nothing of it.
 */
export function createTeamBackground({ team, changed, reportFault, holding, copies = [], gatherMs = 200, pausesMs = standardPausesMs, pullEveryMs = 300_000, tellEveryMs = 1_000 }: BackgroundParts): TeamBackground {
  const ending = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isWanted = false
  /** Until the first push that went through the server may be another one, or be set back. */
  let isDoubtful = true
  let isPullWanted = true
  let problem: Message | null = null
  let failures = 0
  /** Told to a person: when it is tried again after a failure. */
  let nextAtMs: number | null = null
  let dueAtMs = Infinity
  let pullDueAtMs = -Infinity

  function work(): TeamWork {
    return { ...team.status(), isPushing: running !== undefined, problem, nextAt: nextAtMs === null ? null : new Date(nextAtMs).toISOString() }
  }

  function arm(inMs: number, isAfterFailure = false): void {
    clearTimeout(timer)
    dueAtMs = performance.now() + inMs
    nextAtMs = isAfterFailure ? Date.now() + inMs : null
    timer = setTimeout(() => void run(), inMs)
    timer.unref()
  }

  async function once(): Promise<void> {
    const { joined, waiting } = team.status()
    if (!joined) return
    try {
      // Now and then also where nothing waits: a server that was set back meanwhile lacks what it had acknowledged.
      if (joined.mayWrite && (waiting > 0 || isDoubtful || performance.now() >= pullDueAtMs)) await team.push(ending.signal, tellFar())
      isDoubtful = false
      if (holding?.isUnderWay()) await holding.goOn(ending.signal)
      if (isPullWanted || performance.now() >= pullDueAtMs) await fetchAll(joined.mayWrite)
      problem = null
      failures = 0
    } catch (error) {
      if (ending.signal.aborted) return
      if (!(error instanceof AppError)) reportFault(error)
      problem = error instanceof AppError ? error.sentence : message('team.failed', { host: team.status().server?.host ?? '', state: '-' })
      isDoubtful = true
      pullDueAtMs = -Infinity
      failures += 1
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
    if (mayWrite) await holding?.pull(ending.signal)
    for (const copy of copies) await copy(ending.signal)
    // Not all laptops of a company at once.
    pullDueAtMs = performance.now() + pullEveryMs * (0.8 + 0.4 * Math.random())
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
      .finally(() => (running = undefined))
      .then(() => {
        if (!ending.signal.aborted) armNext()
        isWanted = false
        changed(work())
      })
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
    // A pause after a failure is not cut short by work that comes meanwhile; what is due earlier stays so.
    else if (nextAtMs === null && performance.now() + inMs < dueAtMs) arm(inMs)
  }

  return {
    work,
    soon: () => begin(gatherMs),
    heard() {
      isPullWanted = true
      begin(gatherNewsMs)
    },
    renew() {
      failures = 0
      nextAtMs = null
      isPullWanted = true
      isDoubtful = true
      dueAtMs = Infinity
      begin(gatherMs)
    },
    pushNow() {
      isPullWanted = true
      return run()
    },
    async stop() {
      ending.abort()
      clearTimeout(timer)
      await running
    }
  }
}
