import { onTestFinished } from 'vitest'
import type { JobSummary } from '../../../preload/contract/job/jobs.ts'
import { openStore, type Store } from '../../../main/data/store/index.ts'
import { summaryOf } from './jobSummary.ts'

/** Opens a store that is closed when the test is over. */
export function openTestStore(folder: string): Store {
  const store = openStore(folder)
  onTestFinished(() => store.close())
  return store
}

/** Adds one entry with this text to the log of a job. */
export function appendEntry(store: Store, jobId: string, text: string, more: Partial<JobSummary> = {}) {
  const entry = { type: 'evidence', stepId: 'ignition', data: { text }, at: '2026-03-01T10:00:00.000Z' }
  return store.jobs.append(jobId, [entry], () => summaryOf(jobId, more))
}
