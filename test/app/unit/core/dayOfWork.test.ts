import { expect, test } from 'vitest'
import type { Json } from '../../../../preload/contract/define.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import type { JobSummary } from '../../../../preload/contract/job/jobs.ts'
import { dayOfWork } from '../../../../main/app/dayOfWork.ts'
import type { Core } from '../../../../main/app/core.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { summaryOf } from '../../../world/data/jobSummary.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const steps = {
  waiting: 0,
  running: 0,
  pass: 12,
  sent: 0,
  warn: 0,
  fail: 0,
  unreadable: 0,
  deferred: 0,
  notApplicable: 0
}

test('the day is told from the log: stretches of work, what was signed off today, what was skipped this week', () => {
  const store = openTestStore(tempFolder())
  const add = (id: string, more: Partial<JobSummary>, ...entries: [at: string, type: string, data?: Json][]) =>
    entries.forEach(([at, type, data = {}]) =>
      store.jobs.append(id, [{ type, stepId: null, data, at }], () =>
        summaryOf(id, { createdAt: entries[0]?.[0] ?? at, updatedAt: at, vehicle: { id: 1, name: id }, ...more })
      )
    )
  const core = { store, jobs: { jobOf: () => 'B' } as unknown as Core['jobs'] }

  // Years of work that are not looked at.
  for (let n = 0; n < 500; n++)
    add(`OLD${n}`, { state: 'done', counts: { ...steps, waived: 1 } }, [
      new Date(Date.parse('2025-01-01T08:00:00.000Z') + n * 3_600_000).toISOString(),
      'jobCreated'
    ])
  add('LASTWEEK', { state: 'done', counts: { ...steps, waived: 3 } }, ['2026-11-13T08:00:00.000Z', 'jobCreated'])
  add(
    'MONDAY',
    {
      state: 'done',
      counts: { ...steps, waived: 2 },
      named: [
        { title: plainMessage('Output 1'), state: 'waived' },
        { title: plainMessage('Inputs'), state: 'waived' }
      ]
    },
    ['2026-11-16T08:00:00.000Z', 'jobCreated']
  )
  add(
    'A',
    { state: 'done', counts: { ...steps, waived: 0 } },
    ['2026-11-20T07:10:00.000Z', 'jobCreated'],
    ['2026-11-20T07:30:00.000Z', 'answered'],
    ['2026-11-20T07:45:00.000Z', 'stateChanged', { state: 'done', reason: 'signed' }],
    ['2026-11-20T10:00:00.000Z', 'evidence']
  )
  add(
    'B',
    { state: 'running' },
    ['2026-11-19T15:00:00.000Z', 'jobCreated'],
    ['2026-11-20T08:00:00.000Z', 'stepStarted'],
    ['2026-11-20T08:29:00.000Z', 'evidence'],
    ['2026-11-20T09:10:00.000Z', 'answered']
  )

  const day = dayOfWork(core, { from: '2026-11-20T00:00:00.000Z', weekFrom: '2026-11-16T00:00:00.000Z' })
  expect(
    day.stretches.map(({ jobId, from, until, state, isActive }) => [
      jobId,
      from.slice(11, 16),
      until.slice(11, 16),
      state,
      isActive
    ])
  ).toEqual([
    ['A', '07:10', '07:45', 'done', false],
    ['B', '08:00', '08:29', 'running', true],
    ['B', '09:10', '09:10', 'running', true]
  ])
  expect(day.done).toEqual({ n: 1, withSkipped: 0, jobs: [{ jobId: 'A', name: plainMessage('A') }] })
  expect(day.skipped).toEqual({
    steps: 2,
    jobs: [
      { jobId: 'MONDAY', name: plainMessage('MONDAY'), step: plainMessage('Output 1') },
      { jobId: 'MONDAY', name: plainMessage('MONDAY'), step: plainMessage('Inputs') }
    ]
  })
})
