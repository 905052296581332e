import Database from 'better-sqlite3'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import type { OperationState } from '../../../../preload/contract/gateway/operations.ts'
import { restoreData } from '../../../../main/data/store/backups/copies.ts'
import { generationFiles, listGenerations } from '../../../../main/data/store/backups/generations.ts'
import { openStore, type Store } from '../../../../main/data/store/index.ts'
import { sha256Hex } from '../../../../main/data/store/jobs/seal.ts'
import { makeMadeUpLog } from '../../../world/data/madeUpLog.ts'
import { appendEntry, openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const at = '2026-03-01T10:00:00.000Z'
const picture = Buffer.alloc(3_000, 7)
const hash = sha256Hex(picture)
const dayMs = 86_400_000

async function withPicture(folder: string): Promise<Store> {
  const store = openStore(folder)
  appendEntry(store, 'one', 'first')
  store.attachments.keep({ jobId: 'one', file: await store.attachments.write(picture), mediaType: 'image/jpeg', at })
  return store
}

function keep(store: Store, folder: string, day = 0, withPictures = false) {
  return store.keepGeneration({ folder, at: new Date(Date.parse(at) + day * dayMs), withPictures })
}

function addWork(store: Store, id: string, state: OperationState): void {
  store.operations.add({
    id,
    kind: 'entities.link',
    key: `vehicle:${id}`,
    state,
    jobId: null,
    title: plainMessage('Link'),
    payload: { a: 1 },
    reason: plainMessage('Why.'),
    isLive: false,
    needs: [],
    createdAt: at
  })
}

test('a kept copy is a whole file that says what is in it, for nobody else to read, without the pictures that lie beside it', async () => {
  const folder = tempFolder()
  const store = await withPicture(folder)
  const backups = join(folder, 'backups')
  const made = await keep(store, backups)
  const file = join(backups, 'fitter-2026-03-01T10-00-00.000Z.db')
  expect(made).toMatchObject({ kind: 'made', generation: { file, madeAt: at } })
  expect(readdirSync(backups)).toEqual(['fitter-2026-03-01T10-00-00.000Z.db'])
  expect([statSync(file).mode & 0o777, statSync(backups).mode & 0o777]).toEqual([0o600, 0o700])
  expect(listGenerations(backups)).toEqual([
    {
      file,
      madeAt: at,
      sizeBytes: statSync(file).size,
      mark: { madeAt: at, jobs: 1, openOperations: 0, newestAt: expect.any(String), findings: 0 }
    }
  ])
  expect(generationFiles(folder)).toEqual([file])
  expect(await restoreData(folder, file, new Date(at)).catch((error: unknown) => error)).toMatchObject({
    code: 'DATA_LOCKED'
  })
  store.close()
  expect(await restoreData(folder, file, new Date(at))).toMatchObject({ findings: [] })
  const restored = openTestStore(folder)
  expect(Buffer.compare(restored.attachments.read(hash), picture)).toBe(0)
  expect(await restored.check()).toMatchObject({ ok: true })
})

test(
  'on another disk the pictures are copied once each, and a restore gets them from there',
  { tags: ['long'] },
  async () => {
    const folder = tempFolder()
    const store = await withPicture(folder)
    const elsewhere = join(tempFolder(), 'fitter-backups')
    expect(await keep(store, elsewhere, 0, true)).toEqual({ kind: 'notThere' })
    expect(existsSync(elsewhere)).toBe(false)
    mkdirSync(elsewhere)
    await keep(store, elsewhere, 0, true)
    const copied = join(elsewhere, 'attachments', hash.slice(0, 2), hash)
    const written = statSync(copied).ino
    await keep(store, elsewhere, 1, true)
    expect(statSync(copied).ino).toBe(written)
    store.close()
    const fresh = tempFolder()
    await restoreData(fresh, listGenerations(elsewhere)[0]?.file ?? '', new Date(at))
    expect(Buffer.compare(openTestStore(fresh).attachments.read(hash), picture)).toBe(0)
  }
)

test(
  'three are kept; a damaged file gets a copy of its own and pushes none of the good ones out',
  { tags: ['long'] },
  async () => {
    const folder = tempFolder()
    const backups = join(folder, 'backups')
    await makeMadeUpLog(folder, { jobs: 3, entries: 3 })
    const store = openStore(folder)
    for (let day = 0; day < 5; day++) await keep(store, backups, day)
    const good = generationFiles(folder)
    expect(good).toHaveLength(3)
    store.close()
    const sql = new Database(join(folder, 'fitter.db'))
    sql.exec(
      "drop trigger journal_is_never_changed; update journal set data = '{}' where job_id = 'job-000001' and seq = 2"
    )
    sql.close()
    const damaged = openTestStore(folder)
    expect(await keep(damaged, backups, 5)).toMatchObject({ kind: 'made', generation: { mark: { findings: 1 } } })
    await keep(damaged, backups, 6)
    expect(generationFiles(folder).slice(1)).toEqual(good)
    expect(listGenerations(backups)[0]).toMatchObject({ madeAt: '2026-03-07T10:00:00.000Z', mark: { findings: 1 } })
  }
)

test('a file in the folder that is no copy is left alone, one that cannot be read is listed as such, and a half of one is taken away', async () => {
  const folder = tempFolder()
  const backups = join(folder, 'backups')
  const store = await withPicture(folder)
  mkdirSync(backups)
  writeFileSync(join(backups, 'notes.txt'), 'of somebody')
  writeFileSync(join(backups, 'fitter-2026-02-01T10-00-00.000Z.db'), 'x'.repeat(5_000))
  writeFileSync(join(backups, 'fitter-2026-02-02T10-00-00.000Z.db.0123456789ab.part'), 'half')
  await keep(store, backups)
  expect(readdirSync(backups).sort()).toEqual([
    'fitter-2026-02-01T10-00-00.000Z.db',
    'fitter-2026-03-01T10-00-00.000Z.db',
    'notes.txt'
  ])
  expect(listGenerations(backups).map(({ mark }) => mark?.findings ?? null)).toEqual([0, null])
  store.close()
})

test(
  'one that is stopped leaves nothing behind, and the log is written all the while',
  { tags: ['long'], timeout: 180_000 },
  async () => {
    const folder = tempFolder()
    await makeMadeUpLog(folder, { jobs: 2_000, entries: 10 })
    const store = openTestStore(folder)
    const backups = join(folder, 'backups')
    const stopping = new AbortController()
    let written = 0
    const making = store.keepGeneration(
      { folder: backups, at: new Date(at), withPictures: false },
      { signal: stopping.signal, progress: () => stopping.abort() }
    )
    let isDone = false
    const ended = making.catch((error: unknown) => error).finally(() => (isDone = true))
    while (!isDone) {
      appendEntry(store, 'beside', `entry ${written++}`)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await ended).toMatchObject({ code: 'CANCELLED' })
    expect(readdirSync(backups)).toEqual([])
    expect(store.jobs.journal('beside')).toHaveLength(written)
  }
)

test.for<[string, (folder: string, backup: string) => Promise<unknown> | void]>([
  ['by a restore', (folder, backup) => restoreData(folder, backup, new Date(at))],
  [
    'by hand',
    (folder, backup) => {
      for (const suffix of ['-wal', '-shm']) rmSync(join(folder, `fitter.db${suffix}`), { force: true })
      cpSync(backup, join(folder, 'fitter.db'))
    }
  ]
])('gateway work of a copy that is put in place %s is read back before anything of it is sent', async ([, put]) => {
  const folder = tempFolder()
  const store = openStore(folder)
  appendEntry(store, 'one', 'first')
  for (const state of ['pending', 'draft', 'done'] as const) addWork(store, state, state)
  const backup = join(folder, 'copy.db')
  await store.backup(backup)
  appendEntry(store, 'one', 'after the copy')
  store.close()
  await put(folder, backup)
  const restored = openStore(folder)
  const claims = Object.fromEntries(restored.operations.list().map(({ id, claim }) => [id, claim]))
  const claim = { sinceMs: expect.any(Number), waitMs: 0, whenAbsent: 'ask', isReadBack: false }
  expect(claims).toEqual({ pending: claim, draft: claim, done: null })
  expect(Math.abs((claims['pending']?.sinceMs ?? 0) - Date.now())).toBeLessThan(3_600_000)
  // From here on it is a file like any other: what is added is sent as always.
  restored.close()
  const again = openStore(folder)
  addWork(again, 'later', 'pending')
  again.close()
  expect(openTestStore(folder).operations.get('later')?.claim).toBeNull()
})

test('a copy that was put in place by hand is told as a loss, one that was restored is not: the person knows, and the file before it is kept', async () => {
  const folder = tempFolder()
  const store = openStore(folder)
  appendEntry(store, 'one', 'first')
  const backup = join(folder, 'copy.db')
  await store.backup(backup)
  appendEntry(store, 'one', 'after the copy')
  store.close()
  const { kept } = await restoreData(folder, backup, new Date(at))
  const restored = openStore(folder)
  expect(restored.losses()).toEqual([])
  restored.close()
  expect(existsSync(`${kept ?? ''}.mark`)).toBe(true)
  const before = new Database(kept ?? '', { readonly: true })
  expect(before.prepare('select count(*) as n from journal').get()).toEqual({ n: 2 })
  before.close()
  const byHand = openStore(folder)
  appendEntry(byHand, 'one', 'after the restore')
  byHand.close()
  cpSync(backup, join(folder, 'fitter.db'))
  expect(openTestStore(folder).losses()).toHaveLength(1)
})
