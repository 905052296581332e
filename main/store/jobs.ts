import type { Json } from '../../preload/contract/define.ts'
import type { JobState, JobSummary } from '../../preload/contract/jobs.ts'
import { sealEntry, startHash, type JournalEntry } from './seal.ts'
import type { DataFile } from './database.ts'
import { readJson } from './errors.ts'

export interface NewEntry {
  type: string
  stepId: string | null
  data: Json
  at: string
}

export interface JobStore {
  /** Adds entries to a job's log and renews its row in the list, in one transaction that is on the disk on return. */
  append(jobId: string, entries: NewEntry[], summarise: (added: JournalEntry[]) => JobSummary): JournalEntry[]
  /** The whole log of a job, oldest first; empty when there is no such job. */
  journal(jobId: string): JournalEntry[]
  /** Newest first. `search` looks in device, vehicle, customer, technician and template. */
  list(filter: { state?: JobState | undefined; search?: string | undefined }): JobSummary[]
  /** Jobs on this device that take more work: not signed off, not cancelled. Newest first. */
  openOfDevice(imei: string): JobSummary[]
}

interface JournalRow {
  seq: number
  at: string
  type: string
  step_id: string | null
  data: string
  hash: string
}

export function createJobStore(data: DataFile): JobStore {
  const { sql } = data
  const last = sql.prepare<[string], { seq: number; hash: string }>(
    'select seq, hash from journal where job_id = ? order by seq desc limit 1'
  )
  const insertEntry = sql.prepare('insert into journal (job_id, seq, at, type, step_id, data, hash) values (?, ?, ?, ?, ?, ?, ?)')
  const insertJob = sql.prepare(
    "insert into job (id, kind, state, template_id, imei, summary, search, created_at, updated_at) values (?, '', '', '', '', '{}', '', ?, ?)"
  )
  const putJob = sql.prepare(
    'update job set kind = ?, state = ?, template_id = ?, imei = ?, summary = ?, search = ?, updated_at = ?, last_hash = ? where id = ?'
  )
  const readJournal = sql.prepare<[string], JournalRow>('select * from journal where job_id = ? order by seq')
  const readJobs = sql.prepare<[{ state: string | null; search: string }], { summary: string }>(
    `select summary from job where (@state is null or state = @state) and instr(search, @search) > 0 order by updated_at desc, id desc`
  )

  const readOpenOf = sql.prepare<[string], { summary: string }>(
    "select summary from job where imei = ? and state in ('draft', 'running', 'failed') order by updated_at desc, id desc"
  )

  return {
    openOfDevice: (imei) => readOpenOf.all(imei).map((row) => readJson<JobSummary>(row.summary)),
    append(jobId, entries, summarise) {
      return data.write(() => {
        const before = last.get(jobId)
        let { seq, hash } = before ?? { seq: 0, hash: startHash(jobId) }
        if (!before) {
          const at = entries[0]?.at ?? ''
          insertJob.run(jobId, at, at)
        }
        const added = entries.map((entry): JournalEntry => {
          seq += 1
          const sealed = sealEntry(hash, { seq, ...entry })
          hash = sealed.hash
          insertEntry.run(jobId, seq, sealed.at, sealed.type, sealed.stepId, JSON.stringify(sealed.data), hash)
          return sealed
        })
        const job = summarise(added)
        putJob.run(job.kind, job.state, job.template.id, job.device.imei, JSON.stringify(job), searchText(job), job.updatedAt, hash, jobId)
        return added
      })
    },
    journal(jobId) {
      return readJournal.all(jobId).map((row) => ({
        seq: row.seq,
        at: row.at,
        type: row.type,
        stepId: row.step_id,
        data: readJson<Json>(row.data),
        hash: row.hash
      }))
    },
    list({ state, search }) {
      return readJobs
        .all({ state: state ?? null, search: foldText(search ?? '') })
        .map((row) => readJson<JobSummary>(row.summary))
    }
  }
}

function searchText(job: JobSummary): string {
  return foldText(
    [job.id, job.device.imei, job.device.model, job.vehicle?.name, job.customer, job.technician, job.template.name].join(' ')
  )
}

function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
