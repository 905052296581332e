import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { JobStanding } from '../../../../preload/contract/job/jobLog.ts'
import type { JobSummary } from '../../../../preload/contract/job/jobs.ts'
import type { JobFilter } from '../../../../main/data/store/jobs/jobFilter.ts'
import { openStore, type Store } from '../../../../main/data/store/index.ts'
import { makeMadeUpLog, madeUpJob } from '../../../world/data/madeUpLog.ts'
import { appendEntry, openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const count = 5_000
const counts = {
  waiting: 0,
  running: 0,
  pass: 11,
  sent: 0,
  warn: 0,
  fail: 0,
  unreadable: 0,
  waived: 2,
  deferred: 0,
  notApplicable: 0
}
let store: Store
const all: (JobSummary & { standing: JobStanding })[] = Array.from({ length: count }, (_, number) => madeUpJob(number))
  .reverse()
  .map((job) => ({
    ...job,
    standing: job.state === 'done' && (job.counts?.waived ?? 0) > 0 ? 'doneSkipped' : job.state
  }))

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fitter-facets-'))
  await makeMadeUpLog(folder, { jobs: count, entries: 1 })
  store = openStore(folder)
  return () => {
    store.close()
    rmSync(folder, { recursive: true })
  }
})

type Listed = (typeof all)[number]

function expected(filter: JobFilter): Listed[] {
  const { standings, customers, technicians, templates, from, to, search } = filter
  return all.filter(
    (job) =>
      (!standings || standings.includes(job.standing)) &&
      (!customers || customers.includes(job.customer)) &&
      (!technicians || technicians.includes(job.technician)) &&
      (!templates || templates.includes(job.template.id)) &&
      (from === undefined || job.createdAt >= from) &&
      (to === undefined || job.createdAt < to) &&
      (search === undefined || job.customer.includes(search))
  )
}

function countBy(jobs: Listed[], key: (job: Listed) => string): Record<string, number> {
  const counted: Record<string, number> = {}
  for (const job of jobs) counted[key(job)] = (counted[key(job)] ?? 0) + 1
  return counted
}

const filters: [string, JobFilter][] = [
  ['the whole log', {}],
  ['those with skipped steps', { standings: ['doneSkipped'] }],
  ['two customers', { customers: ['Kowalski Logistics', 'Blue River Haulage'] }],
  ['one technician, failed and cancelled', { technicians: ['Tom Hill'], standings: ['failed', 'cancelled'] }],
  [
    'a checklist in a time',
    { templates: ['trailer'], from: all[3000]?.createdAt ?? '', to: all[500]?.createdAt ?? '' }
  ],
  ['a searched word', { search: 'Kowalski' }],
  ['a searched word, done', { search: 'Kowalski', standings: ['done'], technicians: ['Tom Hill', 'Marta Kowalska'] }]
]

test.for(filters)('the counts of %s are those of its jobs, each fact without itself', async ([, filter]) => {
  const facets = await store.jobFacets(filter)
  const fact = (name: keyof JobFilter, key: (job: Listed) => string) =>
    countBy(expected({ ...filter, [name]: undefined }), key)
  const read = (values: { value: string; jobs: number }[]) =>
    Object.fromEntries(values.map(({ value, jobs }) => [value, jobs]))
  expect(facets.total).toBe(expected(filter).length)
  expect(facets.standings).toEqual(fact('standings', ({ standing }) => standing))
  expect(read(facets.customers.values)).toEqual(fact('customers', ({ customer }) => customer))
  expect(read(facets.technicians.values)).toEqual(fact('technicians', ({ technician }) => technician))
  expect(read(facets.templates.values)).toEqual(fact('templates', ({ template }) => template.id))
  expect(facets.months).toEqual(
    Object.entries(countBy(expected(filter), ({ createdAt }) => createdAt.slice(0, 7))).map(([month, jobs]) => ({
      month,
      jobs
    }))
  )
})

test.for(filters)('a place in the log is reached by its month: %s', async ([, filter]) => {
  const jobs = expected(filter)
  const { months } = await store.jobFacets(filter)
  let above = 0
  for (const { month, jobs: inMonth } of months) {
    const skip = Math.floor(inMonth / 2)
    const next = new Date(`${month}-01T00:00:00.000Z`)
    next.setUTCMonth(next.getUTCMonth() + 1)
    const page = store.jobs.page({ ...filter, before: next.toISOString(), skip, limit: 5 })
    expect(page.jobs.map(({ id }) => id)).toEqual(jobs.slice(above + skip, above + skip + 5).map(({ id }) => id))
    above += inMonth
  }
  expect(above).toBe(jobs.length)
})

test('pages of a filter give each job once, from any place on', () => {
  for (const [, filter] of filters) {
    const seen: string[] = []
    let place: { after?: string } = {}
    for (;;) {
      const page = store.jobs.page({ ...filter, ...place, limit: 170 })
      seen.push(...page.jobs.map(({ id }) => id))
      if (page.next === null) break
      place = { after: page.next }
    }
    expect(seen).toEqual(expected(filter).map(({ id }) => id))
  }
})

test('a job that moves on is counted where it stands now, under the names that it has now', async () => {
  const moved = openTestStore(tempFolder())
  appendEntry(moved, 'a', 'begun', { customer: '', createdAt: '2026-03-31T23:59:59.000Z' })
  appendEntry(moved, 'b', 'begun', { customer: 'Customer One', createdAt: '2026-04-01T00:00:00.000Z' })
  appendEntry(moved, 'a', 'signed off', {
    state: 'done',
    counts,
    customer: 'Customer Two',
    technician: 'Technician One',
    createdAt: '2026-03-31T23:59:59.000Z'
  })
  const facets = await moved.jobFacets({})
  expect(facets).toMatchObject({
    total: 2,
    standings: { doneSkipped: 1, running: 1 },
    months: [
      { month: '2026-04', jobs: 1 },
      { month: '2026-03', jobs: 1 }
    ]
  })
  expect(facets.customers.values).toEqual([
    { value: 'Customer One', jobs: 1 },
    { value: 'Customer Two', jobs: 1 }
  ])
  expect(facets.technicians.values).toContainEqual({ value: 'Technician One', jobs: 1 })
  expect(await moved.check()).toMatchObject({ ok: true })
})
