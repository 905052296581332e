import { onTestFinished } from 'vitest'
import { hashedText } from '../../../main/team/push/sendParts.ts'
import type { HoldingParts } from '../../../main/team/holding/holdingParts.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, plainMessage, type Message } from '../../../preload/contract/messages.ts'
import type { TeamStatus } from '../../../preload/contract/team/team.ts'
import type { JournalEntry } from '../../../main/data/store/jobs/seal.ts'
import { fakeTeamLog, type FakeTeamLog } from './fakeTeamLog.ts'
import { openLaptop, type Laptop } from './laptop.ts'
import { tempFolder } from '../tempFolder.ts'

export interface HoldingBench extends Laptop {
  parts: HoldingParts
  log: FakeTeamLog
  status: TeamStatus
  signal: AbortSignal
  /** What asking the server fails with. */
  fails: Error | undefined
  /** How often the server is asked before it fails. */
  failsAfter: number
  /** Answers queries that contain this text; earlier answers to it are replaced. */
  answer(part: string, rows: (values: unknown[]) => object[]): void
  /** What was asked since the last call. */
  asked(): string[]
  /** Gateway work of a job. */
  addWork(jobId: string, name: string, needs?: string[]): string
  /** The server has this log of a job. */
  serve(jobId: string, entries: readonly JournalEntry[]): void
  isAway(jobId: string): boolean
}

export const away = new AppError('UNREACHABLE', message('team.away', { host: 'team.example' }), { retryable: true })

/** One laptop with a real data folder, and a team log that answers what the test says. */
export function openHoldingBench(name = 'Laptop 1'): HoldingBench {
  const folder = tempFolder()
  const laptop = openLaptop({ folder, name })
  onTestFinished(() => laptop.end())
  const log = fakeTeamLog()
  const bench: HoldingBench = {
    ...laptop,
    log,
    parts: undefined as unknown as HoldingParts,
    status: {
      joined: { team: 'North', name, mayWrite: true, at: '2026-03-01T10:00:00.000Z' },
      server: null,
      pushedAt: null,
      waiting: 0,
      leaving: 0,
      forks: 0,
      stopped: [],
      held: []
    },
    signal: new AbortController().signal,
    fails: undefined,
    failsAfter: 0,
    answer(part, rows) {
      log.on = [[part, rows], ...log.on.filter(([other]) => other !== part)]
    },
    asked: () => log.asked.splice(0),
    addWork: (jobId, work, needs) =>
      laptop.operations.add({
        kind: 'scripted',
        key: `vehicle:${work}`,
        title: plainMessage(work),
        payload: { name: work },
        jobId,
        draft: false,
        ...(needs ? { needs: needs.map((id) => ({ id, part: 'id' })) } : {})
      } as never).id,
    serve(jobId, entries) {
      log.logs.set(
        jobId,
        entries.map((entry) => ({ seq: entry.seq, hash: entry.hash, text: hashedText(entry) }))
      )
      bench.answer('fitter.entry where month', ([, id, after, upTo, most]) =>
        (log.logs.get(id as string) ?? [])
          .filter(({ seq }) => seq > (after as number) && seq <= (upTo as number))
          .slice(0, most as number)
          .map(({ text, hash }) => ({ text, hash }))
      )
      bench.answer('select month::text as month from fitter.job', ([id]) =>
        log.logs.has(id as string) ? [{ month: '2026-11-01' }] : []
      )
    },
    isAway: (jobId) => laptop.jobs.show(jobId).handedOver !== undefined
  }
  bench.parts = {
    team: {
      status: () => bench.status,
      async ask(act, signal) {
        signal?.throwIfAborted()
        await Promise.resolve()
        if (bench.fails && (bench.failsAfter -= 1) < 0) throw bench.fails
        return act(log.client, { name } as never)
      }
    },
    store: laptop.store,
    transfers: laptop.transfers,
    jobs: laptop.jobs,
    operations: laptop.operations,
    snapshot: () => null,
    folder: `${folder}/fitter.transfers`,
    now: () => new Date('2026-11-20T09:00:00.000Z')
  }
  return bench
}

/** The sentence with which something was refused. */
export const sentenceOf = (work: Promise<unknown>): Promise<Message | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error.sentence : undefined)
  )

/** The id of the sentence, and the code, with which something was refused. */
export const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing',
    (error: unknown) => (error instanceof AppError ? `${error.code} ${error.sentence.id}` : String(error))
  )
