import Database from 'better-sqlite3'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pieceBytes } from '../../../../main/data/store/jobs/attachmentFiles.ts'
import { restoreData } from '../../../../main/data/store/backups/copies.ts'
import { openStore, type Store } from '../../../../main/data/store/index.ts'
import { removeOrphans } from '../../../../main/data/store/damage/orphans.ts'
import { sha256Hex } from '../../../../main/data/store/jobs/seal.ts'
import { summaryOf } from '../../../world/data/jobSummary.ts'
import { appendEntry, openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const at = '2026-03-01T10:00:00.000Z'
const picture = randomBytes(2 * pieceBytes + 17)
const hash = sha256Hex(picture)

/** A store with one job that holds one picture of two whole pieces and a short one. */
async function withPicture(folder = tempFolder()): Promise<{ folder: string; store: Store; file: string }> {
  const store = openStore(folder)
  appendEntry(store, 'one', 'first')
  store.attachments.keep({ jobId: 'one', file: await store.attachments.write(picture), mediaType: 'image/jpeg', at })
  store.jobs.append(
    'one',
    [{ type: 'attached', stepId: 'plate', data: { sha256: hash, reportSha256: hash }, at }],
    () => summaryOf('one', {})
  )
  return { folder, store, file: fileIn(folder) }
}

function fileIn(folder: string, sha256 = hash): string {
  return join(folder, 'attachments', sha256.slice(0, 2), sha256)
}

/** A backup that somebody put in place by hand: its pictures are in the data file. */
async function putBackup(bytes: Buffer = picture): Promise<string> {
  const { folder, store } = await withPicture()
  const backup = join(folder, 'copies', 'backup.db')
  await store.backup(backup)
  store.close()
  const byHand = tempFolder()
  cpSync(backup, join(byHand, 'fitter.db'))
  if (bytes !== picture) {
    const sql = new Database(join(byHand, 'fitter.db'))
    sql.prepare('update attachment_piece set bytes = ? where number = 0').run(bytes.subarray(0, pieceBytes))
    sql.close()
  }
  return byHand
}

function tablesOf(file: string): string[] {
  const sql = new Database(file, { readonly: true })
  const names = sql.prepare<[], { name: string }>("select name from sqlite_master where type = 'table'").all()
  sql.close()
  return names.map(({ name }) => name)
}

test('bytes are a file under their hash, for nobody else to read, and come back as they were after a restart', async () => {
  const { folder, store, file } = await withPicture()
  store.close()
  expect([statSync(file).mode & 0o777, statSync(join(folder, 'attachments')).mode & 0o777]).toEqual([0o600, 0o700])
  expect(readdirSync(join(file, '..'))).toEqual([hash])
  const { attachments } = openTestStore(folder)
  expect(Buffer.compare(attachments.read(hash), picture)).toBe(0)
  expect([0, 1, 2, 3].map((number) => attachments.piece(hash, number)?.length)).toEqual([
    pieceBytes,
    pieceBytes,
    17,
    undefined
  ])
  expect(attachments.facts(hash)).toEqual({
    sha256: hash,
    mediaType: 'image/jpeg',
    sizeBytes: picture.length,
    keptAt: at
  })
})

test('the same picture is kept once, whichever jobs hold it', async () => {
  const { folder, store } = await withPicture()
  appendEntry(store, 'two', 'first')
  for (let times = 0; times < 2; times++)
    store.attachments.keep({ jobId: 'two', file: await store.attachments.write(picture), mediaType: 'image/jpeg', at })
  expect(store.attachments.ofJob('two').map((facts) => facts.sha256)).toEqual([hash])
  expect(readdirSync(join(folder, 'attachments'), { recursive: true })).toHaveLength(2)
  store.close()
})

test('nothing is kept for a job that is not there, nothing of a write that failed, and no row names a file that is not there', async () => {
  const { folder, store } = await withPicture()
  const bytes = Buffer.from('another picture')
  const file = await store.attachments.write(bytes)
  expect(() => store.attachments.keep({ jobId: 'nobody', file, mediaType: 'image/png', at })).toThrow()
  expect(() =>
    store.together(() => {
      store.attachments.keep({ jobId: 'one', file, mediaType: 'image/png', at })
      throw new Error('the rest failed')
    })
  ).toThrow('the rest failed')
  rmSync(fileIn(folder, file.sha256))
  expect(() => store.attachments.keep({ jobId: 'one', file, mediaType: 'image/png', at })).toThrow(
    expect.objectContaining({ code: 'DATA_UNUSABLE' })
  )
  expect(store.attachments.has(file.sha256)).toBe(false)
  expect(store.attachments.has(hash)).toBe(true)
  store.close()
})

test('what is not there is said, and what was kept cannot be changed or taken away', async () => {
  const { folder, store } = await withPicture()
  expect(() => store.attachments.read('0'.repeat(64))).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
  store.close()
  const sql = new Database(join(folder, 'fitter.db'))
  for (const text of ['delete from attachment', 'update attachment set size_bytes = 1', 'delete from job_attachment'])
    expect(() => sql.exec(text)).toThrow()
  sql.close()
})

test.for<[string, (file: string, folder: string) => void]>([
  ['is gone', (file) => rmSync(file)],
  ['was changed', (file) => writeFileSync(file, Buffer.alloc(picture.length))],
  ['was cut off', (file) => truncateSync(file, pieceBytes)],
  [
    'is a link to it elsewhere',
    (file, folder) => {
      cpSync(file, join(folder, 'elsewhere'))
      rmSync(file)
      symlinkSync(join(folder, 'elsewhere'), file)
    }
  ],
  [
    'is a folder',
    (file) => {
      rmSync(file)
      mkdirSync(file)
    }
  ]
])(
  'a picture whose file %s is a finding and unusable; its job and its other pictures go on, and keeping it again makes it good',
  async ([, damage]) => {
    const { folder, store, file } = await withPicture()
    const other = store.attachments.keep({
      jobId: 'one',
      file: await store.attachments.write(Buffer.from('other')),
      mediaType: 'image/jpeg',
      at
    })
    damage(file, folder)
    for (const read of [() => store.attachments.read(hash), () => store.attachments.piece(hash, 0)])
      expect(read).toThrow(expect.objectContaining({ code: 'DATA_UNUSABLE' }))
    expect(Buffer.from(store.attachments.read(other)).toString()).toBe('other')
    expect(store.jobs.journal('one')).toHaveLength(2)
    expect((await store.check()).findings).toEqual([
      { id: 'store.attachmentChanged', values: { hash: hash.slice(0, 16) } }
    ])
    if (!existsSync(file) || !statSync(file).isDirectory()) {
      await store.attachments.write(picture)
      expect(await store.check()).toMatchObject({ ok: true })
    }
    store.close()
  }
)

test('what others put into the folder is left alone and is no finding', async () => {
  const { folder, store, file } = await withPicture()
  writeFileSync(join(folder, 'attachments', 'notes.txt'), 'of somebody')
  writeFileSync(join(file, '..', 'thumbs.db'), 'of somebody')
  mkdirSync(join(folder, 'attachments', 'holiday'))
  expect(await store.check()).toEqual({ ok: true, findings: [], jobs: 1 })
  store.close()
})

test('pictures of a backup that was put in place by hand become files when the folder is opened, and a start that breaks off before the end begins again', async () => {
  const folder = await putBackup()
  // Where the folder of pictures should be is something that cannot be written into.
  writeFileSync(join(folder, 'attachments'), '')
  expect(() => openStore(folder)).toThrow(expect.objectContaining({ code: 'DATA_UNUSABLE' }))
  expect(tablesOf(join(folder, 'fitter.db'))).toContain('attachment_piece')
  rmSync(join(folder, 'attachments'))
  const store = openTestStore(folder)
  expect(Buffer.compare(store.attachments.read(hash), picture)).toBe(0)
  expect(await store.check()).toMatchObject({ findings: [], jobs: 1 })
  expect(tablesOf(store.file)).not.toContain('attachment_piece')
})

test('a picture that was damaged in such a backup is told after the start, and the others are there', async () => {
  const store = openTestStore(await putBackup(randomBytes(picture.length)))
  expect((await store.check()).findings.map(({ id }) => id)).toEqual(['store.attachmentChanged'])
  expect(store.jobs.journal('one')).toHaveLength(2)
})

test('a backup is one file with the pictures in it, and a restore writes them out', async () => {
  const { folder, store } = await withPicture()
  const backup = join(folder, 'copies', 'backup.db')
  await store.backup(backup)
  store.close()
  expect(readdirSync(join(folder, 'copies'))).toEqual(['backup.db'])
  const fresh = tempFolder()
  expect(await restoreData(fresh, backup, new Date(at))).toEqual({ kept: null, findings: [], outputs: [] })
  const restored = openTestStore(fresh)
  expect(Buffer.compare(restored.attachments.read(hash), picture)).toBe(0)
  expect(await restored.check()).toEqual({ ok: true, findings: [], jobs: 1 })
})

test('a backup whose picture was changed or is missing is restored without it, and it is told which', async () => {
  const { folder, store, file } = await withPicture()
  chmodSync(file, 0o600)
  writeFileSync(file, Buffer.alloc(picture.length))
  const backup = join(folder, 'copies', 'backup.db')
  await store.backup(backup)
  store.close()
  const fresh = tempFolder()
  const { findings } = await restoreData(fresh, backup, new Date(at))
  expect(findings.map(({ id }) => id)).toEqual(['store.attachmentChanged'])
  expect(openTestStore(fresh).jobs.journal('one')).toHaveLength(2)
})

test('a file without a row is told by the check with its size, and is removed only when it is old and no copy names it', async () => {
  const { folder, store } = await withPicture()
  const lost = await store.attachments.write(Buffer.alloc(1_000, 1))
  writeFileSync(`${fileIn(folder, lost.sha256)}.0123456789ab.part`, 'half')
  expect((await store.check()).orphans).toEqual({ files: 2, sizeBytes: 1_004, removableBytes: 0 })
  const old = new Date(Date.now() - 25 * 3_600_000)
  for (const name of [fileIn(folder, lost.sha256), `${fileIn(folder, lost.sha256)}.0123456789ab.part`, fileIn(folder)])
    utimesSync(name, old, old)
  expect((await store.check()).orphans).toEqual({ files: 2, sizeBytes: 1_004, removableBytes: 1_004 })

  // A copy from another time names it: whoever goes back to that needs it.
  const copy = join(folder, 'backups', 'fitter-2026-03-01T10-00-00.000Z.db')
  await store.backup(copy)
  const sql = new Database(copy)
  sql
    .prepare('insert into attachment (sha256, media_type, size_bytes, kept_at) values (?, ?, ?, ?)')
    .run(lost.sha256, 'image/jpeg', 1_000, at)
  sql.close()
  const open = new Database(store.file, { readonly: true })
  expect(removeOrphans(open, Date.now())).toEqual({ files: 1, sizeBytes: 4 })
  rmSync(copy)
  expect(removeOrphans(open, Date.now())).toEqual({ files: 1, sizeBytes: 1_000 })
  open.close()
  expect(Buffer.compare(store.attachments.read(hash), picture)).toBe(0)
  expect(await store.check()).toEqual({ ok: true, findings: [], jobs: 1 })
  store.close()
})
