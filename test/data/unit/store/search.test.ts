import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { openDataFile, type DataFile } from '../../../../main/data/store/file/database.ts'
import { createJobStore, type JobStore } from '../../../../main/data/store/jobs/jobs.ts'
import type { JobPageRequest } from '../../../../main/data/store/jobs/jobPages.ts'
import { jobWords } from '../../../../main/data/store/file/schema/jobs.ts'
import { makeMadeUpLog, madeUpJob } from '../../../world/data/madeUpLog.ts'
import { appendEntry, openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const count = 2_000
let data: DataFile
let jobs: JobStore

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fitter-search-'))
  await makeMadeUpLog(folder, { jobs: count, entries: 1 })
  data = openDataFile(folder)
  jobs = createJobStore(data)
  return () => {
    data.close()
    rmSync(folder, { recursive: true })
  }
})

const find = (search: string, more: Partial<JobPageRequest> = {}) => jobs.page({ limit: 50, search, ...more })
const all = Array.from({ length: count }, (_, number) => madeUpJob(number)).reverse()

test('pages in a row give each job once, newest first, whatever is looked for', () => {
  for (const request of [
    {},
    { state: 'failed' },
    { search: 'nunez' },
    { search: 'nunez', state: 'done' },
    { from: all[1500]?.createdAt ?? '', to: all[300]?.createdAt ?? '' },
    { isOpen: true }
  ] as Partial<JobPageRequest>[]) {
    const expected = all.filter(
      (job) =>
        (request.state === undefined || job.state === request.state) &&
        (request.search === undefined || job.customer === 'Transportes Núñez') &&
        (request.from === undefined || (job.createdAt >= request.from && job.createdAt < (request.to ?? ''))) &&
        (!request.isOpen || ['draft', 'running', 'installedAwaitingGateway'].includes(job.state))
    )
    const seen: string[] = []
    let after: string | undefined
    for (;;) {
      const page = jobs.page({ limit: 37, ...request, after })
      seen.push(...page.jobs.map(({ id }) => id))
      expect(page.isMore ? page.total <= expected.length : page.total === expected.length).toBe(true)
      if (page.next === null) break
      after = page.next
    }
    expect(seen).toEqual(expected.map(({ id }) => id))
  }
})

test.for([
  ['a plate as it is written', () => all[700]?.vehicle?.name ?? ''],
  [
    'a plate in one piece',
    () => (all[700]?.vehicle?.name ?? '').split(' ').slice(1).join('').replace('-', '').toLowerCase()
  ],
  ['an IMEI', () => all[700]?.device.imei ?? ''],
  ['the end of an IMEI', () => (all[700]?.device.imei ?? '').slice(-7)],
  ['an IMEI with one wrong digit', () => (all[700]?.device.imei ?? '').replace(/^35000/, '35900')],
  ['a plate with two letters exchanged', () => (all[700]?.vehicle?.name ?? '').replace(/(\d)(\d)$/, '$2$1')],
  ['words of several fields', () => `${all[700]?.technician.split(' ')[0]} ${all[700]?.device.imei.slice(-6)}`]
] as const)('%s finds its job', ([, text]) => {
  expect(find(text(), { limit: 200 }).jobs.map(({ id }) => id)).toContain(all[700]?.id ?? '')
})

test.for<[string, string]>([
  ['nunez', 'Transportes Núñez'],
  ['NÚÑEZ', 'Transportes Núñez'],
  ['Mueler', 'Spedition Müller & Söhne'],
  ['Muler', 'Spedition Müller & Söhne'],
  ['spediton muller', 'Spedition Müller & Söhne'],
  ['Kowalksi Logistcs', 'Kowalski Logistics'],
  ['Citta', 'Città Trasporti'],
  ['Optmia', 'Óptima Flotas'],
  ['blu rivr', 'Blue River Haulage']
])('"%s" finds "%s"', ([search, customer]) => {
  const { jobs: found } = find(search)
  const others = found.filter((job) => job.customer !== customer && job.technician !== 'Marta Kowalska')
  expect(found.length).toBeGreaterThan(0)
  expect(others).toEqual([])
})

test('who writes a name as it is gets nothing that only resembles it, and who does not is told so', () => {
  expect(find('Kowalski').isSimilar).toBe(false)
  expect(find('Kowalski').jobs.every(({ customer }) => customer === 'Kowalski Logistics')).toBe(true)
  expect(find('Kowalzki').isSimilar).toBe(true)
  expect(find('zzzzzzz')).toMatchObject({ jobs: [], total: 0, next: null, isSimilar: false })
})

test.for(['"', "' or 1=1 --", '*', 'a AND b', 'NEAR(', '()', '%', '…', 'words : x', ' ', '\0', '😀'])(
  'what is typed is never taken for a query: %s',
  (search) => {
    expect(Array.isArray(find(search).jobs)).toBe(true)
  }
)

test('a name of 200 kB is kept whole, found by its beginning, and no page waits for it', () => {
  const store = openTestStore(tempFolder())
  const name = `Long Haul ${'x'.repeat(200_000)} end`
  appendEntry(store, 'long', '', { vehicle: { id: 1, name } })
  expect(store.jobs.page({ limit: 10, search: 'long haul' }).jobs[0]?.vehicle?.name).toBe(name)
})

test('what changed in a job is found at once, and what it was before no longer', () => {
  const store = openTestStore(tempFolder())
  appendEntry(store, 'one', '', { vehicle: { id: 1, name: 'Truck Adana' }, state: 'running' })
  appendEntry(store, 'one', '', { vehicle: { id: 2, name: 'Trailer Bosporus' }, state: 'done' })
  const ids = (search: string) => store.jobs.page({ limit: 10, search }).jobs.map(({ id }) => id)
  expect([ids('bosporus'), ids('adana')]).toEqual([['one'], []])
  expect(store.jobs.page({ limit: 1 }).counts).toEqual({ done: 1 })
})

test('the index of words is made again from the list', () => {
  const before = find('nunez').jobs
  data.makeAgain(jobWords)
  expect(find('nunez').jobs).toEqual(before)
})

test('a job to go on after that is not there is said', () => {
  expect(() => jobs.page({ limit: 10, after: 'nobody' })).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
})
