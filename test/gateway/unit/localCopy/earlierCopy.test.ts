import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openStore } from '../../../../main/data/store/index.ts'
import { migrations } from '../../../../main/data/store/file/migrationList.ts'
import { copies as moveCopies } from '../../../../main/data/store/file/migrations/0016-copies.ts'
import { openCopies } from '../../../world/gateway/copiedLists.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

/** A data folder from when vehicles were copied alone. */
function earlierFolder(): string {
  const folder = tempFolder()
  const sql = new Database(path.join(folder, 'fitter.db'))
  const before = migrations.indexOf(moveCopies)
  for (const migration of migrations.slice(0, before)) {
    if (typeof migration === 'string') sql.exec(migration)
    else migration(sql, () => undefined)
  }
  sql.pragma(`user_version = ${before}`)
  sql.exec(`
    insert into vehicle_site (key, url, user, copied_at, is_complete) values (4, 'https://gateway.example/api', 'one@example.com', '2026-11-01T08:00:00.000Z', 1);
    insert into vehicle_copy (key, site, id, name, exact, record, walk)
      values (9, 4, 12, 'Truck 4', 'truck 4', '{"id":12,"name":"Truck 4","plate":"HLD004","vin":null,"imei":null,"groups":[1],"info":{}}', 0);
    insert into vehicle_word (rowid, site, words) values (9, 'site4', 'truck 4 hld004');
  `)
  sql.close()
  return folder
}

test('vehicles that an earlier version copied are still found, with their age', async () => {
  const store = openStore(earlierFolder())
  try {
    const copies = openCopies(store.copies, [])
    expect((await copies.search('vehicles', { text: 'hld', limit: 5 })).records).toMatchObject([
      { id: 12, name: 'Truck 4' }
    ])
    expect(await copies.findExact('vehicle', 'HLD 004')).toMatchObject({
      kind: 'one',
      entity: { id: 12 },
      copiedAt: '2026-11-01T08:00:00.000Z',
      isComplete: true
    })
    expect((await copies.search('assets', { text: 'truck', limit: 5 })).records).toEqual([])
  } finally {
    store.close()
  }
})
