import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { TakeOverResult } from '../../../../preload/contract/job/transfers.ts'
import type { JournalEntry } from '../../../data/store/jobs/seal.ts'
import { movedAwayType } from '../../../data/store/jobs/signature.ts'
import type { ReadFile } from './readFile.ts'

/**
 * What a takeover would do here: a log that continued from its handover entry was taken over; one that differs is a
 * fork.
 */
export function whatIsHere(
  { head, jobs }: Pick<ReadFile, 'head' | 'jobs'>,
  journal: (jobId: string) => JournalEntry[]
): { outcome: TakeOverResult['outcome']; taken: string[] } {
  const taken: string[] = []
  let isOurs = false
  for (const { id, entries } of jobs) {
    const here = journal(id)
    const end = entries.at(-1)
    const lastHere = here.at(-1)
    if (!end || !lastHere) {
      taken.push(id)
    } else if (here.some(({ hash }) => hash === end.hash)) {
      // The log here contains the whole log of the file. Only if it ends with the handover is the job inactive here.
      if (lastHere.hash !== end.hash) continue
      taken.push(id)
      isOurs ||= lastHere.type === movedAwayType && (lastHere.data as { id?: unknown }).id === head.id
    } else if (entries.some(({ hash }) => hash === lastHere.hash)) {
      taken.push(id)
    } else throw new AppError('CONFLICT', message('transfer.fork', { job: id }))
  }
  return { outcome: taken.length === 0 ? 'alreadyHere' : isOurs ? 'takenBack' : 'taken', taken }
}
