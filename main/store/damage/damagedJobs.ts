import type { Message } from '../../../preload/contract/messages.ts'
import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'
import type { JobDamage } from './jobLogCheck.ts'

/** Jobs with incomplete logs. There are few, otherwise the whole file would be damaged. */
export interface DamagedJobStore {
  all(): Map<string, JobDamage>
  keep(jobId: string, damage: JobDamage): void
  /** Its log is intact again. */
  forget(jobId: string): void
}

interface Row {
  job_id: string
  entry: number | null
  readable: number
  message: string
}

export function createDamagedJobStore(data: DataFile): DamagedJobStore {
  const rows = data.prepare<[], Row>('select job_id, entry, readable, message from damaged_job order by found_at, job_id')
  const put = data.prepare(
    `insert into damaged_job (job_id, found_at, entry, readable, message) values (?, ?, ?, ?, ?)
     on conflict (job_id) do update set entry = excluded.entry, readable = excluded.readable, message = excluded.message`
  )
  const drop = data.prepare('delete from damaged_job where job_id = ?')
  return {
    all: () => new Map(rows.all().map(({ job_id, entry, readable, message }) => [job_id, { entry, readable, message: readJson<Message>(message) }])),
    keep: (jobId, { entry, readable, message }) => void data.write(() => put.run(jobId, new Date().toISOString(), entry, readable, JSON.stringify(message))),
    forget: (jobId) => void data.write(() => drop.run(jobId))
  }
}
