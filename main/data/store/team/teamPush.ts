import type { JobSummary } from '../../../../preload/contract/job/jobs.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'
import { jobRowColumns, summaryOf, type JobRow } from '../jobs/jobRow.ts'
import { entryOf, journalColumns, type JournalRow } from '../jobs/journalRow.ts'
import { sha256Hex, type JournalEntry } from '../jobs/seal.ts'
import { createStoredValues } from '../storedValues.ts'

/** This laptop's identity in the team log; its password is in the keychain. */
export interface Membership {
  team: string
  name: string
  mayWrite: boolean
  channel: string
  host: string
  port: number
  database: string
  login: string
  authority: string | null
  joinedAt: string
  /** The invitation file, if there is no keychain for its password. */
  joinFile?: string
}

export interface Pushed {
  seq: number
  hash: string
}

/** The team log that was set up from here, as its owner; without a password. */
export interface OwnedTeam {
  host: string
  port: number
  database: string
  user: string
  authority: string | null
  team: string
}

export type TeamPushStore = ReturnType<typeof createTeamPushStore>

const membershipName = '$team'
const pushedAtName = '$teamPushedAt'
const folderIdName = '$teamFolder'
const ownedName = '$teamOwned'

/** What the team log knows about the local logs. */
export function createTeamPushStore(data: DataFile) {
  const values = createStoredValues(data, 'setting')
  const waiting = data.prepare<[number], { id: string }>(
    'select job_id as id from team_waiting where is_held = 0 order by created_at desc, key desc limit ?'
  )
  const waitingAfter = data.prepare<[string, number], { id: string }>(
    'select job_id as id from team_waiting where is_held = 0 and (created_at, key) < (select before.created_at, before.key from job before where before.id = ?) order by created_at desc, key desc limit ?'
  )
  const count = data.prepare<[], { n: number }>('select count(*) as n from team_waiting')
  const isOneWaiting = data.prepare<[string], object>('select 1 from team_waiting where job_id = ?')
  const summary = data.prepare<[string], JobRow>(`select ${jobRowColumns} from job where id = ?`)
  const ended = data.prepare<[string], { endedAt: string; isFirstTime: number }>(
    'select ended_at as endedAt, is_first_time as isFirstTime from job_numbers where job_id = ?'
  )
  const pushed = data.prepare<[string], Pushed>('select seq, hash from team_push where job_id = ?')
  const put = data.prepare(
    'insert into team_push (job_id, seq, hash) values (?, ?, ?) on conflict (job_id) do update set seq = excluded.seq, hash = excluded.hash, stopped = null, held = null'
  )
  const stop = data.prepare(
    "insert into team_push (job_id, seq, hash, stopped) values (?, 0, '', ?) on conflict (job_id) do update set stopped = excluded.stopped"
  )
  const hold = data.prepare(
    "insert into team_push (job_id, seq, hash, held) values (?, 0, '', ?) on conflict (job_id) do update set held = excluded.held"
  )
  const held = data.prepare<[], { jobId: string; held: string }>(
    'select job_id as jobId, held from team_push where held is not null order by job_id limit 200'
  )
  const release = data.prepare('update team_push set held = null where held is not null')
  const work = data.prepare<[string], { moved: number; told: number; operations: string | null }>(
    'select work_moved as moved, work_told as told, told_operations as operations from team_push where job_id = ?'
  )
  const tellWork = data.prepare('update team_push set work_told = ?, told_operations = ? where job_id = ?')
  const stopped = data.prepare<[], { jobId: string; stopped: string }>(
    'select job_id as jobId, stopped from team_push where stopped is not null order by job_id limit 200'
  )
  const forget = data.prepare('delete from team_push')
  const hashAt = data.prepare<[string, number], { hash: string }>(
    'select hash from journal where job_id = ? and seq = ?'
  )
  const after = data.prepare<[string, number, number], JournalRow>(
    `select ${journalColumns} from journal where job_id = ? and seq > ? order by seq limit ?`
  )

  return {
    owned: (): OwnedTeam | null => values.read<OwnedTeam>(ownedName),
    setOwned: (owned: OwnedTeam): void => values.put(ownedName, owned),
    membership: (): Membership | null => values.read<Membership>(membershipName),
    /** A new membership, or none, starts without acknowledgements. */
    setMembership(membership: Membership | null): void {
      data.write(() => {
        forget.run()
        values.drop(pushedAtName)
        if (membership) values.put(membershipName, membership)
        else values.drop(membershipName)
      })
    },
    /** The id of this data folder for the server, created at the first call. */
    folderId(make: () => string): string {
      const present = values.read<string>(folderIdName)
      if (present !== null) return present
      const made = make()
      values.put(folderIdName, made)
      return made
    },
    /** The id of this data folder in its logs (SHA-256), so that a restored server knows their owner. */
    folderMark(): string | null {
      const present = values.read<Membership>(membershipName) && values.read<string>(folderIdName)
      return present === null ? null : sha256Hex(present)
    },
    /** Whether this laptop was ever in a team: others may have taken over what it pushed. */
    hasEverJoined: (): boolean => values.read(folderIdName) !== null,
    pushedAt: (): string | null => values.read<string>(pushedAtName),
    setPushedAt: (at: string): void => values.put(pushedAtName, at),
    /** Jobs with new log entries since the last call, latest first, waiting or not. */
    takeAddedTo: (): string[] => data.takeAddedTo(),
    /** Jobs with unacknowledged entries, newest first, created before one of them; stopped jobs are left out. */
    waiting: (limit: number, after?: string): string[] =>
      (after === undefined ? waiting.all(limit) : waitingAfter.all(after, limit)).map(({ id }) => id),
    waitingCount: (): number => count.get()?.n ?? 0,
    isWaiting: (jobId: string): boolean => isOneWaiting.get(jobId) !== undefined,
    summary(jobId: string): JobSummary | undefined {
      const row = summary.get(jobId)
      return row && summaryOf(row)
    },
    /**
     * When a job ended, and whether every step passed at the first attempt; undefined while it is open or not counted.
     */
    ended(jobId: string): { endedAt: string; isFirstTime: boolean } | undefined {
      const row = ended.get(jobId)
      return row && { endedAt: row.endedAt, isFirstTime: row.isFirstTime === 1 }
    },
    pushed: (jobId: string): Pushed | undefined => pushed.get(jobId),
    /** In the same write: its gateway work was sent up to this count, with these operations. */
    acknowledge: (
      jobId: string,
      { seq, hash }: Pushed,
      told?: { moved: number; operations: readonly string[] }
    ): void =>
      void data.write(() => {
        put.run(jobId, seq, hash)
        if (told) tellWork.run(told.moved, JSON.stringify(told.operations), jobId)
      }),
    /** It does not continue automatically. */
    stop: (jobId: string, why: Message): void => void data.write(() => stop.run(jobId, JSON.stringify(why))),
    workMoved: (jobId: string): number => work.get(jobId)?.moved ?? 0,
    isWorkTold(jobId: string): boolean {
      const row = work.get(jobId)
      return row === undefined || row.moved === row.told
    },
    toldOperations: (jobId: string): string[] => readJson<string[]>(work.get(jobId)?.operations ?? '[]'),
    /** It waits for the push of another laptop. */
    hold: (jobId: string, why: Message): void => void data.write(() => hold.run(jobId, JSON.stringify(why))),
    held: (): { jobId: string; why: Message }[] =>
      held.all().map(({ jobId, held: why }) => ({ jobId, why: readJson<Message>(why) })),
    tryHeldAgain: (): void => void data.write(() => release.run()),
    stopped: (): { jobId: string; name: string; why: Message }[] =>
      stopped.all().map(({ jobId, stopped: why }) => {
        const row = summary.get(jobId)
        const job = row && summaryOf(row)
        return { jobId, name: job?.vehicle?.name ?? job?.device.imei ?? jobId, why: readJson<Message>(why) }
      }),
    hashAt: (jobId: string, seq: number): string | undefined => hashAt.get(jobId, seq)?.hash,
    /** The entries after one, up to this number and length. */
    entriesAfter(jobId: string, seq: number, limit: { entries: number; bytes: number }): JournalEntry[] {
      const entries: JournalEntry[] = []
      let bytes = 0
      for (const row of after.all(jobId, seq, limit.entries)) {
        bytes += row.data.length
        // One entry is always included, however large it is.
        if (entries.length > 0 && bytes > limit.bytes) break
        entries.push(entryOf(row))
      }
      return entries
    }
  }
}
