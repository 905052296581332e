import Database from 'better-sqlite3'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { restoreData } from '../../../../main/data/store/backups/copies.ts'
import { openStore } from '../../../../main/data/store/index.ts'
import { migrations } from '../../../../main/data/store/file/migrationList.ts'
import { appendEntry, openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const at = new Date('2026-03-01T10:00:00Z')

/** A folder with one job of two entries, closed, and a backup of it. */
async function makeBackup(): Promise<{ folder: string; file: string }> {
  const folder = tempFolder()
  const file = join(folder, 'copies', 'backup.db')
  const store = openStore(folder)
  appendEntry(store, 'one', 'first')
  appendEntry(store, 'one', 'second')
  await store.backup(file)
  appendEntry(store, 'one', 'after the backup')
  store.close()
  return { folder, file }
}

test('a backup is one whole file that brings the log back, and what was there before is kept', async () => {
  const { folder, file } = await makeBackup()
  expect(readdirSync(join(folder, 'copies'))).toEqual(['backup.db'])

  const { kept } = await restoreData(folder, file, at)
  const store = openTestStore(folder)
  expect(store.jobs.journal('one').map(({ data }) => data)).toEqual([{ text: 'first' }, { text: 'second' }])
  expect(await store.check()).toMatchObject({ ok: true, findings: [] })
  const before = new Database(kept ?? '', { readonly: true })
  expect(before.prepare('select count(*) as n from journal').get()).toEqual({ n: 3 })
  before.close()
})

test('a backup is restored into a folder that does not exist yet, from a file that may only be read', async () => {
  const { file } = await makeBackup()
  chmodSync(file, 0o400)
  const fresh = join(tempFolder(), 'new')
  expect(await restoreData(fresh, file, at)).toEqual({ kept: null, findings: [], outputs: [] })
  expect(openTestStore(fresh).jobs.journal('one')).toHaveLength(2)
  expect(readdirSync(fresh).filter((name) => name.includes('restoring'))).toEqual([])
})

test('a damaged log is put aside by a restore, not in its way', async () => {
  const { folder, file } = await makeBackup()
  writeFileSync(join(folder, 'fitter.db'), 'x'.repeat(4096))
  const { kept } = await restoreData(folder, file, at)
  expect(readFileSync(kept ?? '', 'utf8')).toBe('x'.repeat(4096))
  expect(openTestStore(folder).jobs.journal('one')).toHaveLength(2)
})

test.for([
  ['that is missing', () => undefined],
  ['that is text', (file: string) => writeFileSync(file, 'x'.repeat(9000))],
  ['that is empty', (file: string) => writeFileSync(file, '')],
  ['of another program', (file: string) => new Database(file).exec('create table other (a)').close()],
  [
    'of a newer Fitter',
    (file: string) => {
      const sql = new Database(file)
      sql.exec('create table journal (a)')
      sql.pragma(`user_version = ${migrations.length + 1}`)
      sql.close()
    }
  ]
] as const)('a backup %s is refused, and the data stays as it is', async ([, make]) => {
  const folder = tempFolder()
  const store = openStore(folder)
  appendEntry(store, 'one', 'first')
  store.close()
  const file = join(folder, 'backup.db')
  make(file)
  const before = readFileSync(join(folder, 'fitter.db'))
  await expect(restoreData(folder, file, at)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  expect(readFileSync(join(folder, 'fitter.db')).equals(before)).toBe(true)
  expect(readdirSync(folder).filter((name) => name.includes('restor'))).toEqual([])
})

/** Changes one byte at so many places of a backup, one after the other. */
async function expectRefused({ folder, file }: Awaited<ReturnType<typeof makeBackup>>, places: number): Promise<void> {
  const [whole, changed] = [readFileSync(file), join(folder, 'changed.db')]
  for (let place = 7; place < whole.length; place += Math.ceil(whole.length / places)) {
    const bytes = Buffer.from(whole)
    bytes[place]! ^= 1
    writeFileSync(changed, bytes)
    await expect(restoreData(folder, changed, at), `byte ${place}`).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  }
}

test('a backup is refused when a byte of it was changed, wherever that is', { tags: ['long'] }, async () => {
  await expectRefused(await makeBackup(), 40)
})

test('a backup is refused when any byte of it was changed, whatever it says, and one of an earlier version without a hash is not', async () => {
  const backup = await makeBackup()
  await expectRefused(backup, 6)
  const { folder, file } = backup
  const [whole, changed] = [readFileSync(file), join(folder, 'changed.db')]
  writeFileSync(changed, whole)
  const sql = new Database(changed)
  sql.prepare("insert into setting (name, value) values ('technician', '\"Another\"')").run()
  await expect(restoreData(folder, changed, at)).rejects.toMatchObject({ sentence: { id: 'store.backupChanged' } })
  sql.prepare("update setting set value = json_remove(value, '$.sha256') where name = '$copy'").run()
  sql.close()
  await restoreData(folder, changed, at)
  expect(openTestStore(folder).jobs.journal('one')).toHaveLength(2)
})

test('what was restored can be restored from as well', async () => {
  const { file } = await makeBackup()
  const [first, second] = [join(tempFolder(), 'new'), join(tempFolder(), 'new')]
  await restoreData(first, file, at)
  await restoreData(second, join(first, 'fitter.db'), at)
  expect(openTestStore(second).jobs.journal('one')).toHaveLength(2)
})

test.for(['/dev/null/x', `/${'x'.repeat(300)}`, '/dev/zero'])(
  'a backup under a name that no file has is not there: %s',
  async (name) => {
    await expect(restoreData(tempFolder(), name, at)).rejects.toMatchObject({
      sentence: { id: 'store.backupNotThere' }
    })
  }
)

test('nothing is restored over a folder that another Fitter uses', async () => {
  const { folder, file } = await makeBackup()
  const store = openTestStore(folder)
  await expect(restoreData(folder, file, at)).rejects.toMatchObject({ code: 'DATA_LOCKED' })
  expect(store.jobs.journal('one')).toHaveLength(3)
})

test('a backup never replaces the data itself and leaves nothing half written behind', async () => {
  const folder = tempFolder()
  const store = openTestStore(folder)
  appendEntry(store, 'one', 'first')
  await expect(store.backup(store.file)).rejects.toMatchObject({ sentence: { id: 'store.backupOverData' } })
  writeFileSync(join(folder, 'a file'), '')
  const failure = await store.backup(join(folder, 'a file', 'backup.db')).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(AppError)
  expect(failure).toMatchObject({ code: 'INVALID_REQUEST' })
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([])
  expect((await store.check()).ok).toBe(true)
})
