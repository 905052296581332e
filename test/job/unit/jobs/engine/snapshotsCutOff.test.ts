import { expect, it } from 'vitest'
import { writeSnapshot } from '../../../../../main/support/diagnosis/snapshots/fileForm.ts'
import { rowOf } from '../../../../../main/support/diagnosis/snapshots/row.ts'
import { createJobSnapshots } from '../../../../../main/job/jobs/record/jobSnapshots.ts'
import type { SnapshotPort } from '../../../../../main/job/jobs/engine/ports.ts'
import { openLaptop, type Laptop } from '../../../../world/team/laptop.ts'
import { sampleSnapshot } from '../../../../world/data/bundles/snapshots.ts'
import { tempFolder } from '../../../../world/tempFolder.ts'

/** The process dies while the snapshot of a sign-off is made: nothing is written into the log any more. */
async function dieWhileMaking(
  folder: string,
  make: (laptop: Laptop, job: string) => ReturnType<SnapshotPort['makeForJob']>
): Promise<string> {
  const laptop = openLaptop({ folder })
  const job = laptop.makeJob()
  const dead = Promise.withResolvers<unknown>()
  const snapshots = createJobSnapshots({
    port: { ...laptop.snapshots, makeForJob: () => make(laptop, job) },
    logs: {
      load: laptop.jobs.loaded,
      write: () => {
        throw new Error('The process is dead')
      }
    },
    written: () => Promise.resolve(),
    now: () => new Date('2026-04-12T09:00:00.000Z'),
    reportFault: dead.resolve
  })
  snapshots.begin(job, 'signOff')
  await dead.promise
  laptop.end()
  return job
}

/** What the log of the job says of snapshots after each of so many starts. */
function toldAfterStarts(folder: string, job: string, starts: number): unknown[] {
  for (let n = 1; ; n += 1) {
    const laptop = openLaptop({ folder })
    try {
      expect([laptop.store.snapshots.begun(), laptop.faults]).toEqual([[], []])
      if (n === starts)
        return laptop.store.jobs.journal(job).flatMap(({ type, data }) => (type === 'snapshot' ? [data] : []))
    } finally {
      laptop.end()
    }
  }
}

it('a snapshot that a crash cut off is told in words after the next start, once, and none is made later', async () => {
  const folder = tempFolder()
  const job = await dieWhileMaking(folder, () => Promise.reject(new Error('The process is dead')))
  expect(toldAfterStarts(folder, job, 2)).toEqual([
    expect.objectContaining({
      cause: 'signOff',
      takenAt: '2026-04-12T09:00:00.000Z',
      sha256: null,
      why: expect.objectContaining({ id: 'snapshots.cutOff' }) as unknown
    })
  ])
})

it('a snapshot that was kept before the crash is named in the log after the next start', async () => {
  const folder = tempFolder()
  let sha256 = ''
  const job = await dieWhileMaking(folder, ({ store }, jobId) => {
    const snapshot = sampleSnapshot({}, { cause: 'signOff', jobId })
    const text = writeSnapshot(snapshot)
    const facts = { ...store.snapshots.hashOf(text), takenAt: snapshot.takenAt, asked: 8, silent: 0 }
    sha256 = facts.sha256
    return Promise.resolve({ ...facts, keep: () => void store.snapshots.keep(rowOf(snapshot, text)) })
  })
  expect(toldAfterStarts(folder, job, 2)).toEqual([
    expect.objectContaining({ cause: 'signOff', sha256, asked: 8, silent: 0, why: null })
  ])
})
