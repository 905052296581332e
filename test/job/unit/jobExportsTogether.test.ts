import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createJobExports } from '../../../main/job/reports/jobExports.ts'
import type { ReportSource } from '../../../main/job/reports/jobReport.ts'
import { tempFolder } from '../../world/tempFolder.ts'

it('of two windows that export at once one is refused, and the file of the other stays', async () => {
  const folder = join(tempFolder(), 'exports')
  const faults: unknown[] = []
  const ended = Promise.withResolvers<void>()
  const exports = createJobExports({
    folder,
    page: () => ({ jobs: [], next: null }),
    facets: async () => Promise.resolve({ total: 1 } as never),
    source: () => ({ reader: { language: 'en', units: 'metric', timeZone: 'UTC' }, isTraining: false }) as ReportSource,
    events: { tell: (_name: string, { state }: { state: string }) => state !== 'running' && ended.resolve() } as never,
    reportFault: (fault) => faults.push(fault)
  })
  const wish = { format: 'csv', chosen: { by: 'filter', filter: {} } } as never
  const [first, second] = await Promise.allSettled([exports.begin(wish), exports.begin(wish)])
  expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected'])
  expect(second).toMatchObject({ reason: { code: 'CONFLICT', sentence: { id: 'report.exportRuns' } } })
  const { id } = (first as PromiseFulfilledResult<{ id: string }>).value
  await ended.promise
  expect(faults).toEqual([])
  expect(exports.state(id)).toMatchObject({ state: 'ready' })
  expect(existsSync(join(folder, id))).toBe(true)
  // Nothing remains claimed: the next one may begin.
  await expect(exports.begin(wish)).resolves.toMatchObject({ format: 'csv' })
  await exports.stop()
})
