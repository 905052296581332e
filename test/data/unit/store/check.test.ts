import { plainMessage } from '../../../../preload/contract/messages.ts'
import Database from 'better-sqlite3'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { openStore } from '../../../../main/data/store/index.ts'
import { english } from '../../../world/window/english.ts'
import { makeMadeUpLog } from '../../../world/data/madeUpLog.ts'
import { appendEntry, openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

function makeLog(): string {
  const folder = tempFolder()
  const store = openStore(folder)
  for (let i = 1; i <= 12; i++) appendEntry(store, 'one', `entry number ${i} of the log`)
  store.operations.add({
    id: 'work',
    kind: 'entities.link',
    key: 'vehicle:1',
    state: 'pending',
    jobId: 'one',
    title: plainMessage('Link'),
    payload: { a: 1 },
    reason: plainMessage(''),
    isLive: false,
    needs: [],
    createdAt: '2026-03-01T10:00:00.000Z'
  })
  store.close()
  return folder
}

/** Changes the file behind the triggers, as a person with an editor for databases can. */
function tamper(folder: string, statements: string): void {
  const sql = new Database(join(folder, 'fitter.db'))
  sql.pragma('foreign_keys = off')
  sql.exec(
    'drop trigger journal_is_never_changed; drop trigger journal_is_never_shortened; drop trigger journal_is_never_replaced;'
  )
  sql.exec(statements)
  sql.close()
}

test('an untouched log is intact', async () => {
  expect(await openTestStore(makeLog()).check()).toEqual({ ok: true, findings: [], jobs: 1 })
})

test.for<[string, string, string]>([
  ['a changed word', 'update journal set data = \'{"text":"nicer"}\' where seq = 5', 'changed at entry 5'],
  ['a changed time', "update journal set at = '2026-03-01T10:00:01.000Z' where seq = 7", 'changed at entry 7'],
  ['a removed entry', 'delete from journal where seq = 4', 'changed at entry 5'],
  ['entries removed at the end', 'delete from journal where seq > 10', 'missing at its end'],
  ['a whole log removed', 'delete from journal', 'missing at its end'],
  [
    'two entries exchanged',
    'update journal set seq = 99 where seq = 3; update journal set seq = 3 where seq = 4; update journal set seq = 4 where seq = 99',
    'changed at entry 3'
  ],
  ['text that is no JSON', "update journal set data = '{' where seq = 2", 'cannot be read'],
  ['a changed line of the list', "update job set customer = 'Somebody else'", 'The list entry of job one was changed'],
  ['a wrong number of jobs', 'update job_count set jobs = 7', 'The job counts by state do not match'],
  ['work with a state that does not exist', "update operation set state = 'finished'", 'unknown state: finished'],
  [
    'work whose payload was changed',
    'update operation set payload = \'{"a":2}\'',
    'The content of the waiting work work was changed'
  ],
  ['work of a job that is gone', "update operation set job_id = 'gone'", 'refers to a missing record']
])('the check finds %s', async ([, statements, expected]) => {
  const folder = makeLog()
  tamper(folder, statements)
  const { ok, findings } = await openTestStore(folder).check()
  expect(ok).toBe(false)
  expect(findings.map(english).join(' ')).toContain(expected)
})

test('a byte that changes anywhere in the text of the log is found', { tags: ['long'], timeout: 180_000 }, async () => {
  const folder = makeLog()
  const file = join(folder, 'fitter.db')
  const bytes = readFileSync(file)
  let changed = 0
  for (let entry = 1; entry <= 12; entry++) {
    const at = bytes.indexOf(`entry number ${entry} of the log`)
    if (at < 0) continue
    const copy = Buffer.from(bytes)
    copy.writeUInt8((copy[at + 3] ?? 0) ^ 1, at + 3)
    writeFileSync(file, copy)
    changed += 1
    expect(await findingsOf(folder)).not.toEqual([])
  }
  expect(changed).toBe(12)
})

/** What is found by the check, or already on opening. */
async function findingsOf(folder: string): Promise<string[]> {
  try {
    const store = openStore(folder)
    try {
      return (await store.check()).findings.map(english)
    } finally {
      store.close()
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'DATA_UNUSABLE') return [error.message]
    throw error
  }
}

test('a hundred broken logs are told in a few lines', async () => {
  const folder = tempFolder()
  await makeMadeUpLog(folder, { jobs: 100, entries: 2 })
  openStore(folder).close()
  tamper(folder, "update journal set data = '{}' where seq = 2")
  const { findings, jobs } = await openTestStore(folder).check()
  expect(jobs).toBe(100)
  expect(findings.map(({ id }) => id)).toEqual([
    'store.changedWhileClosed',
    ...Array.from({ length: 10 }, () => 'store.logChanged'),
    'store.moreFindings'
  ])
  expect(findings.at(-1)?.values).toEqual({ n: 90 })
})

test('a quick look reads the newest jobs and nothing else, a whole one can be stopped and says how far it is', async () => {
  const folder = tempFolder()
  await makeMadeUpLog(folder, { jobs: 450, entries: 2 })
  const store = openTestStore(folder)
  expect(await store.check({ newest: 20 })).toEqual({ ok: true, findings: [], jobs: 20 })
  const told: [number, number][] = []
  await store.check({ progress: (done, total) => told.push([done, total]) })
  expect(told).toEqual([
    [200, 450],
    [400, 450],
    [450, 450]
  ])
  const stopping = new AbortController()
  await expect(store.check({ signal: stopping.signal, progress: () => stopping.abort() })).rejects.toMatchObject({
    code: 'CANCELLED'
  })
})

test('while the whole log is looked over, entries are written without waiting', async () => {
  const folder = tempFolder()
  await makeMadeUpLog(folder, { jobs: 400, entries: 20 })
  const store = openTestStore(folder)
  let isDone = false
  const checking = store.check().finally(() => (isDone = true))
  let written = 0
  while (!isDone) {
    appendEntry(store, 'beside', `entry ${written}`)
    written += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await checking).toMatchObject({ ok: true })
  expect(written).toBeGreaterThan(3)
  expect(store.jobs.journal('beside')).toHaveLength(written)
})

test('a kept snapshot whose bytes were changed is one sentence', async () => {
  const folder = tempFolder()
  const store = openStore(folder)
  for (const n of [1, 2])
    store.snapshots.keep({
      id: `s${n}`,
      imei: '861234016670005',
      jobId: null,
      cause: 'person',
      takenAt: `2026-04-12T09:0${n}:00.000Z`,
      vehicleId: null,
      text: `{"n":${n}}`
    })
  const { sha256 = '' } = store.snapshots.get('s2') ?? {}
  store.close()
  const sql = new Database(join(folder, 'fitter.db'))
  sql.exec(
    "drop trigger snapshot_is_never_changed; update snapshot set content = (select content from snapshot where id = 's1') where id = 's2'"
  )
  sql.close()
  const { findings } = await openTestStore(folder).check()
  expect(findings.filter(({ id }) => id !== 'store.changedWhileClosed')).toEqual([
    { id: 'store.snapshotChanged', values: { takenAt: '2026-04-12T09:02:00.000Z', hash: sha256.slice(0, 16) } }
  ])
})
