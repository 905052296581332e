import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { openStore } from '../../../../main/data/store/index.ts'
import { makeMadeUpLog } from '../../../world/data/madeUpLog.ts'
import { appendEntry } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const jobs = 120
const entries = 6
let whole: string
/** The same folder with its last entries in the write-ahead log, as a kill leaves it. */
let killed: string
/** The data file before its last entries. */
let older: string
const pageBytes = 4096

beforeAll(async () => {
  const base = mkdtempSync(join(tmpdir(), 'fitter-damaged-'))
  whole = join(base, 'whole')
  await makeMadeUpLog(whole, { jobs, entries, operations: { done: 20, waiting: 5 } })
  older = join(base, 'older.db')
  copyFileSync(join(whole, 'fitter.db'), older)
  const store = openStore(whole)
  appendEntry(store, 'job-000100', 'the last entry')
  store.close()
  killed = join(base, 'killed')
  mkdirSync(killed)
  const running = openStore(whole)
  for (let n = 0; n < 5; n++) appendEntry(running, 'job-000101', `entry ${n} in the write-ahead log`)
  for (const name of readdirSync(whole))
    if (!name.includes('before')) copyFileSync(join(whole, name), join(killed, name))
  running.close()
  return () => rmSync(base, { recursive: true })
})

function copyOf(folder: string): string {
  const copy = tempFolder()
  mkdirSync(copy, { recursive: true })
  for (const name of readdirSync(folder))
    if (!name.includes('before') && !name.endsWith('-shm')) copyFileSync(join(folder, name), join(copy, name))
  return copy
}

type Outcome =
  | { kind: 'refused'; code: string }
  | { kind: 'opened'; findings: number; losses: number; count: number; journals: number }

/** Everything that a person does with a data folder. A fault that is no AppError ends the test. */
async function use(folder: string): Promise<Outcome> {
  try {
    const store = openStore(folder)
    try {
      const page = store.jobs.page({ limit: 200 })
      store.jobs.page({ limit: 50, search: 'nunez' })
      store.jobs.page({ limit: 50, state: 'done', search: 'truck' })
      const open = [...store.jobs.inState('running', 'installedAwaitingGateway')]
      let journals = 0
      for (const { id } of page.jobs) journals += store.jobs.journal(id).length
      store.operations.list()
      store.settings.get()
      store.knownDevices.page({ limit: 20, without: [] })
      store.copies.state({ url: 'u', user: 'x' }, 'vehicles')
      store.copies.putOne({ url: 'u', user: 'x' }, 'vehicles', {
        id: '1',
        name: 'Truck',
        exact: 'truck',
        words: 'truck',
        record: {}
      })
      store.copies.findWords({ url: 'u', user: 'x' }, 'vehicles', { starts: ['tr'], limit: 5 })
      appendEntry(store, 'job-000050', 'goes on', { state: 'done' })
      const { findings } = await store.check()
      return {
        kind: 'opened',
        findings: findings.length,
        losses: store.losses().length,
        count: page.jobs.length + open.length * 0,
        journals
      }
    } finally {
      store.close()
    }
  } catch (error) {
    if (error instanceof AppError && (error.code === 'DATA_UNUSABLE' || error.code === 'DATA_LOCKED'))
      return { kind: 'refused', code: error.code }
    throw error
  }
}

/** Refused with a sentence, or told by the check, or nothing of the log is missing. */
function expectToldOrWhole(outcome: Outcome): void {
  if (outcome.kind === 'refused') return
  const isWhole = outcome.count === jobs && outcome.journals >= jobs * entries + 1
  expect(isWhole || outcome.findings > 0).toBe(true)
}

const limit = { timeout: 360_000 }

test(
  'a page of zeros anywhere in the file is refused or told, and never a fault of Fitter',
  { ...limit, tags: ['long'] },
  async () => {
    const pages = readFileSync(join(whole, 'fitter.db')).length / pageBytes
    for (let copy = 0; copy < 24; copy++) {
      const folder = copyOf(whole)
      const bytes = readFileSync(join(folder, 'fitter.db'))
      const page = copy < 12 ? copy : Math.floor((copy / 24) * pages)
      bytes.fill(0, page * pageBytes, (page + 1) * pageBytes)
      writeFileSync(join(folder, 'fitter.db'), bytes)
      expectToldOrWhole(await use(folder))
      rmSync(folder, { recursive: true })
    }
  }
)

test(
  'flipped bytes anywhere in the file are refused or told, and never a fault of Fitter',
  { ...limit, tags: ['long'] },
  async () => {
    const size = readFileSync(join(whole, 'fitter.db')).length
    for (let copy = 0; copy < 24; copy++) {
      const folder = copyOf(whole)
      const bytes = readFileSync(join(folder, 'fitter.db'))
      for (let n = 0; n < 16; n++) {
        const at = Math.floor((size * ((copy * 31 + n * 17) % 401)) / 401) + n * 13
        if (at < size) bytes.writeUInt8((bytes[at] ?? 0) ^ 0x55, at)
      }
      writeFileSync(join(folder, 'fitter.db'), bytes)
      expectToldOrWhole(await use(folder))
      rmSync(folder, { recursive: true })
    }
  }
)

