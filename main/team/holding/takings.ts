import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { TeamTaking } from '../../../preload/contract/team/teamHolding.ts'
import type { TakeOverResult } from '../../../preload/contract/job/transfers.ts'
import type { TellPictures } from '../reading/fetchPictures.ts'

/** Take-overs that a person started: each continues after the call until it ends or Fitter does. */
export type Takings = ReturnType<typeof createTakings>

export interface TakingsParts {
  tell(taking: TeamTaking): void
  ended(): void
  reportFault(error: unknown): void
}

export function createTakings({ tell, ended, reportFault }: TakingsParts) {
  const takings = new Map<string, TeamTaking>()
  const beginnings = new Map<string, Promise<TeamTaking>>()
  const running = new Set<Promise<void>>()
  const ending = new AbortController()

  function begin(
    id: string,
    work: (signal: AbortSignal, tell: TellPictures) => Promise<TakeOverResult>
  ): Promise<TeamTaking> {
    const first: TeamTaking = {
      id,
      state: 'underWay',
      pictures: { done: 0, total: 0, doneBytes: 0, totalBytes: 0 },
      why: null,
      taken: null
    }
    let isBegun = false
    const { promise, resolve, reject } = Promise.withResolvers<TeamTaking>()

    function move(change: Partial<TeamTaking>): TeamTaking {
      const taking = { ...(takings.get(id) ?? first), ...change }
      takings.set(id, taking)
      if (isBegun) tell(taking)
      isBegun = true
      resolve(taking)
      return taking
    }

    async function run(): Promise<void> {
      try {
        move({ state: 'taken', taken: await work(ending.signal, (pictures) => move({ pictures })) })
      } catch (error) {
        if (!isBegun) {
          takings.delete(id)
          return reject(error instanceof Error ? error : new Error(String(error)))
        }
        if (!(error instanceof AppError)) reportFault(error)
        move({ state: 'failed', why: error instanceof AppError ? error.sentence : message('app.fault') })
      } finally {
        beginnings.delete(id)
        ended()
      }
    }
    takings.delete(id)
    beginnings.set(id, promise)
    const done = run()
    running.add(done)
    void done.finally(() => running.delete(done))
    return promise
  }

  return {
    /** Resolves when it can certainly be taken over, or ended; a running one is not started again. */
    async begin(
      id: string,
      work: (signal: AbortSignal, tell: TellPictures) => Promise<TakeOverResult>
    ): Promise<TeamTaking> {
      const present = beginnings.get(id)
      if (present === undefined) return begin(id, work)
      await present
      const taking = takings.get(id)
      return taking ?? present
    },
    list: (): TeamTaking[] => [...takings.values()],
    async stop(): Promise<void> {
      ending.abort(new AppError('CANCELLED', message('team.stopped')))
      await Promise.allSettled(running)
    }
  }
}
