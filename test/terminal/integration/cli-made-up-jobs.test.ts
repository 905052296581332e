import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readJob, summariseJob } from '../../../main/job/jobs/record/journal.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { verifyChain } from '../../../main/data/store/jobs/seal.ts'
import { checkSeals } from '../../../main/data/store/jobs/signature.ts'
import { openTestStore } from '../../world/data/storedJobs.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { fitter } from '../../world/window/fitterProcess.ts'

const limit = { timeout: 360_000 }
const jobs = 240

async function run(...parameters: string[]) {
  const { code, stdout, stderr } = await fitter([...parameters, '--json'], { env: { HOME: tempFolder() } })
  return { code, stderr, value: JSON.parse(stdout) as unknown }
}

test('simulate --jobs fills a new folder with a log that is listed, counted and intact', limit, async () => {
  const data = join(tempFolder(), 'made', 'up')
  const made = await run('simulate', '--jobs', String(jobs), '--data', data)
  expect([made.code, made.value]).toEqual([0, { jobs, folder: data, tookS: expect.any(Number) }])
  const listed = await run('job', 'list', '--data', data, '--state', 'failed')
  expect(listed.code).toBe(0)
  expect(listed.value).toHaveLength(jobs / 12)
  expect((await run('data', 'check', '--data', data)).value).toEqual({ ok: true, findings: [] })

  const store = openTestStore(data)
  const { total, counts } = store.jobs.page({ limit: 1 })
  expect([total, counts]).toMatchObject([jobs, { done: (jobs / 12) * 10, failed: jobs / 12, cancelled: jobs / 12 }])
  const { months, jobs: counted } = await store.readNumbers({})
  expect(counted).toBe(jobs)
  expect(months.length).toBeGreaterThan(30)
})

test('each of these jobs is practice, sealed when it is signed off, and listed as its log says', limit, async () => {
  const data = join(tempFolder(), 'data')
  await run('simulate', '--jobs', String(jobs), '--data', data)
  const store = openTestStore(data)
  const listed = store.jobs.page({ limit: jobs }).jobs
  expect(new Set(listed.map(({ id }) => id)).size).toBe(jobs)
  for (const summary of listed) {
    const log = store.jobs.journal(summary.id)
    expect(verifyChain(summary.id, log)).toEqual({ ok: true })
    const seals = checkSeals(summary.id, log)
    expect([seals.faults, seals.kind]).toEqual([[], summary.state === 'done' ? 'hashOnly' : 'none'])
    expect(log[0]?.data).toMatchObject({ isTraining: true })
    expect(summariseJob(readJob(summary.id, log))).toEqual(summary)
  }
})

test('a folder with anything in it is refused and stays as it is', limit, async () => {
  const data = join(tempFolder(), 'data')
  openStore(data).close()
  const before = readdirSync(data)
  const refused = await run('simulate', '--jobs', '5', '--data', data)
  expect([refused.code, refused.value]).toMatchObject([2, { error: { code: 'INVALID_REQUEST' } }])
  expect(JSON.stringify(refused.value)).toContain('not empty')
  expect(readdirSync(data)).toEqual(before)

  const documents = join(tempFolder(), 'documents')
  mkdirSync(documents)
  writeFileSync(join(documents, 'notes.txt'), 'of somebody')
  expect((await run('simulate', '--jobs', '5', '--data', documents)).code).toBe(2)
  expect(readdirSync(documents).filter((name) => name.startsWith('fitter.db'))).toEqual([])
})

test.for([
  '--jobs 5',
  '--jobs many --data /nowhere',
  '--jobs 5 --data /nowhere --devices 3',
  '--jobs 5 --data /nowhere --gateway'
])('simulate %s is refused', limit, async (line) => {
  const { code, value } = await run('simulate', ...line.split(' '))
  expect([code, value]).toMatchObject([2, { error: { code: 'INVALID_REQUEST' } }])
})
