import type { Json } from '../../../../preload/contract/define.ts'
import type { JobState, JobSummary } from '../../../../preload/contract/job/jobs.ts'
import type { DataFile } from '../file/database.ts'
import { pagesOf } from '../file/pages.ts'
import { createJobPages, placeOfEnd, type JobPage, type JobPageRequest } from './jobPages.ts'
import {
  indexedColumns,
  insertJobRow,
  jobRowColumns,
  rowOf,
  summaryOf,
  updateJobRow,
  type IndexedRow,
  type JobRow
} from './jobRow.ts'
import { entryOf, entryValues, insertEntryRow, journalColumns, type JournalRow } from './journalRow.ts'
import { jobWords } from '../file/schema/jobs.ts'
import { createNumbersStore, isEnded } from './jobNumbers.ts'
import { runWithMending } from '../damage/mending.ts'
import { sealEntry, startHash, type JournalEntry } from './seal.ts'
import { movedAwayType, movedHereType } from './signature.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'

export interface NewEntry {
  type: string
  stepId: string | null
  data: Json
  at: string
}

export type JobStore = ReturnType<typeof createJobStore>

export interface Lost {
  by: string
  at: string
  reason: string
  /** Nobody took it: a person adopted the team's log here, and set the local one aside. */
  isSettled?: boolean
}

/** A log that may be damaged in part. */
export interface ReadableLog {
  entries: JournalEntry[]
  /** Entries without a valid meaning. */
  unreadable: number[]
}

/** The time of an entry in a job's log; `state` of an entry that changed it. */
export interface EntryMark {
  at: string
  type: string
  state: string | null
}

const walkedAtOnce = 100

