import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import type { AttachmentStore } from '../../../main/store/attachments.ts'
import { canonicalJson, hashEntry, startHash, type JournalEntry } from '../../../main/store/seal.ts'
import type { TeamAcknowledgedStore } from '../../../main/store/teamAcknowledged.ts'
import type { Pushed, TeamPushStore } from '../../../main/store/teamPush.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/members.ts'
import { push } from '../../../main/team/push.ts'
import { raiseSchema } from '../../../main/team/schema.ts'
import { startPostgres } from '../../../simulator/postgres/postgresServer.ts'
import { startPooler } from '../../support/testPooler.ts'
import { summaryOf } from '../../support/jobSummary.ts'

/**
 * Laptops that push all they have, through the code that laptops run, against bare inserts of many rows of the same rows in
 * the same batches by as many connections, each of them acknowledged by the disk. At the end so many laptops come through a
 * pooler that has 20 connections to the server.
 */
const isQuick = process.argv.includes('--quick')
const laptops = isQuick ? 20 : 500
const jobsEach = 20
const entriesEach = isQuick ? 50 : 100
const connections = 20
const goal = 0.7
/** The laptops of this bench have taken none. */
const nothingBefore: TeamAcknowledgedStore = { before: () => [], setBack: () => undefined, forked: () => [], goOn: () => undefined }
const noPictures = { ofJob: () => [] } as unknown as AttachmentStore
/** No gateway work. */
const nothingElse = { together: <T>(work: () => T): T => work(), operations: { ofJob: () => [], get: () => undefined, needsOf: () => [] }, handovers: { attemptsOf: () => [], away: () => undefined, isHere: () => false } }

interface Laptop {
  login: string
  password: string
  jobs: { id: string; entries: JournalEntry[] }[]
}

const server = await startPostgres({ fsync: 'on', shared_buffers: '256MB', max_wal_size: '4GB' })
try {
  const owner = await server.connect()
  await raiseSchema(owner)
  await makeTeam(owner, 'Bench')
  const { rows } = await owner.query<{ id: string; month: string }>("select id, date_trunc('month', now())::date::text as month from fitter.team")
  const [team] = rows
  if (!team) throw new Error('There is no team')
  await owner.query('create schema bare')
  await owner.query('create table bare.entry (like fitter.entry including defaults, primary key (month, team_id, job_id, seq))')
  let [oursMs, bareMs, entries] = [0, 0, 0]
  const memory: number[] = []
  // Both sides take turns in small parts, so that what else this machine does hits both.
  for (let first = 0; first < laptops; first += connections) {
    const part: Laptop[] = []
    for (let at = first; at < Math.min(laptops, first + connections); at++) part.push({ ...(await invited(owner, `Laptop ${String(at)}`)), jobs: Array.from({ length: jobsEach }, (_, job) => jobOf(`job-${String(at)}-${String(job)}`)) })
    const ours = async () => (oursMs += await timed(() => Promise.all(part.map((laptop) => pushAll(laptop)))))
    const bare = async () => (bareMs += await timed(() => Promise.all(part.map((laptop) => insertAll(laptop, team)))))
    for (const side of first % (2 * connections) === 0 ? [ours, bare] : [bare, ours]) await side()
    entries += part.length * jobsEach * entriesEach
    memory.push(memoryOf(server.folder))
    if (memory.length % 5 === 0) say(`  ${String(entries)} entries: ${(bareMs / oursMs).toFixed(2)}, server ${memory.at(-1)?.toFixed(0) ?? ''} MB`)
  }
  const { rows: there } = await owner.query<{ ours: string; bare: string; differ: string }>(
    'select (select count(*) from fitter.entry) as ours, (select count(*) from bare.entry) as bare, (select count(*) from fitter.entry e join bare.entry b using (job_id, seq) where e.hash <> b.hash) as differ'
  )
  const ratio = bareMs / oursMs
  const rate = (ms: number) => Math.round((entries / ms) * 1000)
  say(`${String(laptops)} laptops push ${String(entries)} entries: ${String(rate(oursMs))} entries a second against ${String(rate(bareMs))} of bare inserts: ${ratio.toFixed(2)}, goal ${String(goal)}${ratio >= goal ? '' : '  MISSED'}`)
  say(`there: ${there[0]?.ours ?? ''} of ours, ${there[0]?.bare ?? ''} bare, ${there[0]?.differ ?? ''} that differ`)
  say(`memory of the server's processes beside its buffers: ${Math.min(...memory).toFixed(0)} to ${Math.max(...memory).toFixed(0)} MB; first fifth ${mean(memory.slice(0, Math.ceil(memory.length / 5))).toFixed(0)}, last fifth ${mean(memory.slice(-Math.ceil(memory.length / 5))).toFixed(0)} MB`)
  const { rows: sizes } = await owner.query<{ bytes: string }>("select sum(pg_total_relation_size(relid)) as bytes from pg_partition_tree('fitter.entry')")
  say(`on the disk: ${(Number(sizes[0]?.bytes) / entries).toFixed(0)} bytes for each entry with its index`)
  await throughPooler(owner)
  await owner.end()
} finally {
  await server.remove()
}

