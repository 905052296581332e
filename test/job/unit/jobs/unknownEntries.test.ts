import { expect, it } from 'vitest'
import { readJob } from '../../../../main/job/jobs/record/journal.ts'
import { sealEntry, type JournalEntry } from '../../../../main/data/store/jobs/seal.ts'
import { makeSealedJob, makeSigner, sealedJobId } from '../../../world/data/sealedJob.ts'

it.each([
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__proto__',
  'isPrototypeOf',
  '__defineGetter__',
  'note'
])('an entry of an unknown type is read over, also when every object has something of the name %s', async (type) => {
  const { entries } = await makeSealedJob(makeSigner().sign)
  const log: JournalEntry[] = entries.slice(0, 5)
  const before = readJob(sealedJobId, log)
  const unknown = sealEntry(log.at(-1)!.hash, {
    seq: 6,
    at: '2026-11-20T16:30:00.000Z',
    type,
    stepId: entries[2]!.stepId,
    data: { note: 1 }
  })
  const { updatedAt: _at, seal: _seal, sealing: _sealing, ...job } = readJob(sealedJobId, [...log, unknown])
  expect(before).toMatchObject(job)
})
