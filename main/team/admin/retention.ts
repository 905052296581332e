import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { refusalOf } from '../server/failures.ts'
import { assertSchema } from '../server/schema.ts'
import { inTransaction } from '../server/transaction.ts'

export interface Dropped {
  jobs: number
  entries: number
  /** Pictures and other contents that no other job names. */
  contents: number
  freedBytes: number
  /** Old jobs that are kept: legal hold, or entries since. */
  heldByLaw: number
  stillUsed: number
}

/** Removes years of pictures at once. */
export const retentionLimits = { connectMs: 10_000, queryMs: 3_600_000 }

/** Waits at most this long for working laptops, because their pushes would wait behind it. */
const lockMs = 10_000

/**
 * Drops, as the owner, all jobs that first arrived before a month (`2024-01`) and got nothing since; of one team, or of
 * all; with `photosOnly` their photos, while the jobs stay; with `isTrial` it only counts. @throws AppError
 * INVALID_REQUEST for a month that is not over.
 */
export async function dropBefore(
  client: ClientBase,
  {
    month,
    isTrial,
    photosOnly = false,
    team = null
  }: { month: string; isTrial: boolean; photosOnly?: boolean; team?: string | null }
): Promise<Dropped> {
  return together(client, async () => {
    if (team !== null && (await client.query('select from fitter.team where name = $1', [team])).rowCount === 0)
      throw new AppError('NOT_FOUND', message('team.noSuchTeam', { name: team }))
    const { rows } = await client.query<
      Record<'jobs' | 'entries' | 'contents' | 'freed_bytes' | 'held_by_law' | 'still_used', string>
    >(`select * from fitter.${photosOnly ? 'drop_photos_before' : 'drop_before'}($1::date, $2, $3)`, [
      `${month}-01`,
      isTrial,
      team
    ])
    const [told] = rows
    return {
      jobs: Number(told?.jobs ?? 0),
      entries: Number(told?.entries ?? 0),
      contents: Number(told?.contents ?? 0),
      freedBytes: Number(told?.freed_bytes ?? 0),
      heldByLaw: Number(told?.held_by_law ?? 0),
      stillUsed: Number(told?.still_used ?? 0)
    }
  })
}

interface LastDrop {
  at: string
  month: string
  by: string
}

/** What is kept of a team, since which month, and when jobs or photos were last dropped, as the owner. */
export async function readKept(
  client: ClientBase,
  team: string
): Promise<{
  jobs: number
  since: string | null
  photos: number
  photoBytes: number
  photosSince: string | null
  last: LastDrop | null
  lastPhotos: LastDrop | null
}> {
  const { rows } = await client.query<{
    jobs: string
    since: string | null
    photos: string
    photo_bytes: string
    photos_since: string | null
    last: LastDrop | null
    last_photos: LastDrop | null
  }>(
    `select (select count(*) from fitter.job j where j.team_id = t.id) as jobs, (select to_char(min(j.month), 'YYYY-MM') from fitter.job j where j.team_id = t.id) as since,
       p.photos, p.photo_bytes, p.photos_since, ${lastOf('dropped')} as last, ${lastOf('photosDropped')} as last_photos
     from fitter.team t
       cross join lateral (select count(*) as photos, coalesce(sum(c.size_bytes), 0) as photo_bytes, (select to_char(min(j.month), 'YYYY-MM') from fitter.job j join fitter.job_content n on n.team_id = j.team_id and n.job_id = j.id join fitter.content i on i.team_id = n.team_id and i.sha256 = n.sha256 where j.team_id = t.id and i.media_type like 'image/%') as photos_since
         from fitter.content c where c.team_id = t.id and c.media_type like 'image/%') p
     where t.name = $1`,
    [team]
  )
  const [row] = rows
  if (!row) throw new AppError('NOT_FOUND', message('team.noSuchTeam', { name: team }))
  const { jobs, since, photos, photo_bytes, photos_since, last, last_photos } = row
  return {
    jobs: Number(jobs),
    since,
    photos: Number(photos),
    photoBytes: Number(photo_bytes),
    photosSince: photos_since,
    last: last && readDrop(last),
    lastPhotos: last_photos && readDrop(last_photos)
  }
}

function lastOf(what: string): string {
  return `(select json_build_object('at', n.at, 'month', to_char(n.before_month, 'YYYY-MM'), 'by', n.by_role) from fitter.retention n where n.what = '${what}' and (n.team_id is null or n.team_id = t.id) order by n.number desc limit 1)`
}

function readDrop({ at, month, by }: LastDrop): LastDrop {
  return { at: new Date(at).toISOString(), month, by }
}

/** Sets or ends the legal hold of a job, as the owner. @throws AppError NOT_FOUND for an unknown job. */
export async function setHold(
  client: ClientBase,
  { team, jobId, isHeld, reason }: { team: string; jobId: string; isHeld: boolean; reason: string }
): Promise<void> {
  await together(client, () => client.query('select fitter.set_hold($1, $2, $3, $4)', [team, jobId, isHeld, reason]))
}

async function together<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await assertSchema(client)
  try {
    return await inTransaction(client, async () => {
      await client.query(`set local lock_timeout = ${String(lockMs)}`)
      return work()
    })
  } catch (error) {
    if (refusalOf(error) === 'form')
      throw new AppError('INVALID_REQUEST', message('teamServer.monthNotOver'), { cause: error })
    throw error
  }
}
