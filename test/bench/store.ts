import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openStore, type Store } from '../../main/data/store/index.ts'
import { jobRowColumns, type JobRow } from '../../main/data/store/jobs/jobRow.ts'
import { makeMadeUpLog } from '../world/data/madeUpLog.ts'
import { summaryOf } from '../world/data/jobSummary.ts'
import { alternate, sayRatio, summariseMs } from '../world/time/measure.ts'

/**
 * npm run bench -- store [--quick]: the data file with 100,000 jobs (5,000 with --quick) against the bare statements of
 * SQLite on the same rows, in turn.
 */
const isQuick = process.argv.includes('--quick')
const jobs = isQuick ? 5_000 : 100_000
const entriesEach = isQuick ? 3 : 30
const rounds = 200

const folder = mkdtempSync(join(tmpdir(), 'fitter-bench-store-'))
try {
  process.stdout.write(`Making ${jobs} jobs of ${entriesEach} entries …\n`)
  await makeMadeUpLog(join(folder, 'data'), { jobs, entries: entriesEach, operations: { done: 10_000, waiting: 500 } })
  const opened = performance.now()
  const store = openStore(join(folder, 'data'))
  process.stdout.write(`Opened in ${((performance.now() - opened) / 1000).toFixed(1)} s\n`)
  await benchSaving(store)
  await benchReading(store)
  store.close()
  benchOpening()
} finally {
  rmSync(folder, { recursive: true })
}

function append(store: Store, id: string, count = 1): void {
  const entry = {
    type: 'evidence',
    stepId: 'ignition',
    data: { attempt: 1, what: 'x'.repeat(300) },
    at: '2026-03-01T10:00:00.000Z'
  }
  store.jobs.append(
    id,
    Array.from({ length: count }, () => entry),
    () => summaryOf(id)
  )
}

async function benchSaving(store: Store): Promise<void> {
  const sql = new Database(join(folder, 'bare.db'))
  sql.pragma('journal_mode = wal')
  sql.pragma('synchronous = full')
  sql.exec(
    'create table journal (job_id text, seq integer, at text, type text, step_id text, data text, hash text, primary key (job_id, seq)) strict, without rowid'
  )
  const insert = sql.prepare('insert into journal values (?, ?, ?, ?, ?, ?, ?)')
  const data = JSON.stringify({ attempt: 1, what: 'x'.repeat(300) })
  let seq = 0
  append(store, 'short', 20)
  append(store, 'long', 2_000)
  const saving = await alternate(
    rounds,
    () => append(store, 'saved'),
    () => insert.run('saved', ++seq, '2026-03-01T10:00:00.000Z', 'evidence', 'ignition', data, 'f'.repeat(64))
  )
  sayRatio('saving a step, against a bare insert', saving, 1.6)
  sayRatio(
    'an entry of 2,000, against one of 20',
    await alternate(
      rounds,
      () => append(store, 'long'),
      () => append(store, 'short')
    ),
    1.2
  )
  sql.close()
}

async function benchReading(store: Store): Promise<void> {
  const sql = new Database(store.file, { readonly: true })
  const bare = (text: string) => {
    const statement = sql.prepare<unknown[], JobRow>(text)
    return (...values: unknown[]) => statement.all(...values)
  }
  const page = bare(`select ${jobRowColumns} from job order by created_at desc, key desc limit 51`)
  sayRatio(
    'a page of 50',
    await alternate(
      rounds,
      () => store.jobs.page({ limit: 50 }),
      () => page()
    ),
    1.3
  )
  const search = bare(
    `select ${jobRowColumns} from job_word cross join job on job.key = job_word.rowid where job_word match ? order by job_word.rowid desc limit 51`
  )
  const counted = bare('select count(*) from (select 1 from job_word where job_word match ? limit 1000)')
  for (const word of ['nunez', 'bosporus', '1234']) {
    const times = await alternate(
      rounds,
      () => store.jobs.page({ limit: 50, search: word }),
      () => [search(`"${word}"`), counted(`"${word}"`)]
    )
    sayRatio(`search and count "${word}"`, times, 1.3)
  }
  const words = ['b-aa 1026', 'kowalksi', 'müller', 'trailer b', '350000', 'blu rivr', 'ana pérez']
  const typed = words.flatMap((word) =>
    Array.from({ length: 20 }, () => timed(() => store.jobs.page({ limit: 50, search: word })))
  )
  await benchFilters(store)
  process.stdout.write(
    `searches as they are typed, wrong letters too: p95 ${summariseMs(typed).p95Ms.toFixed(2)} ms, goal 5\n`
  )
  sql.close()
}

/**
 * The log narrowed by a customer and a state: a page of it, a place in its middle, its counts in a thread of their own.
 */
async function benchFilters(store: Store): Promise<void> {
  const filter = { customers: ['Kowalski Logistics'], standings: ['doneSkipped' as const] }
  const middle = '2022-06-01T00:00:00.000Z'
  const page = Array.from({ length: 50 }, () =>
    timed(() => store.jobs.page({ ...filter, limit: 60, isCounted: false }))
  )
  const rare = Array.from({ length: 50 }, () =>
    timed(() => store.jobs.page({ ...filter, technicians: ['nobody'], limit: 60, isCounted: false }))
  )
  const jump = Array.from({ length: 50 }, () =>
    timed(() => store.jobs.page({ before: middle, skip: 1_000, limit: 60, isCounted: false }))
  )
  process.stdout.write(
    `a filtered page: p95 ${summariseMs(page).p95Ms.toFixed(2)} ms; one with nothing in it: ${summariseMs(rare).p95Ms.toFixed(2)} ms, goal 40; a page in the middle: ${summariseMs(jump).p95Ms.toFixed(2)} ms, goal 5\n`
  )
  const whole: number[] = []
  const counted: number[] = []
  for (let round = 0; round < 10; round++) {
    whole.push(await timedWait(() => store.jobFacets({})))
    counted.push(await timedWait(() => store.jobFacets(filter)))
  }
  process.stdout.write(
    `counts of the whole log: p95 ${summariseMs(whole).p95Ms.toFixed(2)} ms, goal 5; of a filter, in a thread of its own: ${summariseMs(counted).p95Ms.toFixed(0)} ms, goal 1000\n`
  )
}

async function timedWait(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function timed(work: () => unknown): number {
  const started = performance.now()
  work()
  return performance.now() - started
}

/** A process that opens the folder and asks for the work that waits, against one that does nothing. */
function benchOpening(): void {
  const program = `import { openStore } from ${JSON.stringify(join(import.meta.dirname, '..', '..', 'main', 'data', 'store', 'index.ts'))}; const store = openStore(${JSON.stringify(join(folder, 'data'))}); store.operations.unfinished(); store.operations.counts(); store.close()`
  const run = (text: string) =>
    timed(() =>
      spawnSync(process.execPath, ['--input-type=module', '-e', text], {
        env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') }
      })
    )
  const [ours, other]: [number[], number[]] = [[], []]
  for (let round = 0; round < 15; round++) {
    ours.push(run(program))
    other.push(run(''))
  }
  const over = summariseMs(ours).medianMs - summariseMs(other).medianMs
  process.stdout.write(`opening with 10,000 finished operations: ${over.toFixed(0)} ms over an empty start, goal 40\n`)
}
