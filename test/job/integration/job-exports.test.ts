import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, expect, test } from 'vitest'
import type { JobExport } from '../../../preload/contract/job/jobLog.ts'
import { createCore, sourceResourcesFolder, type Core } from '../../../main/app/core.ts'
import { verifyJsonReport } from '../../../main/job/reports/verify.ts'
import type { JobExportWish } from '../../../main/job/reports/jobExports.ts'
import { readZip } from '../../world/data/bundles/readZip.ts'

/** Several pages of the walk through the log. */
const count = 600
const customers = ['Customer One', '=HYPERLINK("http://127.0.0.1/")', '@SUM(A1:A9)', 'Customer, "Two"']
let core: Core
let folder: string
const ids: string[] = []
const faults: unknown[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fitter-exports-'))
  core = createCore({
    dataFolder: folder,
    resourcesFolder: sourceResourcesFolder,
    inMemorySecrets: true,
    reportFault: (error) => faults.push(error)
  })
  core.store.together(() => {
    for (let number = 0; number < count; number++) {
      const device = { imei: String(350_000_000_000_000 + number), model: 'cc3', address: '127.0.0.1:8080' }
      ids.push(
        core.jobs.create({
          templateId: number % 4 === 0 ? 'trailer' : 'standard-installation',
          device,
          vehicleText: '',
          customer: customers[number % customers.length] ?? ''
        })
      )
    }
  })
  return async () => {
    await core.stop()
    expect(existsSync(join(folder, 'fitter.exports'))).toBe(false)
    expect(faults).toEqual([])
    rmSync(folder, { recursive: true })
  }
}, 180_000)

/** Writes a file and hands it over as the window does: piece by piece. */
async function exportAll(wish: JobExportWish): Promise<{ told: JobExport; heard: JobExport[]; bytes: Buffer }> {
  const heard: JobExport[] = []
  const ended = new Promise<void>((resolve) => {
    const stop = core.events.onEvent((name, payload) => {
      if (name !== 'jobLog.export') return
      heard.push(payload as JobExport)
      if ((payload as JobExport).state === 'running') return
      stop()
      resolve()
    })
  })
  const { id } = await core.exports.begin(wish)
  await ended
  const told = core.exports.state(id)
  const pieces: Buffer[] = []
  for (let from: number | null = 0; from !== null;) {
    const part = await core.exports.part(id, from)
    pieces.push(Buffer.from(part.base64, 'base64'))
    from = part.next
  }
  await core.exports.end(id)
  expect(() => core.exports.state(id)).toThrow()
  return { told, heard, bytes: Buffer.concat(pieces) }
}

test('the table of a whole filter has a line for each of its jobs, and no cell that a spreadsheet would run', async () => {
  const { told, heard, bytes } = await exportAll({
    format: 'csv',
    chosen: { by: 'filter', filter: { templates: ['standard-installation'] } }
  })
  const lines = bytes.toString('utf8').trimEnd().split('\r\n')
  expect(told).toMatchObject({
    state: 'ready',
    done: 450,
    total: 450,
    leftOut: 0,
    bytes: bytes.length,
    mediaType: 'text/csv'
  })
  expect(told.fileName).toMatch(/^fitter-jobs-\d{4}-\d\d-\d\d-450\.csv$/)
  expect(lines).toHaveLength(451)
  expect(heard.length).toBeGreaterThan(1)
  expect(heard.map(({ done }) => done)).toEqual(heard.map(({ done }) => done).toSorted((a, b) => a - b))
  const cells = lines.slice(1).flatMap((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/))
  expect(cells.filter((cell) => /^"?[=+\-@]/.test(cell))).toEqual([])
  expect(cells).toContain(`"'=HYPERLINK(""http://127.0.0.1/"")"`)
  expect(lines.filter((line) => line.includes('Customer, ""Two""'))).toHaveLength(150)
}, 180_000)

test('chosen jobs become an archive with a page for the customer and the evidence of each, in the language that was asked for', async () => {
  const chosen = ids.slice(5, 8)
  const { told, bytes } = await exportAll({ format: 'pdf', language: 'es', chosen: { by: 'ids', ids: chosen } })
  const files = readZip(bytes)
  expect(told).toMatchObject({ state: 'ready', done: 3, total: 3, mediaType: 'application/zip' })
  expect([...files.keys()]).toEqual(
    chosen.flatMap((id) =>
      ['', '-pruebas'].map((part) =>
        expect.stringMatching(new RegExp(`^fitter-\\d{15}-.*-${id.slice(-6)}${part}\\.pdf$`))
      )
    )
  )
  for (const content of files.values()) {
    expect(content.toString('latin1', 0, 5)).toBe('%PDF-')
    expect(content.toString('latin1')).toContain('/Lang (es)')
  }
}, 180_000)

test('raw reports in an archive can each be verified', async () => {
  const { bytes } = await exportAll({ format: 'json', chosen: { by: 'ids', ids: ids.slice(0, 2) } })
  for (const content of readZip(bytes).values())
    expect(verifyJsonReport(content.toString('utf8'))).toMatchObject({ ok: true })
})

test('an export that is cancelled leaves nothing, and another one may begin; two at a time are refused', async () => {
  const { id } = await core.exports.begin({ format: 'pdf', chosen: { by: 'ids', ids: ids.slice(0, 200) } })
  await expect(
    core.exports.begin({ format: 'csv', chosen: { by: 'ids', ids: ids.slice(0, 1) } })
  ).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(core.exports.part(id, 0)).rejects.toMatchObject({ code: 'CONFLICT' })
  await core.exports.end(id)
  expect(existsSync(join(folder, 'fitter.exports', id))).toBe(false)
  const { told } = await exportAll({ format: 'csv', chosen: { by: 'ids', ids: ids.slice(0, 1) } })
  expect(told.done).toBe(1)
})

test('a job whose log is damaged is left out and counted, and the others are written', async () => {
  const sql = new Database(join(folder, 'fitter.db'))
  sql.exec('drop trigger journal_is_never_changed')
  sql.prepare("update journal set data = 'x' where job_id = ?").run(ids[300])
  sql.close()
  const { told, bytes } = await exportAll({ format: 'csv', chosen: { by: 'ids', ids: ids.slice(299, 302) } })
  expect(told).toMatchObject({ state: 'ready', done: 2, leftOut: 1 })
  expect(bytes.toString('utf8').trimEnd().split('\r\n')).toHaveLength(3)
})

test('nothing, and more reports than fit into hours, are refused with what to do instead', async () => {
  await expect(
    core.exports.begin({ format: 'csv', chosen: { by: 'filter', filter: { customers: ['Nobody'] } } })
  ).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  expect((await core.store.jobFacets({})).total).toBe(count)
})
