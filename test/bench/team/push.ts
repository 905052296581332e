import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { makeTeam } from '../../../main/team/admin/members.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { startPostgres } from '../../world/team/postgres/postgresServer.ts'
import { startPooler } from '../../world/team/testPooler.ts'
import { insertAll, madeUpLaptop, pushAll, type MadeUpLaptop } from './madeUpLaptops.ts'

/**
 * Laptops that push all they have, through the code that laptops run, against bare inserts of many rows of the same
 * rows in the same batches by as many connections, each of them acknowledged by the disk. At the end so many laptops
 * come through a pooler that has 20 connections to the server.
 */
const isQuick = process.argv.includes('--quick')
const connections = 20
const goal = 0.7
interface Company {
  name: string
  laptops: number
  jobsEach: number
  entriesEach: number
}
/**
 * Long jobs, and many small ones. Of the second the rows of the jobs, their lists and their words are most of the work.
 */
const companies: Company[] = [
  { name: 'long', laptops: isQuick ? 20 : 500, jobsEach: 20, entriesEach: isQuick ? 50 : 100 },
  { name: 'small', laptops: 20, jobsEach: isQuick ? 100 : 1_000, entriesEach: 8 }
]

const server = await startPostgres({ fsync: 'on', shared_buffers: '256MB', max_wal_size: '4GB' })
try {
  const owner = await server.connect()
  await raiseSchema(owner)
  await makeTeam(owner, 'Bench')
  const { rows } = await owner.query<{ id: string; month: string }>(
    "select id, date_trunc('month', now())::date::text as month from fitter.team"
  )
  const [team] = rows
  if (!team) throw new Error('There is no team')
  await owner.query('create schema bare')
  await owner.query(
    'create table bare.entry (like fitter.entry including defaults, primary key (month, team_id, job_id, seq))'
  )
  for (const company of companies) await race(owner, company, team)
  const { rows: sizes } = await owner.query<{ bytes: string }>(
    "select sum(pg_total_relation_size(relid)) / (select count(*) from fitter.entry) as bytes from pg_partition_tree('fitter.entry')"
  )
  say(`on the disk: ${Number(sizes[0]?.bytes).toFixed(0)} bytes for each entry with its index`)
  await throughPooler(owner)
  await owner.end()
} finally {
  await server.remove()
}

/**
 * Both sides take turns in small parts, so that what else this machine does hits both. Bare is measured twice: with the
 * rows of one job in a statement, and with as many as one call of ours carries at most.
 */
async function race(
  owner: Client,
  { name, laptops, jobsEach, entriesEach }: Company,
  team: { id: string; month: string }
): Promise<void> {
  const spentMs = { ours: 0, byJob: 0, inBulk: 0 }
  const memory: number[] = []
  const perPart = Math.min(connections, Math.max(1, Math.ceil(20_000 / (jobsEach * entriesEach))))
  for (let first = 0; first < laptops; first += perPart) {
    await owner.query('truncate bare.entry')
    const part: MadeUpLaptop[] = []
    for (let at = first; at < Math.min(laptops, first + perPart); at++)
      part.push(await madeUpLaptop(owner, { name: `${name} ${String(at)}`, jobs: jobsEach, entries: entriesEach }))
    const bare = (atOnce: number) =>
      timed(() => Promise.all(part.map((laptop) => insertAll(server, laptop, { ...team, atOnce }))))
    const sides = [
      async () => void (spentMs.ours += await timed(() => Promise.all(part.map((laptop) => pushAll(server, laptop))))),
      async () => {
        spentMs.byJob += await bare(entriesEach)
        await owner.query('truncate bare.entry')
        spentMs.inBulk += await bare(2_000)
      }
    ]
    for (const side of (first / perPart) % 2 === 0 ? sides : sides.toReversed()) await side()
    memory.push(memoryOf(server.folder))
  }
  const entries = laptops * jobsEach * entriesEach
  const { rows: there } = await owner.query<{ n: number }>(
    'select count(*)::int as n from fitter.entry where job_id like $1',
    [`${name}-%`]
  )
  const rate = (ms: number) => `${String(Math.round((entries / ms) * 1_000))} entries a second`
  const [byJob, inBulk] = [spentMs.byJob / spentMs.ours, spentMs.inBulk / spentMs.ours]
  say(
    `${String(laptops)} laptops push ${String(laptops * jobsEach)} jobs of ${String(entriesEach)} entries, ${String(there[0]?.n ?? 0)} there: ${rate(spentMs.ours)}`
  )
  say(
    `  against bare inserts of the rows of one job, ${rate(spentMs.byJob)}: ${byJob.toFixed(2)}, goal ${String(goal)}${byJob >= goal ? '' : '  MISSED'}`
  )
  say(`  against bare inserts of 2,000 rows, ${rate(spentMs.inBulk)}: ${inBulk.toFixed(2)}`)
  say(
    `  memory of the server's processes beside its buffers: ${Math.min(...memory).toFixed(0)} to ${Math.max(...memory).toFixed(0)} MB; first fifth ${mean(memory.slice(0, Math.ceil(memory.length / 5))).toFixed(0)}, last fifth ${mean(memory.slice(-Math.ceil(memory.length / 5))).toFixed(0)} MB`
  )
}

/**
 * As many laptops at once as there are in the company, each with one more job, over a pooler that gives each
 * transaction another connection.
 */
async function throughPooler(owner: Client): Promise<void> {
  const pooler = await startPooler({ serverPort: server.port, connections: 20 })
  const { laptops, entriesEach } = companies[0] ?? { laptops: 20, entriesEach: 50 }
  try {
    const own: MadeUpLaptop[] = []
    for (let at = 0; at < laptops; at++)
      own.push(await madeUpLaptop(owner, { name: `pooled ${String(at)}`, jobs: 1, entries: entriesEach }))
    for (const { login, password } of own) pooler.knows(login, password)
    const ms = await timed(() => Promise.all(own.map((laptop) => pushAll(server, laptop, pooler.port))))
    const { rows } = await owner.query<{ jobs: string }>(
      "select count(*) as jobs from fitter.job where id like 'pooled-%' and head_seq = $1",
      [entriesEach]
    )
    say(
      `${String(laptops)} laptops at once through a pooler with ${String(pooler.most)} connections to the server: ${rows[0]?.jobs ?? ''} jobs there after ${(ms / 1000).toFixed(1)} s; rules broken: ${String(pooler.violations.length)}`
    )
  } finally {
    await pooler.close()
  }
}

/**
 * Memory of the server's processes beside the buffers, which it shares among them and fills by design; where the system
 * tells it.
 */
function memoryOf(folder: string): number {
  const main = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0] ?? ''
  const processes = [main, ...readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === main)]
  return processes.reduce(
    (sum, pid) => sum + Number(/^Pss_Anon:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024,
    0
  )
}

function parentOf(pid: string): string {
  return /^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? ''
}

/** A process may have ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
