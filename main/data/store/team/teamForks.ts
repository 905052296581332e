import type { Message } from '../../../../preload/contract/messages.ts'
import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'
import { entryOf, journalColumns, type JournalRow } from '../jobs/journalRow.ts'
import type { JournalEntry } from '../jobs/seal.ts'

export interface Aside {
  jobId: string
  number: number
  /** The first entry that differs from the team's log. */
  seq: number
  lastHash: string
  at: string
  reason: string
  /** The holder at that time; empty for none. */
  holder: string
}

export type TeamForkStore = ReturnType<typeof createTeamForkStore>

const columns = 'job_id as jobId, number, seq, last_hash as lastHash, at, reason, holder'

/** Diverging logs. They are stored completely, and never changed. */
export function createTeamForkStore(data: DataFile) {
  const next = data.prepare<[string], { number: number }>(
    'select coalesce(max(number), 0) + 1 as number from team_aside where job_id = ?'
  )
  const keep = data.prepare<[object]>(
    'insert into team_aside (job_id, number, seq, last_hash, at, reason, holder) values (@jobId, @number, @seq, @lastHash, @at, @reason, @holder)'
  )
  const keepEntries = data.prepare(
    'insert into team_aside_entry (job_id, number, seq, at, type, step_id, data, hash) select job_id, ?, seq, at, type, step_id, data, hash from journal where job_id = ? order by seq'
  )
  const ofJob = data.prepare<[string], Aside>(`select ${columns} from team_aside where job_id = ? order by number`)
  const newest = data.prepare<[number], Aside>(`select ${columns} from team_aside order by at desc limit ?`)
  const entries = data.prepare<[string, number], JournalRow>(
    `select ${journalColumns} from team_aside_entry where job_id = ? and number = ? order by seq`
  )
  const stopped = data.prepare<[string], { stopped: string | null }>('select stopped from team_push where job_id = ?')
  return {
    /** Stores the whole present log of a job. Call within the transaction that replaces the log. */
    setAside(aside: Omit<Aside, 'number'>): void {
      data.write(() => {
        const number = next.get(aside.jobId)?.number ?? 1
        keep.run({ ...aside, number })
        keepEntries.run(number, aside.jobId)
      })
    },
    /** Of a job, oldest first. */
    asides: (jobId: string): Aside[] => ofJob.all(jobId),
    /** Of all jobs, newest first. */
    newest: (limit: number): Aside[] => newest.all(limit),
    entries: (jobId: string, number: number): JournalEntry[] => entries.all(jobId, number).map(entryOf),
    /** Why a job does not continue automatically; null when it does. */
    stoppedBy(jobId: string): Message | null {
      const why = stopped.get(jobId)?.stopped
      return why ? readJson<Message>(why) : null
    }
  }
}
