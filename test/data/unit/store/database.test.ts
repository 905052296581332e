import Database from 'better-sqlite3'
import { chmodSync, closeSync, fstatSync, mkdirSync, openSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { verifyChain } from '../../../../main/data/store/jobs/seal.ts'
import { openStore } from '../../../../main/data/store/index.ts'
import { migrations } from '../../../../main/data/store/file/migrationList.ts'
import { english } from '../../../world/window/english.ts'
import { madeUpJob, makeMadeUpLog } from '../../../world/data/madeUpLog.ts'
import { appendEntry, openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

function refusal(work: () => unknown): { code: string; message: string } {
  try {
    work()
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: english(error.sentence) }
    throw error
  }
  throw new Error('Nothing was refused')
}

test('a second opening of the same folder is refused while the first is open, and works after it', () => {
  const folder = tempFolder()
  const first = openStore(folder)
  const refused = refusal(() => openStore(folder))
  expect(refused.code).toBe('DATA_LOCKED')
  expect(refused.message).toBe('Another Fitter uses this data folder. Close it, or choose another folder with --data.')
  appendEntry(first, 'one', 'still works')
  first.close()
  expect(openTestStore(folder).jobs.journal('one')).toHaveLength(1)
})

test('closing twice touches no file that got the number of a closed one', () => {
  const folder = tempFolder()
  const store = openStore(folder)
  store.close()
  // The system gives the lowest free numbers again.
  const others = Array.from({ length: 20 }, (_, n) => {
    const path = join(folder, `other-${n}`)
    return { path, handle: openSync(path, 'wx+') }
  })
  store.close()
  const states = others.map(({ path, handle }) => {
    try {
      fstatSync(handle)
      closeSync(handle)
      return statSync(path).size
    } catch {
      return 'closed'
    }
  })
  expect(new Set(states)).toEqual(new Set([0]))
})

test('a writer whose lease was taken over writes nothing any more', () => {
  const store = openTestStore(tempFolder())
  appendEntry(store, 'one', 'first')
  store.together(() => store.settings.change({ technician: 'Ana' }))
  // What a takeover leaves in the file: a larger number than the one that this writer got.
  takeOver(store)
  const refused = refusal(() => appendEntry(store, 'one', 'second'))
  expect(refused.code).toBe('DATA_LOCKED')
  expect(store.jobs.journal('one')).toHaveLength(1)
  expect(refusal(() => store.settings.change({ technician: 'Eva' })).code).toBe('DATA_LOCKED')
  expect(store.settings.get().technician).toBe('Ana')
})

function takeOver(store: ReturnType<typeof openStore>): void {
  store.settings.change({ ['$fence' as 'technician']: '99' })
}

test('a file written by a newer Fitter is refused and left as it is', () => {
  const folder = tempFolder()
  openStore(folder).close()
  const file = join(folder, 'fitter.db')
  const sql = new Database(file)
  sql.pragma(`user_version = ${migrations.length + 1}`)
  sql.close()
  const refused = refusal(() => openStore(folder))
  expect(refused.code).toBe('DATA_UNUSABLE')
  expect(refused.message).toContain('newer Fitter')
  const after = new Database(file)
  expect(after.pragma('user_version', { simple: true })).toBe(migrations.length + 1)
  after.close()
})

test('a list is found again after a start: newest first, by every word, and each log with its seal', async () => {
  const folder = tempFolder()
  await makeMadeUpLog(folder, { jobs: 250, entries: 3 })
  const old = Array.from({ length: 250 }, (_, number) => madeUpJob(number))
  const store = openTestStore(folder)
  const { jobs, total, counts } = store.jobs.page({ limit: 200 })
  expect(total).toBe(250)
  expect(Object.values(counts).reduce((sum, n) => sum + n, 0)).toBe(250)
  expect(jobs.map(({ id }) => id)).toEqual(
    old
      .map(({ id }) => id)
      .sort()
      .reverse()
      .slice(0, 200)
  )
  const shown = new Map(jobs.map((job) => [job.id, job]))
  for (const job of old.slice(-200)) expect(shown.get(job.id)).toEqual(job)
  for (const job of old.slice(0, 20)) {
    expect(store.jobs.page({ limit: 10, search: job.vehicle?.name ?? '' }).jobs.map(({ id }) => id)).toContain(job.id)
    expect(verifyChain(job.id, store.jobs.journal(job.id))).toEqual({ ok: true })
  }
})

test('the data folder and what lies in it are closed to others, also where they stood open', async () => {
  const folder = join(tempFolder(), 'data')
  await makeMadeUpLog(folder, { jobs: 1, entries: 1 })
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'fitter.db'), 0o644)
  for (const name of ['attachments', 'backups', 'training']) {
    mkdirSync(join(folder, name, 'inside'), { recursive: true, mode: 0o755 })
    writeFileSync(join(folder, name, 'inside', 'file'), 'open', { mode: 0o644 })
  }
  writeFileSync(join(folder, 'browser-host.json'), '{}', { mode: 0o644 })
  openTestStore(folder)
  const modes = [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))].map(
    (name) => statSync(name).mode & 0o077
  )
  expect(new Set(modes)).toEqual(new Set([0]))
})

test('a folder that others use as well stays as it is, and only the files of Fitter are closed', () => {
  const folder = join(tempFolder(), 'shared')
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'notes.txt'), 'of somebody', { mode: 0o644 })
  openTestStore(folder)
  expect(statSync(folder).mode & 0o777).toBe(0o755)
  expect(statSync(join(folder, 'notes.txt')).mode & 0o777).toBe(0o644)
  expect(statSync(join(folder, 'fitter.db')).mode & 0o077).toBe(0)
})

test('a file that is no database is refused with the way back', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'fitter.db'), 'x'.repeat(8192))
  const refused = refusal(() => openStore(folder))
  expect(refused.code).toBe('DATA_UNUSABLE')
  expect(refused.message).toContain('fitter data restore')
})

test('a data folder whose name belongs to a file is refused in one sentence', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'taken'), '')
  expect(refusal(() => openStore(join(folder, 'taken')))).toEqual({
    code: 'DATA_UNUSABLE',
    message: 'The data folder cannot be created there. Choose another folder with --data.'
  })
})

test.runIf(process.platform !== 'win32')('only the person who uses Fitter may read the data', () => {
  const made = join(tempFolder(), 'data')
  openTestStore(made)
  expect(statSync(made).mode & 0o777).toBe(0o700)
  const existing = tempFolder()
  mkdirSync(join(existing, 'data'), { mode: 0o755 })
  openTestStore(join(existing, 'data'))
  expect(statSync(join(existing, 'data', 'fitter.db')).mode & 0o077).toBe(0)
})

test('what is written together is kept together', () => {
  const store = openTestStore(tempFolder())
  expect(() =>
    store.together(() => {
      appendEntry(store, 'one', 'first')
      store.settings.change({ technician: 'Ana' })
      throw new Error('broken off')
    })
  ).toThrow('broken off')
  expect(store.jobs.journal('one')).toEqual([])
  expect(store.settings.get().technician).toBe('')
})
