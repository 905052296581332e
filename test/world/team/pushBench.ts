import { afterEach, beforeEach, vi } from 'vitest'
import { push, type PushResult } from '../../../main/team/push/push.ts'
import type { Store } from '../../../main/data/store/index.ts'
import { putEmptyData } from '../data/emptyData.ts'
import { fakeTeamLog, type FakeTeamLog } from './fakeTeamLog.ts'
import { appendEntry, openTestStore } from '../data/storedJobs.ts'
import { tempFolder } from '../tempFolder.ts'

/** For the tests of one file: a clock that stands still until a test moves it. */
export function usePushClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-11-20T08:59:00.000Z'), toFake: ['Date', 'performance'] })
    vi.advanceTimersByTime(60_000)
  })
  afterEach(() => vi.useRealTimers())
}

export interface PushBench {
  store: Store
  log: FakeTeamLog
  stop: AbortController
  far: PushResult[]
  /** Writes this many entries into the log of a job, which is older than the jobs written before. */
  write(jobId: string, entries: number): void
  push(): Promise<PushResult>
  /** The jobs that stopped, with the reason. */
  stopped(): string[]
}

/** A store and a team log that only answers. */
export function openPushBench(): PushBench {
  const folder = tempFolder()
  putEmptyData(folder)
  const store = openTestStore(folder)
  const log = fakeTeamLog()
  const stop = new AbortController()
  const far: PushResult[] = []
  let jobs = 0
  return {
    store,
    log,
    stop,
    far,
    write(jobId, entries) {
      const createdAt = new Date(Date.parse('2026-03-01T10:00:00.000Z') - (jobs += 1) * 1000).toISOString()
      store.together(() => {
        for (let n = 0; n < entries; n++) appendEntry(store, jobId, `entry ${String(n)}`, { createdAt })
      })
      store.teamPush.takeAddedTo()
    },
    push: () => push(log.client, { store, signal: stop.signal, progress: (result) => far.push(result) }),
    stopped: () => store.teamPush.stopped().map(({ jobId, why }) => `${jobId} ${why.id}`)
  }
}
/** What the server has of a job. */
export const there = ({ log }: PushBench, jobId: string) => (log.logs.get(jobId) ?? []).map(({ hash }) => hash)
/** What this laptop has of it. */
export const here = ({ store }: PushBench, jobId: string) => store.jobs.journal(jobId).map(({ hash }) => hash)
