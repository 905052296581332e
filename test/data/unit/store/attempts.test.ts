import Database from 'better-sqlite3'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrations } from '../../../../main/data/store/file/migrationList.ts'
import { openStore } from '../../../../main/data/store/index.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

/** A data folder as the version before the one journal of attempts left it. */
function writeOldFolder(): string {
  const folder = tempFolder()
  const sql = new Database(join(folder, 'fitter.db'))
  for (const migration of migrations.slice(0, 4)) if (typeof migration === 'string') sql.exec(migration)
  sql.exec(`
    insert into operation (id, kind, key, state, title, payload, reason, evidence, created_at, updated_at) values
      ('one', 'entities.link', 'vehicle:7', 'needsAttention', 'Link Unit 7 with Trailer 4', '{"a":1}', 'It is not known whether this arrived.',
       '[{"at":"2026-03-01T10:00:00.000Z","what":"Sent.","raw":null}]', '2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.000Z'),
      ('two', 'entities.link', 'vehicle:7', 'pending', 'Link Unit 7 with Trailer 5', '{"a":2}', 'Ready to be sent.', '[]', '2026-03-01T10:01:00.000Z', '2026-03-01T10:01:00.000Z');
    insert into operation_attempt values ('one', 1, 'hash', '2026-03-01T10:00:00.000Z', 1234, 'unknown: TIMEOUT'), ('one', 2, 'hash', '2026-03-01T10:00:05.000Z', null, null);
    insert into device_write (imei, at, operation, input, sent_by, outcome, detail, answer, ended_at) values
      ('356938035643809', '2026-02-01T10:00:00.000Z', 'exec.run', '{"command":"uptime"}', 'Ana', 'done', 'up', '{"out":"up"}', '2026-02-01T10:00:01.000Z'),
      ('356938035643809', '2026-02-02T10:00:00.000Z', 'modem.editApn', '{"apn":"a"}', 'Ana', 'unknown', '', 'null', null);
  `)
  sql.pragma('user_version = 4')
  sql.close()
  return folder
}

test('attempts and device writes of earlier versions stand in one journal, and old sentences are read as they are', () => {
  const store = openTestStore(writeOldFolder())
  expect(store.operations.attempts('one')).toEqual([
    {
      number: 1,
      requestHash: 'hash',
      startedAt: '2026-03-01T10:00:00.000Z',
      serverTimeMs: 1234,
      outcome: 'unknown: TIMEOUT',
      by: ''
    },
    { number: 2, requestHash: 'hash', startedAt: '2026-03-01T10:00:05.000Z', serverTimeMs: null, outcome: null, by: '' }
  ])
  expect(store.operations.get('one')).toMatchObject({
    sequence: 1,
    attempts: 2,
    isLive: false,
    title: { id: 'plain.text', values: { text: 'Link Unit 7 with Trailer 4' } },
    reason: { id: 'plain.text' },
    evidence: [{ what: { id: 'plain.text', values: { text: 'Sent.' } } }]
  })
  expect(store.deviceWrites.list({ imei: '356938035643809', operations: [], limit: 10 })).toMatchObject([
    { operation: 'modem.editApn', outcome: 'unknown', answer: null },
    {
      operation: 'exec.run',
      outcome: 'done',
      detail: { id: 'plain.text', values: { text: 'up' } },
      by: 'Ana',
      answer: { out: 'up' }
    }
  ])
})

test('what was sent is never taken out of the journal', () => {
  const folder = tempFolder()
  const store = openStore(folder)
  store.deviceWrites.begin({
    imei: 'x',
    at: '2026-03-01T10:00:00.000Z',
    operation: 'exec.run',
    input: {},
    by: '',
    jobId: null
  })
  store.close()
  const sql = new Database(join(folder, 'fitter.db'))
  expect(() => sql.exec('delete from attempt')).toThrow('what was sent is kept')
  sql.close()
})

test('open work, finished work and their counts come a page at a time, newest first', () => {
  const { operations } = openTestStore(tempFolder())
  const at = '2026-03-01T10:00:00.000Z'
  const said = { id: 'plain.text', values: { text: 'x' } }
  for (let n = 1; n <= 25; n++) {
    operations.add({
      id: `op${n}`,
      kind: 'k',
      key: `key:${n}`,
      state: n % 5 === 0 ? 'pending' : 'done',
      jobId: null,
      title: said,
      payload: {},
      reason: said,
      createdAt: at,
      isLive: false,
      needs: []
    })
  }
  const ids = (scope: 'open' | 'ended', before: number | null) =>
    operations.page({ scope, before, limit: 4 }).map(({ id }) => id)
  expect(ids('open', null)).toEqual(['op25', 'op20', 'op15', 'op10'])
  expect(ids('open', 10)).toEqual(['op5'])
  expect(ids('ended', 21)).toEqual(['op19', 'op18', 'op17', 'op16'])
  expect(operations.counts()).toEqual({ pending: 5, done: 20 })
  expect(operations.unfinished()).toHaveLength(5)
})