export function createJobStore(data: DataFile) {
  const last = data.prepare<[string], { seq: number; hash: string; type: string }>(
    'select seq, hash, type from journal where job_id = ? order by seq desc limit 1'
  )
  const insertEntry = data.prepare(insertEntryRow)
  const indexedOf = data.prepare<[string], IndexedRow>(`select ${indexedColumns} from job where id = ?`)
  const insertJob = data.prepare<[object]>(insertJobRow)
  const putShown = data.prepare<[object]>(updateJobRow({ isIndexChanged: false }))
  const putAll = data.prepare<[object]>(updateJobRow({ isIndexChanged: true }))
  const readJournal = data.prepare<[string], JournalRow>(
    `select ${journalColumns} from journal where job_id = ? order by seq`
  )
  const walk = data.prepare<[{ state: string; before: number; beforeAt: string; limit: number }], JobRow>(
    `select ${jobRowColumns} from job where state = @state and (created_at, key) < (@beforeAt, @before) order by created_at desc, key desc limit @limit`
  )
  const left = data.prepare<[{ counted: string }], JobRow>(
    `select ${jobRowColumns} from job where state = 'running' and case when json_valid(more) then json_extract(more, '$.handedOver') is null and (steps_done = steps_total or coalesce(json_extract(more, @counted) > 0, 1)) else 1 end order by created_at desc, key desc`
  )
  const lostRow = data.prepare<[string], { by_name: string; at: string; reason: string; is_settled: number }>(
    'select by_name, at, reason, exists (select 1 from team_aside where team_aside.job_id = team_lost.job_id and team_aside.at = team_lost.at) as is_settled from team_lost where job_id = ?'
  )
  const removeFrom = data.prepare('delete from journal where job_id = ? and seq >= ?')
  const putLost = data.prepare(
    'insert into team_lost (job_id, by_name, at, reason) values (?, ?, ?, ?) on conflict (job_id) do update set by_name = excluded.by_name, at = excluded.at, reason = excluded.reason'
  )
  const dropLost = data.prepare('delete from team_lost where job_id = ?')
  const pages = createJobPages(data)
  const numbers = createNumbersStore(data)

  function putJob(id: string, job: JobSummary, lastHash: string): void {
    const row = { ...rowOf(job), id, lastHash }
    const before = indexedOf.get(id)
    if (!before) return void insertJob.run(row)
    const isSame = Object.entries(before).every(([name, value]) => value === row[name as keyof typeof row])
    ;(isSame ? putShown : putAll).run(row)
  }

  const touched = data.prepare<[{ at: string; madeSince: string; limit: number }], JobRow>(
    `select ${jobRowColumns} from job where created_at >= @madeSince and updated_at >= @at order by created_at desc, key desc limit @limit`
  )
  const marks = data.prepare<[string, string], EntryMark>(
    `select at, type, case type when 'stateChanged' then json_extract(data, '$.state') end as state from journal where job_id = ? and at >= ? order by seq`
  )
  const openOf = data.prepare<[string], JobRow>(
    `select ${jobRowColumns} from job where imei = ? and state in ('draft', 'running', 'failed') order by key desc`
  )

  function lostOf(jobId: string): Lost | undefined {
    const row = lostRow.get(jobId)
    return (
      row && { by: row.by_name, at: row.at, reason: row.reason, ...(row.is_settled === 1 ? { isSettled: true } : {}) }
    )
  }

  return {
    lostOf,
    /** Someone else has taken it over: from now on its log accepts no entries here. */
    lose(jobId: string, lost: Lost, summary: JobSummary): void {
      runWithMending(data, jobWords, () =>
        data.write(() => {
          putLost.run(jobId, lost.by, lost.at, lost.reason)
          putJob(jobId, summary, last.get(jobId)?.hash ?? '')
        })
      )
    },
    touchedSince: (request: { at: string; madeSince: string; limit: number }): JobSummary[] =>
      touched.all(request).map(summaryOf),
    /** The times of entries in a job's log since then, oldest first. */
    marksSince: (jobId: string, at: string): EntryMark[] => marks.all(jobId, at),
    /** Open jobs on this device: not signed off, not cancelled. Newest first. */
    openOfDevice: (imei: string): JobSummary[] =>
      openOf
        .all(imei)
        .map(summaryOf)
        .filter(({ handedOver }) => !handedOver),
    /**
     * Adds entries to a job's log and updates its row in the list, in one transaction that is on the disk on return.
     */
    append(jobId: string, entries: NewEntry[], summarise: (added: JournalEntry[]) => JobSummary): JournalEntry[] {
      return runWithMending(data, jobWords, () =>
        data.write(() => {
          const before = last.get(jobId)
          const lost = lostOf(jobId)
          if (lost) throw new AppError('CONFLICT', sayTakenOver(lost))
          if (before?.type === movedAwayType && entries[0]?.type !== movedHereType)
            throw new AppError('CONFLICT', message('jobs.handedOver'))
          let { seq, hash } = before ?? { seq: 0, hash: startHash(jobId) }
          const added = entries.map((entry): JournalEntry => {
            seq += 1
            const sealed = sealEntry(hash, { seq, ...entry })
            hash = sealed.hash
            return sealed
          })
          // The row first, because the log refers to it.
          const summary = summarise(added)
          putJob(jobId, summary, hash)
          for (const entry of added) insertEntry.run(...entryValues(jobId, entry))
          if (isEnded(summary.state) && added.some(({ type }) => type === 'stateChanged')) numbers.keep(jobId)
          data.endsWith({ job: jobId, seq, hash })
          return added
        })
      )
    },
    /** Imports a job's log, whose chain the caller checked. CONFLICT when the local log is not its beginning. */
    adopt(jobId: string, entries: readonly JournalEntry[], summary: JobSummary): void {
      runWithMending(data, jobWords, () =>
        data.write(() => {
          const before = last.get(jobId)
          const end = entries.at(-1)
          if (!end || (before && entries.find(({ seq }) => seq === before.seq)?.hash !== before.hash))
            throw new AppError('CONFLICT', message('transfer.fork', { job: jobId }))
          // It returned: the log continues here.
          dropLost.run(jobId)
          putJob(jobId, summary, end.hash)
          for (const entry of entries) if (entry.seq > (before?.seq ?? 0)) insertEntry.run(...entryValues(jobId, entry))
          data.endsWith({ job: jobId, seq: end.seq, hash: end.hash })
        })
      )
    },
    /**
     * Replaces the local log from the first difference on, after it was set aside. CONFLICT when it has changed since.
     */
    goOnWith(
      jobId: string,
      { entries, from, lastHash }: { entries: readonly JournalEntry[]; from: number; lastHash: string },
      summary: JobSummary
    ): void {
      runWithMending(data, jobWords, () =>
        data.write(() => {
          const end = entries.at(-1)
          if (!end || last.get(jobId)?.hash !== lastHash)
            throw new AppError('CONFLICT', message('transfer.changedMeanwhile'), { retryable: true })
          removeFrom.run(jobId, from)
          putJob(jobId, summary, end.hash)
          for (const entry of entries) if (entry.seq >= from) insertEntry.run(...entryValues(jobId, entry))
          // Its statistics must be computed again.
          numbers.keep(jobId)
          data.endsWith({ job: jobId, seq: end.seq, hash: end.hash })
        })
      )
    },
    /** The whole log of a job, oldest first; empty for an unknown job. */
    journal: (jobId: string): JournalEntry[] => readJournal.all(jobId).map(entryOf),
    readable(jobId: string): ReadableLog {
      const entries: JournalEntry[] = []
      const unreadable: number[] = []
      for (const row of readJournal.all(jobId)) {
        const data = readIfJson(row.data)
        if (data === undefined) unreadable.push(row.seq)
        else entries.push({ ...row, data })
      }
      return { entries, unreadable }
    },
    /** One page of the list, newest first. Throws AppError NOT_FOUND for an unknown `after`. */
    page: (request: JobPageRequest): JobPage => runWithMending(data, jobWords, () => pages.page(request)),
    /**
     * Running jobs that may have such a step, or only wait for their end: those whose row says so, and those whose row
     * does not tell. Newest first. The query picks them, because reading thousands of rows to find none makes every
     * start wait.
     */
    runningWith: (bead: 'running' | 'deferred'): JobSummary[] =>
      left.all({ counted: `$.counts.${bead}` }).map(summaryOf),
    /** Every job in one of these states, newest first, read during the iteration: for the few open ones. */
    *inState(...states: JobState[]): Iterable<JobSummary> {
      for (const state of states) {
        const { before, beforeAt } = placeOfEnd
        const pages = pagesOf<JobRow>(walkedAtOnce, (last) =>
          walk.all({ state, before: last?.key ?? before, beforeAt: last?.createdAt ?? beforeAt, limit: walkedAtOnce })
        )
        for (const rows of pages) yield* rows.map(summaryOf)
      }
    }
  }
}

/** That someone else has taken a job over, or has it since a person adopted the team's log. */
export function sayTakenOver({ by, reason, isSettled = false }: Pick<Lost, 'by' | 'reason' | 'isSettled'>): Message {
  if (isSettled) return message('teamForks.onlyRead', { named: by === '' ? 'no' : 'yes', by, reason })
  return message('teamHolding.takenOver', { by, told: reason === '' ? 'no' : 'yes', reason })
}

function readIfJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
