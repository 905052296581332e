import Database from 'better-sqlite3'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../../../main/data/store/index.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

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
