import type { LostJob, TeamOffer } from '../../../../preload/contract/team/teamHolding.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'

export interface OwnOffer {
  id: string
  at: string
  to: string
  state: TeamOffer['state']
  /** The server may know it. */
  isTried: boolean
  takenBy: string
  why: Message | null
}

export interface BegunTaking {
  jobId: string
  reason: string
  at: string
  /** What prevents it from ending; null when nothing is known. */
  why: Message | null
}

interface Row extends Omit<OwnOffer, 'isTried' | 'why'> {
  isTried: number
  why: string | null
}

const columns = 'id, at, to_name as "to", state, tried_at is not null as isTried, taken_by as takenBy, why'

/** Hand-overs from this laptop through the team log, and jobs that others took over. */
export function createTeamHoldingStore(data: DataFile) {
  const begin = data.prepare("insert into team_offer (id, at, to_name, state) values (?, ?, ?, 'leaving')")
  const one = data.prepare<[string], Row>(`select ${columns} from team_offer where id = ?`)
  const newest = data.prepare<[number], Row>(`select ${columns} from team_offer order by id desc limit ?`)
  const underWay = data.prepare<[], Row>(
    `select ${columns} from team_offer where state in ('leaving', 'withdrawing') order by id`
  )
  const attempt = data.prepare('update team_offer set tried_at = coalesce(tried_at, ?) where id = ?')
  const move = data.prepare('update team_offer set state = ?, why = ?, taken_by = ? where id = ?')
  const beginTaking = data.prepare(
    'insert into team_taking (job_id, reason, at) values (?, ?, ?) on conflict (job_id) do update set reason = excluded.reason'
  )
  const takings = data.prepare<[], Omit<BegunTaking, 'why'> & { why: string | null }>(
    'select job_id as jobId, reason, at, why from team_taking order by at'
  )
  const explainTaking = data.prepare('update team_taking set why = ? where job_id = ?')
  const endTaking = data.prepare('delete from team_taking where job_id = ?')
  const lost = data.prepare<[number], LostJob>(
    'select job_id as jobId, by_name as "by", at, reason from team_lost order by at desc limit ?'
  )

  return {
    /** Call within the transaction in which its jobs leave. */
    beginOffer: ({ id, at, to }: { id: string; at: string; to: string }): void =>
      void data.write(() => begin.run(id, at, to)),
    offer(id: string): OwnOffer | undefined {
      const row = one.get(id)
      return row && offerOf(row)
    },
    /** Newest first, at most so many. */
    offers: (limit: number): OwnOffer[] => newest.all(limit).map(offerOf),
    /** Those that continue automatically. */
    underWay: (): OwnOffer[] => underWay.all().map(offerOf),
    leavingCount: (): number => underWay.all().length,
    /** From now on the server may know it. */
    tryOffer: (id: string, at: string): void => void data.write(() => attempt.run(at, id)),
    moveOffer: (
      id: string,
      state: OwnOffer['state'],
      { why, takenBy = '' }: { why?: Message; takenBy?: string } = {}
    ): void => void data.write(() => move.run(state, why ? JSON.stringify(why) : null, takenBy, id)),
    beginTaking: ({ jobId, reason, at }: Omit<BegunTaking, 'why'>): void =>
      void data.write(() => beginTaking.run(jobId, reason, at)),
    /** Records what prevents one from ending; null: it is tried again. */
    explainTaking: (jobId: string, why: Message | null): void =>
      void data.write(() => explainTaking.run(why ? JSON.stringify(why) : null, jobId)),
    takings: (): BegunTaking[] => takings.all().map(withWhy),
    endTaking: (jobId: string): void => void data.write(() => endTaking.run(jobId)),
    lost: (limit: number): LostJob[] => lost.all(limit)
  }
}

function offerOf(row: Row): OwnOffer {
  return { ...withWhy(row), isTried: row.isTried === 1 }
}

function withWhy<Row extends { why: string | null }>(row: Row): Omit<Row, 'why'> & { why: Message | null } {
  return { ...row, why: row.why === null ? null : readJson<Message>(row.why) }
}
