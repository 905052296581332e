import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { openStore, type Store } from '../../main/data/store/index.ts'
import { makeMadeUpLog } from '../world/data/madeUpLog.ts'
import { summaryOf } from '../world/data/jobSummary.ts'
import { summariseMs } from '../world/time/measure.ts'

/**
 * npm run bench -- backup [--quick]: a copy of a log of 100,000 jobs (5,000 with --quick) while entries are written,
 * against a bare `VACUUM INTO` and the bare backup of SQLite in threads of their own, in turn: how long each takes,
 * what it does to the main thread, and to whoever writes.
 */
const isQuick = process.argv.includes('--quick')
const folder = mkdtempSync(join(tmpdir(), 'fitter-bench-backup-'))
const bare = {
  'VACUUM INTO': "db.exec(`vacuum into '${target}'`); parentPort.postMessage(0)",
  // All pages at once: in small steps it begins again with every entry that is written, and never ends.
  'the backup of SQLite': 'db.backup(target, { progress: () => 2 ** 30 }).then(() => parentPort.postMessage(0))'
}

interface Measured {
  tookMs: number
  delayP99Ms: number
  writesMs: number[]
}

try {
  await makeMadeUpLog(join(folder, 'data'), { jobs: isQuick ? 5_000 : 100_000, entries: isQuick ? 3 : 30 })
  const store = openStore(join(folder, 'data'))
  const sizeMb = statSync(store.file).size / 1e6
  process.stdout.write(`A data file of ${sizeMb.toFixed(0)} MB\n`)
  say('nothing beside it', await beside(store, () => new Promise((resolve) => setTimeout(resolve, 3_000))))
  for (let round = 0; round < 2; round++) {
    const ours = await beside(store, async () => {
      const made = await store.keepGeneration({ folder: join(folder, 'kept'), at: new Date(), withPictures: false })
      if (made.kind !== 'made') throw new Error(`No copy was made: ${made.kind}`)
    })
    say('ours, looked over', ours)
    for (const [name, text] of Object.entries(bare)) {
      const target = join(folder, `bare-${round}-${name.length}.db`)
      const other = await beside(store, () => inBareThread(store.file, target, text))
      say(name, other)
      process.stdout.write(
        `  ours takes ${(ours.tookMs / other.tookMs).toFixed(2)} of it; writing beside it ${(summariseMs(ours.writesMs).p95Ms / summariseMs(other.writesMs).p95Ms).toFixed(2)}\n`
      )
      rmSync(target)
    }
  }
  store.close()
} finally {
  rmSync(folder, { recursive: true })
}

/** Writes an entry every 20 ms while `work` runs. */
async function beside(store: Store, work: () => Promise<unknown>): Promise<Measured> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const writesMs: number[] = []
  const timer = setInterval(() => {
    const started = performance.now()
    store.jobs.append(
      'beside',
      [{ type: 'evidence', stepId: 'ignition', data: { what: 'x'.repeat(300) }, at: '2026-03-01T10:00:00.000Z' }],
      () => summaryOf('beside')
    )
    writesMs.push(performance.now() - started)
  }, 20)
  delay.enable()
  const started = performance.now()
  try {
    await work()
    return { tookMs: performance.now() - started, delayP99Ms: delay.percentile(99) / 1e6, writesMs }
  } finally {
    clearInterval(timer)
    delay.disable()
  }
}

function inBareThread(file: string, target: string, text: string): Promise<void> {
  const program = `const { parentPort } = require('node:worker_threads'); const Database = require(${JSON.stringify(require_('better-sqlite3'))}); const db = new Database(${JSON.stringify(file)}, { readonly: true }); const target = ${JSON.stringify(target)}; ${text}`
  return new Promise((resolve, reject) => {
    const worker = new Worker(program, { eval: true })
    worker.once('error', reject)
    worker.once('message', () => void worker.terminate().then(() => resolve()))
  })
}

function require_(name: string): string {
  return new URL(import.meta.resolve(name)).pathname
}

function say(name: string, { tookMs, delayP99Ms, writesMs }: Measured): void {
  const { medianMs, p95Ms } = summariseMs(writesMs)
  process.stdout.write(
    `${name.padEnd(24)} ${(tookMs / 1000).toFixed(1)} s; main thread p99 ${delayP99Ms.toFixed(1)} ms; an entry written in ${medianMs.toFixed(1)} ms (p95 ${p95Ms.toFixed(1)})\n`
  )
}
