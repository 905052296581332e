import Database from 'better-sqlite3'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JobPageRequest } from '../../../../main/data/store/jobs/jobPages.ts'
import { startHash, verifyChain } from '../../../../main/data/store/jobs/seal.ts'
import { openStore } from '../../../../main/data/store/index.ts'
import { summaryOf } from '../../../world/data/jobSummary.ts'
import { appendEntry, openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

test('the log of a job comes back as it was written, oldest entry first', () => {
  const store = openTestStore(tempFolder())
  appendEntry(store, 'one', 'first')
  appendEntry(store, 'one', 'second')
  appendEntry(store, 'two', 'of another job')

  const log = store.jobs.journal('one')
  expect(log.map(({ seq, data }) => [seq, data])).toEqual([
    [1, { text: 'first' }],
    [2, { text: 'second' }]
  ])
  expect(store.jobs.journal('none')).toEqual([])
})

test('a job is listed and found by the vehicle that was typed until the gateway confirms one', () => {
  const store = openTestStore(tempFolder())
  const entry = { type: 'evidence', stepId: null, data: {}, at: '2026-03-01T10:00:00.000Z' }
  const job = { ...summaryOf('one'), vehicle: null, vehicleText: 'Unit 0008' }
  store.jobs.append('one', [entry], () => job)
  expect(store.jobs.page({ limit: 5, search: 'unit 8' }).jobs).toMatchObject([{ id: 'one', vehicleText: 'Unit 0008' }])
  const vehicle = { id: 8, name: 'Unit 0008' }
  store.jobs.append('one', [entry], () => ({ ...summaryOf('one'), vehicle }))
  const [listed] = store.jobs.page({ limit: 5, search: 'unit0008' }).jobs
  expect([listed?.vehicle, listed?.vehicleText]).toEqual([vehicle, undefined])
})

test('the hash chain of a log goes on over restarts', () => {
  const folder = tempFolder()
  for (const text of ['a', 'b', 'c']) {
    const store = openStore(folder)
    appendEntry(store, 'one', text)
    store.close()
  }
  const log = openTestStore(folder).jobs.journal('one')
  expect(log.map(({ seq }) => seq)).toEqual([1, 2, 3])
  expect(verifyChain('one', log)).toEqual({ ok: true })
  expect(log[0]?.hash).not.toBe(startHash('one'))
})

test('several entries of one call are kept together or not at all', () => {
  const store = openTestStore(tempFolder())
  appendEntry(store, 'one', 'first')
  const entry = (text: string) => ({ type: 'evidence', stepId: null, data: { text }, at: '2026-03-01T10:00:01.000Z' })
  expect(() =>
    store.jobs.append('one', [entry('second'), entry('third')], () => {
      throw new Error('the summary cannot be made')
    })
  ).toThrow('the summary cannot be made')
  expect(store.jobs.journal('one')).toHaveLength(1)

  store.jobs.append('one', [entry('second'), entry('third')], () => summaryOf('one'))
  expect(verifyChain('one', store.jobs.journal('one'))).toEqual({ ok: true })
})

test('an entry of the log can be neither changed nor removed, not even with SQL', () => {
  const folder = tempFolder()
  const store = openStore(folder)
  appendEntry(store, 'one', 'first')
  store.close()

  const sql = new Database(join(folder, 'fitter.db'))
  try {
    expect(() => sql.exec("update journal set data = '{}'")).toThrow('the journal is only added to')
    expect(() => sql.exec('delete from journal')).toThrow('the journal is only added to')
    expect(() =>
      sql.exec("insert or replace into journal select job_id, seq, at, type, step_id, '{}', hash from journal")
    ).toThrow('the journal is only added to')
  } finally {
    sql.close()
  }
})

test('jobs are listed newest first, by state and by any word of theirs, without regard to accents and case', () => {
  const store = openTestStore(tempFolder())
  appendEntry(store, 'old', '', {
    updatedAt: '2026-03-01T08:00:00.000Z',
    state: 'done',
    customer: 'Transportes Núñez',
    technician: 'Ana'
  })
  appendEntry(store, 'new', '', { updatedAt: '2026-03-02T08:00:00.000Z', vehicle: { id: 12, name: 'Truck 100% "A"' } })

  const ids = (request: Partial<JobPageRequest>) => store.jobs.page({ limit: 100, ...request }).jobs.map(({ id }) => id)
  expect(ids({})).toEqual(['new', 'old'])
  expect(ids({ state: 'done' })).toEqual(['old'])
  expect(ids({ search: 'NUNEZ' })).toEqual(['old'])
  expect(ids({ search: '100% "a"' })).toEqual(['new'])
  expect(ids({ search: '356938035643809' })).toEqual(['new', 'old'])
  expect(ids({ search: "' or 1=1 --" })).toEqual([])
  expect(ids({ state: 'done', search: 'truck' })).toEqual([])
})

test('of the running jobs, those whose row says that nothing is under way are left out; those whose row does not tell are not', () => {
  const store = openTestStore(tempFolder())
  const none = {
    waiting: 1,
    running: 0,
    pass: 1,
    sent: 0,
    warn: 0,
    fail: 0,
    unreadable: 0,
    waived: 0,
    deferred: 0,
    notApplicable: 0
  }
  const kept: Record<string, object> = {
    quiet: { counts: none },
    busy: { counts: { ...none, running: 1 } },
    'left for the gateway': { counts: { ...none, deferred: 2 } },
    'of an earlier version': {},
    'without counts': { named: [] },
    'only to be closed': { counts: none, stepsDone: 2 },
    'handed over': {
      counts: { ...none, running: 1, deferred: 1 },
      handedOver: { id: 'x', to: 'Ana', at: '2026-03-01T10:00:00.000Z' }
    },
    done: { counts: { ...none, running: 1 }, state: 'done' }
  }
  for (const [id, more] of Object.entries(kept))
    appendEntry(store, id, 'first', { state: 'running', stepsDone: 1, stepsTotal: 2, ...more })
  const found = (bead: 'running' | 'deferred') => store.jobs.runningWith(bead).map(({ id }) => id)
  expect(found('running').sort()).toEqual(['busy', 'of an earlier version', 'only to be closed', 'without counts'])
  expect(found('deferred').sort()).toEqual([
    'left for the gateway',
    'of an earlier version',
    'only to be closed',
    'without counts'
  ])
})
