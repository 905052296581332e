import { writeSnapshot } from '../../../../main/support/diagnosis/snapshots/fileForm.ts'
import { rowOf } from '../../../../main/support/diagnosis/snapshots/row.ts'
import type { Snapshot } from '../../../../preload/contract/support/snapshots.ts'
import type { Laptop } from '../../team/laptop.ts'
import { sampleSnapshot } from './snapshots.ts'

/** The file of a snapshot that the log of this job names; `isKept` false: as a job has it that came without. */
export function nameSnapshot(
  { store, jobs }: Laptop,
  job: string,
  cause: 'jobStart' | 'signOff',
  { isKept = true, ...more }: Partial<Snapshot> & { isKept?: boolean } = {}
): string {
  const snapshot = sampleSnapshot({}, { cause, jobId: job, ...more })
  const text = writeSnapshot(snapshot)
  const { sha256, sizeBytes } = store.snapshots.hashOf(text)
  if (isKept) store.snapshots.keep(rowOf({ ...snapshot, jobId: job }, text))
  const { takenAt } = snapshot
  const [summary] = [...store.jobs.inState('draft')].filter(({ id }) => id === job)
  if (!summary) throw new Error('The job is not there')
  store.jobs.append(
    job,
    [
      {
        type: 'snapshot',
        stepId: null,
        data: { cause, takenAt, sha256, sizeBytes, asked: 8, silent: 0, why: null },
        at: takenAt
      }
    ],
    () => summary
  )
  jobs.reread(job)
  return text
}
