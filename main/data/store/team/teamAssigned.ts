import type { Message } from '../../../../preload/contract/messages.ts'
import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'
import { movedHereType } from '../jobs/signature.ts'
import { createStoredValues } from '../storedValues.ts'

export interface KeptAssigned {
  id: string
  content: unknown
  jobId: string | null
  begunAt: string | null
  told: Message | null
}

export type TeamAssignedStore = ReturnType<typeof createTeamAssignedStore>

/** Checked at each start, if the job is one of the newest. */
const newestJobs = 50

const keptAtName = '$teamAssignedAt'

interface Row extends Pick<KeptAssigned, 'id' | 'jobId' | 'begunAt'> {
  content: string
  told: string | null
}

const columns = 'id, content, job_id as jobId, begun_at as begunAt, told'

/** Prepared jobs of the team log, for offline work. */
export function createTeamAssignedStore(data: DataFile) {
  const all = data.prepare<[], Row>(`select ${columns} from team_assigned order by id limit 1000`)
  const one = data.prepare<[string], Row>(`select ${columns} from team_assigned where id = ?`)
  const put = data.prepare(
    'insert into team_assigned (id, content, told) values (?, ?, ?) on conflict (id) do update set content = excluded.content, told = coalesce(team_assigned.told, excluded.told)'
  )
  const dropOthers = data.prepare(
    'delete from team_assigned where told is null and (job_id is null or told_at is not null) and id not in (select value from json_each(?))'
  )
  const begin = data.prepare('update team_assigned set job_id = ?, begun_at = ? where id = ? and job_id is null')
  const unmarked = data.prepare<[number], { id: string; jobId: string; at: string }>(
    `select team_assigned.id, job.id as jobId, job.created_at as at
     from (select id, created_at from job order by created_at desc limit ?) job
     join journal on journal.job_id = job.id and journal.seq = 1
     join team_assigned on team_assigned.job_id is null and team_assigned.id = case when json_valid(journal.data) then json_extract(journal.data, '$.prepared.id') end
     where not exists (select 1 from journal moved where moved.job_id = job.id and moved.type = '${movedHereType}')`
  )
  const untold = data.prepare<[], { id: string; jobId: string }>(
    'select id, job_id as jobId from team_assigned where job_id is not null and told_at is null order by id limit 500'
  )
  const setTold = data.prepare('update team_assigned set told_at = ?, told = ? where id = ?')
  const drop = data.prepare('delete from team_assigned where id = ? and (job_id is null or told_at is not null)')
  const dropAll = data.prepare('delete from team_assigned')
  const values = createStoredValues(data, 'setting')

  return {
    all: (): KeptAssigned[] => all.all().map(keptOf),
    find(id: string): KeptAssigned | undefined {
      const row = one.get(id)
      return row && keptOf(row)
    },
    keptAt: (): string | null => values.read<string>(keptAtName),
    /** Stores the server's list; others are removed, unless started here or a person must read a change. */
    keep(list: readonly { id: string; content: unknown; told: Message | null }[], at: string): void {
      data.write(() => {
        for (const { id, content, told } of list) put.run(id, JSON.stringify(content), told && JSON.stringify(told))
        dropOthers.run(JSON.stringify(list.map(({ id }) => id)))
        values.put(keptAtName, at)
      })
    },
    /** A job was started from it here; the team log does not know yet. */
    begin: (id: string, jobId: string, at: string): void => void data.write(() => begin.run(jobId, at, id)),
    /** Marks those from which a job was started by a process that died before it could mark them. */
    markBegun(): void {
      const found = unmarked.all(newestJobs)
      if (found.length > 0) {
        data.write(() => {
          for (const { id, jobId, at } of found) begin.run(jobId, at, id)
        })
      }
    },
    /** Those that the team log must be told about. */
    untold: (): { id: string; jobId: string }[] => untold.all(),
    /** The team log knows; `what` is for a person. */
    setTold: (id: string, at: string, what: Message | null): void =>
      void data.write(() => setTold.run(at, what && JSON.stringify(what), id)),
    putAway: (id: string): void => void data.write(() => drop.run(id)),
    forget(): void {
      data.write(() => {
        dropAll.run()
        values.drop(keptAtName)
      })
    }
  }
}

function keptOf({ content, told, ...row }: Row): KeptAssigned {
  return { ...row, content: readJson<unknown>(content), told: told === null ? null : readJson<Message>(told) }
}
