import Database from 'better-sqlite3'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { checkData } from '../../main/store/check.ts'
import { openStore } from '../../main/store/index.ts'
import { english } from '../support/english.ts'

/**
 * Power cuts without pulling a plug: every write and sync of a process that appends to a log is recorded, and the files
 * are rebuilt as a disk could hold them after a cut at every point: only what was synced for sure, any part of the rest,
 * torn at 512 bytes. In each of them everything that was acknowledged must be there, with its chain whole.
 */
export interface PowercutResult {
  events: number
  states: number
  acknowledged: number
  lost: string[]
  broken: string[]
}

type Event =
  | { kind: 'write'; file: string; at: number; bytes: Buffer }
  | { kind: 'truncate'; file: string; size: number }
  | { kind: 'remove'; file: string }
  | { kind: 'sync'; file: string }
  | { kind: 'syncFolder' }
  | { kind: 'ack'; seq: number }
type Change = Extract<Event, { kind: 'write' | 'truncate' | 'remove' }>

const writer = join(import.meta.dirname, '..', 'support', 'appendForever.ts')

export function hasStrace(): boolean {
  return spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
}

export function provePowercuts({ entries, seed }: { entries: number; seed: number }): PowercutResult {
  const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'fitter-powercut-'))
  try {
    return judge(record(base, entries), base, seed)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function record(base: string, entries: number): Event[] {
  const folder = join(base, 'data')
  const trace = join(base, 'trace')
  const calls = 'pwrite64,fsync,fdatasync,ftruncate,write,unlink'
  const { status, stderr } = spawnSync(
    'strace',
    ['-f', '-y', '-xx', '-s', '200000', '-o', trace, '-e', `trace=${calls}`, process.execPath, writer, folder, String(entries), '900'],
    { encoding: 'utf8' }
  )
  if (status !== 0) throw new Error(`The writer could not be recorded: ${stderr}`)
  return readFileSync(trace, 'latin1')
    .split('\n')
    .map((line) => readEvent(line, folder))
    .filter((event) => event !== undefined)
}

function readEvent(line: string, folder: string): Event | undefined {
  const removed = /^\d+\s+unlink\("((?:\\x[0-9a-f]{2})*)"\)\s+= 0/.exec(line)
  if (removed) {
    const path = bytesOf(removed[1]).toString('utf8')
    return path.startsWith(`${folder}/`) ? { kind: 'remove', file: basename(path) } : undefined
  }
  const call = /^\d+\s+(pwrite64|fsync|fdatasync|ftruncate|write)\(\d+<([^>]*)>(.*)$/.exec(line)
  if (!call) return undefined
  const [, name, shownPath = '', rest = ''] = call
  const path = shownPath.startsWith('\\x') ? bytesOf(shownPath).toString('utf8') : shownPath
  const payload = bytesOf(/"((?:\\x[0-9a-f]{2})*)"/.exec(rest)?.[1])
  if (name === 'write') {
    const ack = /^ACK (\d+)/.exec(payload.toString('latin1'))
    return ack ? { kind: 'ack', seq: Number(ack[1]) } : undefined
  }
  if (path === folder) return { kind: 'syncFolder' }
  if (!path.startsWith(`${folder}/`)) return undefined
  const file = basename(path)
  if (name === 'pwrite64') return { kind: 'write', file, at: Number(/, (\d+), (\d+)\)/.exec(rest)?.[2]), bytes: payload }
  if (name === 'ftruncate') return { kind: 'truncate', file, size: Number(/^, (\d+)\)/.exec(rest)?.[1]) }
  return { kind: 'sync', file }
}

function bytesOf(hex: string | undefined): Buffer {
  return Buffer.from((hex ?? '').replaceAll('\\x', ''), 'hex')
}

function judge(events: Event[], base: string, seed: number): PowercutResult {
  const random = randomFrom(seed)
  const result: PowercutResult = { events: events.length, states: 0, acknowledged: 0, lost: [], broken: [] }
  const durable = new Map<string, Buffer>()
  let loose: Change[] = []
  events.forEach((event, cut) => {
    if (event.kind === 'ack') result.acknowledged = event.seq
    else if (event.kind === 'sync') loose = settle(loose, durable, (change) => change.file === event.file && change.kind !== 'remove')
    else if (event.kind === 'syncFolder') loose = settle(loose, durable, (change) => change.kind === 'remove')
    else loose.push(event)
    const cases = loose.length === 0 ? [[]] : [[], loose.slice(0, Math.ceil(loose.length / 2)), tear(loose, random)]
    for (const kept of cases) {
      const files = new Map([...durable].map(([name, bytes]) => [name, Buffer.from(bytes)]))
      for (const change of kept) apply(files, change)
      result.states += 1
      look(files, join(base, 'after'), `cut after event ${cut + 1} (${event.kind})`, result)
    }
  })
  return result
}

/** Applies what is durable now and gives back the rest. */
function settle(loose: Change[], durable: Map<string, Buffer>, isDurable: (change: Change) => boolean): Change[] {
  for (const change of loose.filter(isDurable)) apply(durable, change)
  return loose.filter((change) => !isDurable(change))
}

/** Any part of the loose changes, in any order, some of them torn. */
function tear(loose: Change[], random: () => number): Change[] {
  return loose
    .map((change) => ({ change, order: random() }))
    .sort((a, b) => a.order - b.order)
    .filter(() => random() < 0.5)
    .map(({ change }) => {
      if (change.kind !== 'write' || change.bytes.length <= 512 || random() > 0.3) return change
      return { ...change, bytes: change.bytes.subarray(0, 512 * (1 + Math.floor(random() * (change.bytes.length / 512 - 1)))) }
    })
}

function apply(files: Map<string, Buffer>, change: Change): void {
  if (change.kind === 'remove') return void files.delete(change.file)
  const before = files.get(change.file) ?? Buffer.alloc(0)
  if (change.kind === 'truncate') return void files.set(change.file, Buffer.from(before.subarray(0, change.size)))
  const after = Buffer.alloc(Math.max(before.length, change.at + change.bytes.length))
  before.copy(after)
  change.bytes.copy(after, change.at)
  files.set(change.file, after)
}

/** Opens what the disk holds as the application does. */
function look(files: Map<string, Buffer>, folder: string, where: string, result: PowercutResult): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
  try {
    const store = openStore(folder)
    try {
      const sql = new Database(store.file, { readonly: true })
      const { ok, findings } = checkData(sql, {}, () => undefined)
      sql.close()
      if (!ok) result.broken.push(`${where}: ${findings.map(english).join(' ')}`)
      const kept = store.jobs.journal('one').length
      if (kept < result.acknowledged) result.lost.push(`${where}: ${result.acknowledged} acknowledged, ${kept} kept`)
    } finally {
      store.close()
    }
  } catch (error) {
    result.broken.push(`${where}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
