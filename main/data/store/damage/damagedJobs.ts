import type { Message } from '../../../../preload/contract/messages.ts'
import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'
import type { JobDamage } from './jobLogCheck.ts'

/** Jobs with incomplete logs. There are few, otherwise the whole file would be damaged. */
export type DamagedJobStore = ReturnType<typeof createDamagedJobStore>

export function createDamagedJobStore(data: DataFile) {
  const rows = data.prepare<[], Omit<JobDamage, 'message'> & { jobId: string; message: string }>(
    'select job_id as jobId, entry, readable, message from damaged_job order by found_at, job_id'
  )
  const put = data.prepare(
    `insert into damaged_job (job_id, found_at, entry, readable, message) values (?, ?, ?, ?, ?)
     on conflict (job_id) do update set entry = excluded.entry, readable = excluded.readable, message = excluded.message`
  )
  const drop = data.prepare('delete from damaged_job where job_id = ?')
  return {
    all: (): Map<string, JobDamage> =>
      new Map(
        rows.all().map(({ jobId, message, ...damage }) => [jobId, { ...damage, message: readJson<Message>(message) }])
      ),
    keep: (jobId: string, { entry, readable, message }: JobDamage): void =>
      void data.write(() => put.run(jobId, new Date().toISOString(), entry, readable, JSON.stringify(message))),
    /** Its log is intact again. */
    forget: (jobId: string): void => void data.write(() => drop.run(jobId))
  }
}
