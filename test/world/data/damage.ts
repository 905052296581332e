import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { openStore } from '../../../main/data/store/index.ts'
import { message } from '../../../preload/contract/messages.ts'
import { makeMadeUpLog } from './madeUpLog.ts'
import { makePastJobs } from './pastJobs.ts'
import { appendEntry } from './storedJobs.ts'

/** What a data folder holds, row by row: `table` and key of each, with all its columns. */
export type Contents = Map<string, string>

/** What a data file is made of that a kill left, beside one that was closed in order. */
export interface DamageBase {
  closed: string
  killed: string
  /** A write-ahead log of another data folder. */
  foreignLog: Buffer
  contents: { closed: Contents; killed: Contents }
}

const pageBytes = 4096
/** Made again from the rest, or about the file itself. */
const notCounted = /^(sqlite_|job_word|job_count$|job_facet$|loss$|damaged_job$)/

/** A folder of some years in small: jobs, their logs, work for the gateway in every state, outputs, devices. */
export async function makeDamageBase(folder: string): Promise<DamageBase> {
  const closed = path.join(folder, 'closed')
  const used = path.join(folder, 'used')
  const killed = path.join(folder, 'killed')
  await makeMadeUpLog(closed, { jobs: 260, entries: 18, operations: { done: 60, waiting: 20 } })
  makePastJobs(closed, 40, new Date('2026-03-01T10:00:00.000Z'))
  fill(closed)
  copyFolder(closed, used)
  const running = openStore(used)
  for (let n = 0; n < 40; n++)
    appendEntry(running, `job-${String(100 + n).padStart(6, '0')}`, `entry ${n} in the write-ahead log`)
  send(running, 'work-73')
  appendEntry(running, 'job-000105', 'the last entry')
  copyFolder(used, killed)
  running.close()
  const foreignLog = logOfAnother(path.join(folder, 'other'))
  return { closed, killed, foreignLog, contents: { closed: readContents(closed), killed: readContents(used) } }
}

function fill(folder: string): void {
  const store = openStore(folder)
  store.settings.change({ technician: 'Technician One' })
  const at = '2026-03-01T10:00:00.000Z'
  for (let n = 0; n < 120; n++)
    store.knownDevices.remember({
      imei: String(356_000_000_000_000 + n),
      model: 'cc3',
      label: `Device ${n}`,
      lastSeenAt: at
    })
  for (let n = 0; n < 12; n++) send(store, `work-${n + 60}`)
  for (let n = 0; n < 40; n++) {
    const id = store.outputLedger.begin({
      imei: String(356_000_000_000_000 + n),
      output: 'OUT1',
      path: 'local',
      vehicleId: null,
      address: '192.168.1.5:80',
      since: at,
      by: 'Technician One',
      jobId: null
    })
    if (n > 1) store.outputLedger.end(id, { how: 'proved', by: 'Technician One', reason: '', at })
  }
  store.close()
}

function logOfAnother(folder: string): Buffer {
  const store = openStore(folder)
  for (let n = 0; n < 10; n++) appendEntry(store, `stranger-${n}`, 'of another folder')
  const log = fs.readFileSync(path.join(folder, 'fitter.db-wal'))
  store.close()
  return log
}

function send(store: ReturnType<typeof openStore>, id: string): void {
  const before = store.operations.get(id)
  store.operations.beginAttempt(
    id,
    {
      number: (before?.attempts ?? 0) + 1,
      requestHash: 'a'.repeat(64),
      startedAt: '2026-03-01T10:00:00.000Z',
      serverTimeMs: null,
      by: 'Technician One',
      imei: null
    },
    message('operations.ready')
  )
}

export function copyFolder(from: string, to: string): void {
  fs.mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of fs.readdirSync(from))
    if (!name.endsWith('-shm') && fs.statSync(path.join(from, name)).isFile())
      fs.copyFileSync(path.join(from, name), path.join(to, name))
}

/** Reads every row that counts. */
export function readContents(folder: string): Contents {
  const sql = new Database(path.join(folder, 'fitter.db'), { readonly: true })
  try {
    const contents: Contents = new Map()
    const tables = sql
      .prepare<[], { name: string }>("select name from sqlite_schema where type = 'table'")
      .all()
      .filter(({ name }) => !notCounted.test(name))
    for (const { name } of tables) {
      const columns = sql.pragma(`table_info(${name})`) as { name: string; pk: number }[]
      const key = columns.filter(({ pk }) => pk > 0).map((column) => column.name)
      for (const row of sql.prepare<[], Record<string, unknown>>(`select * from ${name}`).iterate()) {
        if (row['name'] === '$fence') continue
        contents.set(
          `${name} ${key.map((column) => String(row[column])).join(' ')}`,
          JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
        )
      }
    }
    return contents
  } finally {
    sql.close()
  }
}

/** A number for each call, the same for the same seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below)
  }
}

export interface DamageCase {
  kind: 'onePage' | 'pages' | 'flipped' | 'cut' | 'logMissing' | 'logForeign' | 'logDamaged' | 'onePageAndLog'
  of: 'closed' | 'killed'
  damage(folder: string): void
}

const kinds: readonly DamageCase['kind'][] = [
  'onePage',
  'onePage',
  'flipped',
  'flipped',
  'pages',
  'cut',
  'onePageAndLog',
  'logMissing',
  'logForeign',
  'logDamaged'
]

/** The case of this number: all kinds in turn, each somewhere else. */
export function damageCase(base: DamageBase, number: number, seed: number): DamageCase {
  const random = createRandom(seed * 100_003 + number)
  const kind = kinds[number % kinds.length] ?? 'onePage'
  const of = kind.startsWith('log') || kind === 'onePageAndLog' ? 'killed' : 'closed'
  return { kind, of, damage: (folder) => damageFile(kind, folder, random, base) }
}

function damageFile(
  kind: DamageCase['kind'],
  folder: string,
  random: (below: number) => number,
  { foreignLog }: DamageBase
): void {
  const file = path.join(folder, 'fitter.db')
  const log = `${file}-wal`
  const bytes = fs.readFileSync(file)
  const pages = bytes.length / pageBytes
  const zero = (page: number): void => void bytes.fill(0, page * pageBytes, (page + 1) * pageBytes)
  switch (kind) {
    case 'onePage':
    case 'onePageAndLog':
      zero(random(pages))
      return fs.writeFileSync(file, bytes)
    case 'pages':
      for (let n = 2 + random(6); n > 0; n--) zero(random(pages))
      return fs.writeFileSync(file, bytes)
    case 'flipped':
      for (let n = 1 + random(16); n > 0; n--) {
        const at = random(bytes.length)
        bytes.writeUInt8((bytes[at] ?? 0) ^ (1 + random(255)), at)
      }
      return fs.writeFileSync(file, bytes)
    case 'cut':
      return fs.truncateSync(file, random(bytes.length))
    case 'logMissing':
      return random(2) === 0 ? fs.rmSync(log) : fs.truncateSync(log, 0)
    case 'logForeign':
      return fs.writeFileSync(log, foreignLog)
    case 'logDamaged': {
      const written = fs.readFileSync(log)
      if (random(3) === 0) return fs.truncateSync(log, random(written.length))
      const at = random(written.length)
      written.fill(0x5a, at, at + 1 + random(600))
      return fs.writeFileSync(log, written)
    }
  }
}