/** Each laptop with one more job, all of them at once, over a pooler that gives each transaction another connection. */
async function throughPooler(owner: Client): Promise<void> {
  const pooler = await startPooler({ serverPort: server.port, connections: 20 })
  try {
    const own: Laptop[] = []
    for (let at = 0; at < laptops; at++) own.push({ ...(await invited(owner, `Pooled ${String(at)}`)), jobs: [jobOf(`pooled-${String(at)}`)] })
    for (const { login, password } of own) pooler.knows(login, password)
    const ms = await timed(() => Promise.all(own.map((laptop) => pushAll(laptop, pooler.port))))
    const { rows } = await owner.query<{ jobs: string }>("select count(*) as jobs from fitter.job where id like 'pooled-%' and head_seq = $1", [entriesEach])
    say(`${String(laptops)} laptops at once through a pooler with ${String(pooler.most)} connections to the server: ${rows[0]?.jobs ?? ''} jobs there after ${(ms / 1000).toFixed(1)} s; rules broken: ${String(pooler.violations.length)}`)
  } finally {
    await pooler.close()
  }
}

async function pushAll({ login, password, jobs }: Laptop, port = server.port): Promise<void> {
  const client = await server.connect({ ...server.owner, port, user: login, password })
  const { entries, stopped } = await push(client, { store: { ...nothingElse, teamPush: pushStoreOf(jobs), teamAcknowledged: nothingBefore, attachments: noPictures }, signal: new AbortController().signal })
  if (stopped > 0 || entries !== jobs.length * entriesEach) throw new Error(`${String(entries)} entries arrived, ${String(stopped)} jobs stopped`)
  await client.end()
}

async function insertAll({ jobs }: Laptop, { id, month }: { id: string; month: string }): Promise<void> {
  const client = await server.connect()
  for (const job of jobs) {
    const values = job.entries.flatMap(({ hash, ...entry }) => [id, month, job.id, entry.seq, canonicalJson(entry), hash, id])
    const rows = job.entries.map((_, row) => `(${Array.from({ length: 7 }, (_unused, column) => `$${String(row * 7 + column + 1)}`).join(', ')})`)
    await client.query(`insert into bare.entry (team_id, month, job_id, seq, text, hash, pushed_by) values ${rows.join(', ')}`, values)
  }
  await client.end()
}

function invited(owner: Client, name: string): Promise<{ login: string; password: string }> {
  return inviteLaptop(owner, { team: 'Bench', name, mayWrite: true })
}

function jobOf(id: string): Laptop['jobs'][number] {
  const entries: JournalEntry[] = []
  let before = startHash(id)
  for (let seq = 1; seq <= entriesEach; seq++) {
    const entry = { seq, at: '2026-03-01T10:00:00.000Z', type: 'evidence', stepId: 'ignition', data: { attempt: 1, what: `${String(seq)} ${'x'.repeat(300)}` } }
    before = hashEntry(before, entry)
    entries.push({ ...entry, hash: before })
  }
  return { id, entries }
}

/** What a laptop has in its file, here in memory: what is measured is the way to the server and what it does. */
function pushStoreOf(jobs: Laptop['jobs']): TeamPushStore {
  const pushed = new Map<string, Pushed>()
  const waits = jobs.filter(({ entries }) => entries.length > 0)
  const isWaiting = ({ id, entries }: Laptop['jobs'][number]) => pushed.get(id)?.hash !== entries.at(-1)?.hash
  const known: Partial<TeamPushStore> = {
    waiting: (limit, after) => (after === undefined ? waits.filter(isWaiting).slice(0, limit).map(({ id }) => id) : []),
    pushed: (id) => pushed.get(id),
    acknowledge: (id, at) => void pushed.set(id, at),
    summary: (id) => summaryOf(id, { customer: 'Customer One', technician: 'Technician One' }),
    ended: () => undefined,
    workMoved: () => 0,
    isWorkTold: () => true,
    tryHeldAgain: () => undefined,
    takeAddedTo: () => [],
    setPushedAt: () => undefined,
    entriesAfter: (id, seq, limit) => (jobs.find((job) => job.id === id)?.entries ?? []).filter((entry) => entry.seq > seq).slice(0, limit.entries)
  }
  return known as TeamPushStore
}

/** Memory of the server's processes beside the buffers, which it shares among them and fills by design; where the system tells it. */
function memoryOf(folder: string): number {
  const main = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0] ?? ''
  const processes = [main, ...readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === main)]
  return processes.reduce((sum, pid) => sum + Number(/^Pss_Anon:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024, 0)
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