test('a file that was cut off is refused or told', limit, async () => {
  const size = readFileSync(join(whole, 'fitter.db')).length
  for (const share of [0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 0.97, 0.999]) {
    const folder = copyOf(whole)
    truncateSync(join(folder, 'fitter.db'), Math.floor(size * share))
    expectToldOrWhole(await use(folder))
    rmSync(folder, { recursive: true })
  }
})

test.for([
  ['the write-ahead log is missing', (folder: string) => rmSync(join(folder, 'fitter.db-wal'))],
  ['the write-ahead log is empty', (folder: string) => truncateSync(join(folder, 'fitter.db-wal'), 0)],
  ['the write-ahead log is cut', (folder: string) => truncateSync(join(folder, 'fitter.db-wal'), 5_000)],
  [
    'the write-ahead log is zeros',
    (folder: string) => writeFileSync(join(folder, 'fitter.db-wal'), Buffer.alloc(60_000))
  ],
  ['the write-ahead log is damaged in its middle', (folder: string) => damageMiddle(join(folder, 'fitter.db-wal'))],
  ['the data file is empty', (folder: string) => empty(folder)],
  [
    'the data file is missing',
    (folder: string) => {
      rmSync(join(folder, 'fitter.db'))
      rmSync(join(folder, 'fitter.db-wal'))
    }
  ],
  [
    'an older file stands in its place',
    (folder: string) => {
      rmSync(join(folder, 'fitter.db-wal'))
      copyFileSync(older, join(folder, 'fitter.db'))
    }
  ]
] as const)('it is told at the start and by every check when %s', limit, async ([, damage]) => {
  const folder = copyOf(killed)
  expect(existsSync(join(folder, 'fitter.db-wal'))).toBe(true)
  damage(folder)
  const first = await use(folder)
  if (first.kind === 'refused') return
  expect(first.losses).toBe(1)
  expect(first.findings).toBeGreaterThan(0)
  const again = await use(folder)
  expect(again).toMatchObject({ kind: 'opened', losses: 1 })
})

test('what a kill leaves is whole', limit, async () => {
  const outcome = await use(copyOf(killed))
  expect(outcome).toMatchObject({ kind: 'opened', findings: 0, losses: 0, count: jobs })
})

test('a write-ahead log of another folder is refused or told', limit, async () => {
  const other = tempFolder()
  const store = openStore(other)
  appendEntry(store, 'stranger', 'of another folder')
  const folder = copyOf(whole)
  copyFileSync(join(other, 'fitter.db-wal'), join(folder, 'fitter.db-wal'))
  store.close()
  const outcome = await use(folder)
  if (outcome.kind === 'opened') expect(outcome.findings).toBeGreaterThan(0)
})

test('a file that is deleted or exchanged while Fitter runs is told before anything is called kept', () => {
  const folder = copyOf(whole)
  const store = openStore(folder)
  const bytes = readFileSync(join(folder, 'fitter.db'))
  rmSync(join(folder, 'fitter.db'))
  expect(() => appendEntry(store, 'job-000001', 'into nothing')).toThrow(
    expect.objectContaining({ code: 'DATA_UNUSABLE' })
  )
  writeFileSync(join(folder, 'fitter.db'), bytes)
  expect(() => appendEntry(store, 'job-000001', 'into nothing')).toThrow(
    expect.objectContaining({ code: 'DATA_UNUSABLE' })
  )
  store.close()
})

function damageMiddle(file: string): void {
  const bytes = readFileSync(file)
  bytes.fill(0x5a, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 200)
  writeFileSync(file, bytes)
}

function empty(folder: string): void {
  truncateSync(join(folder, 'fitter.db'), 0)
  rmSync(join(folder, 'fitter.db-wal'))
}

/** Changes letters of a text that no seal covers, in the file itself. */
function alterText(folder: string, from: string, to: string): void {
  const file = join(folder, 'fitter.db')
  const bytes = readFileSync(file)
  const at = bytes.indexOf(from)
  expect(at).toBeGreaterThan(0)
  bytes.write(to, at)
  writeFileSync(file, bytes)
}

test('what was changed in a closed file is told, also where no seal covers it, and waiting work is read back first', () => {
  const folder = copyOf(whole)
  const before = openStore(folder)
  before.settings.change({ technician: 'Technician One' })
  before.close()
  alterText(folder, 'Technician One', 'Technician Two')
  const store = openStore(folder)
  expect(store.losses()).toMatchObject([{ id: 'store.changedWhileClosed' }])
  expect(store.operations.unfinished().filter(({ state }) => state === 'pending')).toEqual([])
  store.close()
  // Once: what it is now was closed in order.
  const next = openStore(folder)
  expect(next.losses()).toHaveLength(1)
  next.close()
})

test('a file that was killed, and one whose mark is of an earlier time, are accused of nothing', () => {
  const folder = copyOf(whole)
  const mark = readFileSync(join(folder, 'fitter.mark'))
  const store = openStore(folder)
  store.settings.change({ technician: 'Technician Two' })
  store.close()
  writeFileSync(join(folder, 'fitter.mark'), mark)
  const later = openStore(folder)
  expect(later.losses()).toEqual([])
  later.close()
})
