import Database from 'better-sqlite3'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pieceBytes } from '../../../main/store/attachments.ts'
import { restoreData } from '../../../main/store/copies.ts'
import { openStore, type Store } from '../../../main/store/index.ts'
import { sha256Hex } from '../../../main/store/seal.ts'
import { summaryOf } from '../../support/jobSummary.ts'
import { appendEntry, openTestStore } from '../../support/storedJobs.ts'
import { tempFolder } from '../../support/tempFolder.ts'

const at = '2026-03-01T10:00:00.000Z'
const picture = randomBytes(2 * pieceBytes + 17)

/** A store with one job that holds one picture of two whole pieces and a short one. */
function withPicture(folder = tempFolder()): { folder: string; store: Store; sha256: string } {
  const store = openStore(folder)
  appendEntry(store, 'one', 'first')
  const sha256 = store.attachments.keep({ jobId: 'one', bytes: picture, mediaType: 'image/jpeg', at })
  store.jobs.append('one', [{ type: 'attached', stepId: 'plate', data: { sha256, reportSha256: sha256 }, at }], () => summaryOf('one', {}))
  return { folder, store, sha256 }
}

/** What somebody with another program does to the file. */
function tamper(folder: string, text: string): void {
  const sql = new Database(join(folder, 'fitter.db'))
  for (const { name } of sql.prepare<[], { name: string }>("select name from sqlite_master where type = 'trigger' and name like '%attachment%'").all()) sql.exec(`drop trigger ${name}`)
  sql.pragma('foreign_keys = off')
  sql.exec(text)
  sql.close()
}

test('bytes are kept under their hash, in pieces of 256 KiB, and come back as they were after a restart', () => {
  const { folder, store, sha256 } = withPicture()
  expect(sha256).toBe(sha256Hex(picture))
  store.close()
  const { attachments } = openTestStore(folder)
  expect(Buffer.compare(attachments.read(sha256), picture)).toBe(0)
  expect([0, 1, 2, 3].map((number) => attachments.piece(sha256, number)?.length)).toEqual([pieceBytes, pieceBytes, 17, undefined])
  expect(attachments.facts(sha256)).toEqual({ sha256, mediaType: 'image/jpeg', sizeBytes: picture.length, keptAt: at })
})

test('the same picture is kept once, whichever jobs hold it', () => {
  const { folder, store, sha256 } = withPicture()
  appendEntry(store, 'two', 'first')
  store.attachments.keep({ jobId: 'two', bytes: picture, mediaType: 'image/jpeg', at })
  store.attachments.keep({ jobId: 'two', bytes: picture, mediaType: 'image/jpeg', at })
  expect(store.attachments.ofJob('two').map((facts) => facts.sha256)).toEqual([sha256])
  store.close()
  const sql = new Database(join(folder, 'fitter.db'))
  expect(sql.prepare('select count(*) as n from attachment_piece').get()).toEqual({ n: 3 })
  sql.close()
})

test('nothing is kept for a job that is not there, and nothing of a write that failed', () => {
  const { store, sha256 } = withPicture()
  const other = Buffer.from('another picture')
  expect(() => store.attachments.keep({ jobId: 'nobody', bytes: other, mediaType: 'image/png', at })).toThrow()
  expect(() =>
    store.together(() => {
      store.attachments.keep({ jobId: 'one', bytes: other, mediaType: 'image/png', at })
      throw new Error('the rest failed')
    })
  ).toThrow('the rest failed')
  expect(store.attachments.has(sha256Hex(other))).toBe(false)
  expect(store.attachments.has(sha256)).toBe(true)
  store.close()
})

test('what is not there is said, and what was kept cannot be changed or taken away', () => {
  const { folder, store } = withPicture()
  expect(() => store.attachments.read('0'.repeat(64))).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
  store.close()
  const sql = new Database(join(folder, 'fitter.db'))
  for (const text of ['delete from attachment_piece', 'update attachment_piece set bytes = zeroblob(4)', 'delete from attachment', 'delete from job_attachment']) {
    expect(() => sql.exec(text)).toThrow()
  }
  sql.close()
})

test('a backup carries the pictures, and a restore brings them back', async () => {
  const { folder, store, sha256 } = withPicture()
  const backup = join(folder, 'copies', 'backup.db')
  await store.backup(backup)
  store.close()
  const fresh = tempFolder()
  await restoreData(fresh, backup, new Date(at))
  const restored = openTestStore(fresh)
  expect(Buffer.compare(restored.attachments.read(sha256), picture)).toBe(0)
  expect(await restored.check()).toMatchObject({ ok: true, findings: [] })
})

test.for([
  ['whose bytes were changed', `update attachment_piece set bytes = zeroblob(17) where number = 2`, 'store.attachmentChanged'],
  ['that lost a piece', `delete from attachment_piece where number = 1`, 'store.attachmentChanged'],
  ['that was taken away', `delete from attachment_piece; delete from job_attachment; delete from attachment`, 'store.attachmentMissing']
] as const)('a check finds a picture %s, and a backup of it is not restored', async ([, text, finding]) => {
  const { folder, store, sha256 } = withPicture()
  const backup = join(folder, 'copies', 'backup.db')
  store.close()
  tamper(folder, text)
  const damaged = openTestStore(folder)
  const { ok, findings } = await damaged.check()
  expect(ok).toBe(false)
  expect(findings.map(({ id }) => id)).toContain(finding)
  expect(() => damaged.attachments.read(sha256)).toThrow()
  await damaged.backup(backup)
  await expect(restoreData(tempFolder(), backup, new Date(at))).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})
