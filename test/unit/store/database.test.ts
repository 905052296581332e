import Database from 'better-sqlite3'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppError } from '../../../preload/contract/errors.ts'
import { sealEntry, startHash } from '../../../main/store/seal.ts'
import { openStore } from '../../../main/store/index.ts'
import { migrations } from '../../../main/store/migrations/index.ts'
import { appendEntry, openTestStore } from '../../support/storedJobs.ts'
import { tempFolder } from '../../support/tempFolder.ts'

function refusal(work: () => unknown): { code: string; message: string } {
  try {
    work()
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message }
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

test('a file of every older version is brought up to this one without losing its log', () => {
  for (let version = 1; version < migrations.length; version++) {
    const folder = tempFolder()
    const sql = new Database(join(folder, 'fitter.db'))
    const [first = '', ...later] = migrations.slice(0, version)
    sql.exec(first)
    sql.exec(`insert into job (id, kind, state, template_id, imei, summary, search, created_at, updated_at) values ('one', '', '', '', '', '{}', '', '', '')`)
    const { seq, at, type, stepId, data, hash } = sealEntry(startHash('one'), { seq: 1, at: '2026-01-01T00:00:00.000Z', type: 'jobCreated', stepId: null, data: {} })
    sql.prepare('insert into journal (job_id, seq, at, type, step_id, data, hash) values (?, ?, ?, ?, ?, ?, ?)').run('one', seq, at, type, stepId, JSON.stringify(data), hash)
    for (const migration of later) sql.exec(migration)
    sql.pragma(`user_version = ${version}`)
    sql.close()
    const store = openTestStore(folder)
    expect(store.check()).toEqual({ ok: true, findings: [] })
    appendEntry(store, 'one', 'goes on')
    expect(store.jobs.journal('one')).toHaveLength(2)
    expect(store.check()).toEqual({ ok: true, findings: [] })
  }
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
    message: 'The data folder cannot be made there. Choose another folder with --data.'
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
