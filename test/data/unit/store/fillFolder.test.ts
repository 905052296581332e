import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { fillFolder, type WholeJob } from '../../../../main/data/store/file/fillFolder.ts'
import { openStore } from '../../../../main/data/store/index.ts'
import { makeMadeUpLog, madeUpJob } from '../../../world/data/madeUpLog.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

test('a filled folder has the tables, triggers and indexes of any other', async () => {
  const [filled, other] = [join(tempFolder(), 'data'), join(tempFolder(), 'data')]
  await makeMadeUpLog(filled, { jobs: 3, entries: 2 })
  openStore(other).close()
  const schemaOf = (folder: string): unknown[] => {
    const sql = new Database(join(folder, 'fitter.db'), { readonly: true })
    try {
      return sql.prepare('select type, name, sql from sqlite_schema order by type, name').all()
    } finally {
      sql.close()
    }
  }
  expect(schemaOf(filled)).toEqual(schemaOf(other))
})

test('filling that is stopped leaves no data file, and the folder can be filled again', async () => {
  const folder = join(tempFolder(), 'data')
  const stopping = new AbortController()
  function* jobs(): Iterable<WholeJob> {
    for (let number = 0; number < 5_000; number++) {
      if (number === 300) stopping.abort()
      yield { summary: madeUpJob(number), entries: [] }
    }
  }
  await expect(fillFolder(folder, jobs(), { signal: stopping.signal })).rejects.toMatchObject({ code: 'CANCELLED' })
  expect(readdirSync(folder).filter((name) => name.startsWith('fitter.db'))).toEqual([])
  await makeMadeUpLog(folder, { jobs: 3, entries: 2 })
  const store = openStore(folder)
  expect(store.jobs.page({ limit: 10 }).total).toBe(3)
  store.close()
})
