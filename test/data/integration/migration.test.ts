import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, expect, test } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'
import { openFolder, openStore } from '../../../main/data/store/index.ts'
import { makeMadeUpLog } from '../../world/data/madeUpLog.ts'
import { followRecipe } from '../../world/recipe.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const [jobs, entries] = [12, 5]
/** A copy of the sources, to which the recipe adds a migration. */
let sources: string
/** A data folder of version 1. */
let data: string

beforeEach(async () => {
  sources = tempFolder()
  for (const part of ['main', 'preload', 'package.json'])
    cpSync(join(projectFolder, part), join(sources, part), { recursive: true })
  symlinkSync(join(projectFolder, 'node_modules'), join(sources, 'node_modules'))
  data = join(tempFolder(), 'data')
  await makeMadeUpLog(data, { jobs, entries, operations: { done: 4, waiting: 2 } })
  openStore(data).close()
})

/** Opens the data folder with the copied sources, checks everything, and says what it found. */
function openWithSources(): { signal: NodeJS.Signals | null; said: unknown } {
  const program = `
    const { openFolder } = await import(${JSON.stringify(join(sources, 'main/data/store/index.ts'))})
    const store = await openFolder(${JSON.stringify(data)})
    const { jobs } = store.jobs.page({ limit: 50 })
    const { ok } = await store.check()
    console.log(JSON.stringify({ schema: store.schema, ok, jobs: jobs.length, entries: jobs.reduce((sum, { id }) => sum + store.jobs.journal(id).length, 0), operations: store.operations.list().length, opening: store.opening.how }))
    store.close()`
  const file = join(sources, 'open.ts')
  writeFileSync(file, program)
  const { signal, stdout, stderr } = spawnSync(process.execPath, [file], {
    encoding: 'utf8'
  })
  if (signal === null && stdout === '') throw new Error(stderr)
  return { signal, said: stdout === '' ? null : JSON.parse(stdout) }
}

const whole = { ok: true, jobs, entries: jobs * entries, operations: 6, opening: 'asIs' }

function versionOf(name: string): unknown {
  const sql = new Database(join(data, name), { readonly: true })
  try {
    return sql.pragma('user_version', { simple: true })
  } finally {
    sql.close()
  }
}

const copiesOf = (): string[] => readdirSync(data).filter((name) => name.includes('.before-version-'))

test('a migration that is added by the recipe brings a data file to the next version, and is taken away again with its copy', async () => {
  expect(versionOf('fitter.db')).toBe(1)
  expect(followRecipe('A migration of the data file', sources, () => undefined)).toBe(3)
  expect(openWithSources().said).toEqual({ schema: 2, ...whole })
  expect(versionOf('fitter.db')).toBe(2)
  const sql = new Database(join(data, 'fitter.db'), { readonly: true })
  expect(sql.prepare('select used_at from template').all()).toEqual([])
  sql.close()
  expect(copiesOf()).toEqual(['fitter.db.before-version-2'])
  expect(versionOf('fitter.db.before-version-2')).toBe(1)

  // Without the migration this is the file of a newer Fitter.
  expect(() => openStore(data)).toThrow(expect.objectContaining({ sentence: { id: 'store.newerFile', values: {} } }))
  const looked = await openFolder(data)
  expect([looked.opening.how, looked.jobs.page({ limit: 50 }).total]).toEqual(['readOnly', jobs])
  looked.close()
  for (const name of readdirSync(data)) if (/^fitter\.(db(-wal|-shm)?|mark)$/.test(name)) rmSync(join(data, name))
  renameSync(join(data, 'fitter.db.before-version-2'), join(data, 'fitter.db'))
  const store = openStore(data)
  expect([store.schema, store.jobs.page({ limit: 50 }).total]).toEqual([1, jobs])
  store.close()
})

test('a migration that is killed in its middle leaves the version before, and the next start goes on', () => {
  followRecipe('A migration of the data file', sources, () => undefined)
  const file = join(sources, 'main/data/store/file/migrations/0002-checklist-use.ts')
  const change = "sql.exec('alter table template add column used_at text')"
  writeFileSync(
    file,
    `import type Database from 'better-sqlite3'
export function checklistUse(sql: Database.Database) { ${change}; process.kill(process.pid, 'SIGKILL') }`
  )
  expect(openWithSources().signal).toBe('SIGKILL')
  expect(versionOf('fitter.db')).toBe(1)
  writeFileSync(
    file,
    `import type Database from 'better-sqlite3'
export function checklistUse(sql: Database.Database) { ${change} }`
  )
  expect(openWithSources().said).toEqual({ schema: 2, ...whole })
  expect(copiesOf()).toEqual(['fitter.db.before-version-2'])
})
