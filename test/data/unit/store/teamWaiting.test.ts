import Database from 'better-sqlite3'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databaseFileName } from '../../../../main/data/store/file/fileNames.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { appendEntry, openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const why = plainMessage('not now')

test('which jobs wait for the team log is kept as they change, and is what a look at all of them would tell', () => {
  const folder = tempFolder()
  const store = openTestStore(folder)
  const { teamPush } = store
  const sql = new Database(join(folder, databaseFileName), { readonly: true })
  const acknowledgeAll = (id: string): void => {
    const last = store.jobs.journal(id).at(-1)
    if (last)
      teamPush.acknowledge(id, { seq: last.seq, hash: last.hash }, { moved: teamPush.workMoved(id), operations: [] })
  }
  const acts: [string, () => void, string[]][] = [
    [
      'three jobs are begun',
      () =>
        ['one', 'two', 'three'].forEach((id, n) =>
          appendEntry(store, id, 'first', { createdAt: new Date(n * 60_000).toISOString() })
        ),
      ['three', 'two', 'one']
    ],
    ['one is there', () => acknowledgeAll('one'), ['three', 'two']],
    [
      'one goes on',
      () => appendEntry(store, 'one', 'second', { createdAt: new Date(0).toISOString() }),
      ['three', 'two', 'one']
    ],
    ['two is stopped', () => teamPush.stop('two', why), ['three', 'one']],
    [
      'what is stopped goes on here',
      () => appendEntry(store, 'two', 'second', { createdAt: new Date(60_000).toISOString() }),
      ['three', 'one']
    ],
    ['three waits for another laptop', () => teamPush.hold('three', why), ['one']],
    ['it is tried again', () => teamPush.tryHeldAgain(), ['three', 'one']],
    ['all three are there', () => ['one', 'two', 'three'].forEach(acknowledgeAll), []],
    ['the team is left', () => teamPush.setMembership(null), ['three', 'two', 'one']]
  ]
  for (const [what, act, waiting] of acts) {
    act()
    expect([what, teamPush.waiting(10)]).toEqual([what, waiting])
    const [kept, seen] = ['team_waiting', 'team_waits'].map((name) =>
      sql.prepare(`select job_id, created_at, key, is_held from ${name} order by job_id`).all()
    )
    expect([what, kept]).toEqual([what, seen])
    expect([what, teamPush.waitingCount()]).toEqual([what, kept?.length])
  }
  expect(teamPush.waiting(10, 'three')).toEqual(['two', 'one'])
  sql.close()
})
