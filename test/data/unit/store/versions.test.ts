import fs from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openFolder, openStore } from '../../../../main/data/store/index.ts'
import { migrateFile } from '../../../../main/data/store/file/migrate.ts'
import { migrations } from '../../../../main/data/store/file/migrationList.ts'
import { makeFirstVersionData } from '../../../world/data/firstVersion.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const jobs = 12
const entries = 5
const work = { done: 4, waiting: 2 }
/**
 * The first versions are written by their own statements; the later ones are what the released migrations make of the
 * fourth.
 */
const written = 4
const earlier = migrations.slice(0, -1).map((_, index) => index + 1)

function makeVersion(version: number): string {
  const folder = join(tempFolder(), 'data')
  makeFirstVersionData(folder, { jobs, entries, version: Math.min(version, written), operations: work })
  if (version <= written) return folder
  const sql = new Database(join(folder, 'fitter.db'))
  migrateFile(sql, null, () => undefined, version)
  sql.close()
  return folder
}

/**
 * Of these each is tried daily: the first version, the last one whose files were written by hand, and the one before
 * this.
 */
const landmarks = new Set([1, written, migrations.length - 1])

test.for(earlier.filter((version) => landmarks.has(version)))(
  'a file of version %i opens with all that it had, and a copy of it is kept',
  (version) => expectOpens(version)
)
test.for(earlier.filter((version) => !landmarks.has(version)))(
  'a file of version %i opens with all that it had, and a copy of it is kept',
  { tags: ['long'] },
  (version) => expectOpens(version)
)

async function expectOpens(version: number): Promise<void> {
  const folder = makeVersion(version)
  const store = await openFolder(folder)
  try {
    expect(store.opening).toEqual({ how: 'asIs' })
    const page = store.jobs.page({ limit: 50 })
    expect(page.total).toBe(jobs)
    for (const { id } of page.jobs) expect(store.jobs.journal(id)).toHaveLength(entries)
    expect(store.operations.list()).toHaveLength(work.done + work.waiting)
    expect(await store.check()).toMatchObject({ ok: true, findings: [], jobs })
  } finally {
    store.close()
  }
  const copies = fs.readdirSync(folder).filter((name) => name.includes('.before-version-'))
  expect(copies).toEqual([`fitter.db.before-version-${version + 1}`])
  const copy = new Database(join(folder, copies[0] ?? ''), { readonly: true })
  expect([
    copy.pragma('user_version', { simple: true }),
    copy.prepare<[], { n: number }>('select count(*) as n from journal').get()?.n
  ]).toEqual([version, jobs * entries])
  copy.close()
}

test('a migration that is interrupted at each of them leaves the version before, and the next start goes on', () => {
  const folder = makeVersion(1)
  for (const version of earlier) {
    const sql = new Database(join(folder, 'fitter.db'))
    // As a kill leaves it: begun, and not committed.
    const last = Number(sql.pragma('user_version', { simple: true }))
    expect(() => interrupted(sql, last)).toThrow('interrupted')
    expect(sql.pragma('user_version', { simple: true })).toBe(version)
    migrateFile(sql, null, () => undefined, version + 1)
    sql.close()
  }
  const store = openStore(folder)
  expect(store.jobs.page({ limit: 50 }).total).toBe(jobs)
  store.close()
})

function interrupted(sql: Database.Database, version: number): void {
  sql.pragma('foreign_keys = off')
  sql.transaction(() => {
    const next = migrations[version]
    if (typeof next === 'string') sql.exec(next)
    else next?.(sql, () => undefined)
    throw new Error('interrupted')
  })()
}
