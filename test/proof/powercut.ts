import Database from 'better-sqlite3'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path, { join } from 'node:path'
import { checkData } from '../../main/data/store/damage/checkDataFile.ts'
import { openStore, type Store } from '../../main/data/store/index.ts'
import { english } from '../world/window/english.ts'
import { memoryFolder } from '../world/memoryFolder.ts'
import { apply, readTrace, settle, tear, type Change, type Disk, type DiskEvent } from './diskModel.ts'

/**
 * Power cuts without pulling a plug: every write, rename and sync of a process that keeps entries, gateway work and
 * pictures is recorded, and the folder is rebuilt as a disk could hold it after a cut at every point: only what was
 * synced for sure, names and contents apart, and any part of the rest. In each of them everything that was acknowledged
 * must be there.
 */
export interface PowercutResult {
  events: number
  states: number
  acknowledged: number
  lost: string[]
  broken: string[]
}

export interface PowercutOptions {
  rounds: number
  seed: number
  /** States with a random part of what was not synced, for each point. */
  tears?: number
  /** Only such a share of the states is looked at, another one with another seed. */
  share?: number
  /** `normal`: the writer does not wait for the disk; the first loss is enough then. */
  synchronous?: 'full' | 'normal'
}

const writer = join(import.meta.dirname, '..', 'world', 'data', 'workForPowercuts.ts')
const calls = 'openat,mkdir,rename,unlink,write,pwrite64,ftruncate,fsync,fdatasync'

export function hasStrace(): boolean {
  return spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
}

export function provePowercuts(options: PowercutOptions): PowercutResult {
  const base = mkdtempSync(join(memoryFolder, 'fitter-powercut-'))
  try {
    return judge(record(base, options), base, options)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function record(base: string, { rounds, synchronous = 'full' }: PowercutOptions): DiskEvent[] {
  const before = join(base, 'before')
  const trace = join(base, 'trace')
  mkdirSync(before)
  const { status, stderr } = spawnSync(
    'strace',
    [
      '-f',
      '-y',
      '-xx',
      '-s',
      '200000',
      '-o',
      trace,
      '-e',
      `trace=${calls}`,
      process.execPath,
      writer,
      join(before, 'data'),
      String(rounds),
      synchronous
    ],
    { encoding: 'utf8', env: { ...process.env, UV_THREADPOOL_SIZE: '1' } }
  )
  if (status !== 0) throw new Error(`The writer could not be recorded: ${stderr}`)
  // Nothing is lost with the room that is kept, nor with the file that is only locked.
  return readTrace(readFileSync(trace, 'latin1'), before, (file) => /fitter\.(reserved|lock)/.test(path.basename(file)))
}

function judge(
  events: DiskEvent[],
  base: string,
  { seed, tears = 1, share = 1, synchronous = 'full' }: PowercutOptions
): PowercutResult {
  const random = randomFrom(seed)
  const result: PowercutResult = { events: events.length, states: 0, acknowledged: 0, lost: [], broken: [] }
  const disk: Disk = { contents: new Map(), names: new Map() }
  const acknowledged: Ack[] = []
  let loose: Change[] = []
  for (const [cut, event] of events.entries()) {
    if (event.kind === 'ack') acknowledged.push(event)
    else if (event.kind === 'sync')
      loose = settle(loose, disk, (change) => change.kind !== 'names' && change.id === event.id)
    else if (event.kind === 'syncFolder')
      loose = settle(loose, disk, (change) => change.kind === 'names' && change.folder === event.folder)
    else loose.push(event)
    result.acknowledged = acknowledged.length
    const torn = Array.from({ length: tears }, () => tear(loose, random))
    const cases = loose.length === 0 ? [[]] : [[], loose.slice(0, Math.ceil(loose.length / 2)), ...torn]
    for (const kept of cases) {
      if (synchronous === 'normal' ? acknowledged.length === 0 : random() > share) continue
      const held: Disk = { contents: new Map(disk.contents), names: new Map(disk.names) }
      for (const change of kept) apply(held, change)
      result.states += 1
      look(held, base, acknowledged, `cut after event ${cut + 1} (${event.kind})`, result)
    }
    if (synchronous === 'normal' && result.lost.length > 0) break
  }
  return result
}

type Ack = Extract<DiskEvent, { kind: 'ack' }>

/** Opens what the disk holds as the application does. */
function look(disk: Disk, base: string, acknowledged: readonly Ack[], where: string, result: PowercutResult): void {
  const [before, after] = [join(base, 'before'), join(base, 'after')]
  rmSync(after, { recursive: true, force: true })
  mkdirSync(after)
  for (const [name, id] of [...disk.names].sort(([one], [other]) => one.length - other.length)) {
    const place = join(after, path.relative(before, name))
    // What lies in a folder that is not there is not there either.
    if (!existsSync(path.dirname(place))) continue
    if (id === 'folder') mkdirSync(place)
    else writeFileSync(place, disk.contents.get(id) ?? Buffer.alloc(0))
  }
  try {
    const store = openStore(join(after, 'data'))
    try {
      const sql = new Database(store.file, { readonly: true })
      const { ok, findings } = checkData(sql, {}, () => undefined)
      sql.close()
      if (!ok) result.broken.push(`${where}: ${findings.map(english).join(' ')}`)
      const missing = acknowledged.filter((ack) => !isThere(store, ack))
      if (missing.length > 0)
        result.lost.push(`${where}: ${missing.map(({ what, name }) => `${what} ${name}`).join(', ')}`)
    } finally {
      store.close()
    }
  } catch (error) {
    result.broken.push(`${where}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function isThere({ jobs, operations, attachments }: Store, { what, name }: Ack): boolean {
  if (what === 'entry') return jobs.journal('one').length >= Number(name)
  if (what === 'operation') return operations.get(name) !== undefined
  try {
    return attachments.read(name).length > 0
  } catch {
    return false
  }
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
