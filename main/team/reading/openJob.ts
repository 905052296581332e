import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import type { Job } from '../../../preload/contract/job/jobs.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { TeamFork, TeamWorkLine } from '../../../preload/contract/team/team.ts'
import { readJob, shownOf } from '../../job/jobs/record/journal.ts'
import { verifyChain, type JournalEntry } from '../../data/store/jobs/seal.ts'
import { checkSeals, type SealFault } from '../../data/store/jobs/signature.ts'
import { readTeamContent } from '../server/content.ts'
import { entryOf } from '../server/entry.ts'
import { readForks } from '../holding/forks.ts'
import { readWork } from '../holding/holderWork.ts'

const atOnce = 500
const mostEntries = 100_000

export interface OpenedTeamJob {
  job: Job
  holder: string
  isMine: boolean
  forks: TeamFork[]
  sealFaults: Message[]
  /** Its open gateway work from its holder's last push; null when unknown. The team's record has no ended work. */
  work: TeamWorkLine[] | null
}

interface JobRow {
  month: string
  holder: string | null
  is_mine: boolean
  head_seq: string
  forks: string
  /** Null when it has no entry. */
  text: string | null
  hash: string
}

// One query, answered at one moment: the job's row together with each entry of the first page of its log.
const jobWithLog = `with own as materialized (
    select j.team_id, j.id, j.month, l.name as holder, coalesce(j.holder = fitter.my_laptop(), false) as is_mine, j.head_seq, (select count(*) from fitter.fork f where f.team_id = j.team_id and f.job_id = j.id) as forks
    from fitter.job j left join fitter.laptop l on l.id = j.holder where j.team_id = (select fitter.my_team()) and j.id = $1
  ), log as (
    select e.seq, e.text, e.hash from fitter.entry e where e.month = (select month from own) and e.team_id = (select fitter.my_team()) and e.job_id = $1 order by e.seq limit $2
  )
  select own.month::text as month, own.holder, own.is_mine, own.head_seq, own.forks, log.text, log.hash from own left join log on true order by log.seq`

/** A job of the team from its log. NOT_FOUND outside of the team, DATA_UNUSABLE when its log is invalid. */
export async function openTeamJob(client: ClientBase, id: string): Promise<OpenedTeamJob> {
  return (await openTeamLog(client, id)).opened
}

/** The same with its log. */
export async function openTeamLog(
  client: ClientBase,
  id: string
): Promise<{ opened: OpenedTeamJob; entries: JournalEntry[] }> {
  const { rows } = await client.query<JobRow>(jobWithLog, [id, atOnce])
  const found = rows[0]
  if (!found) throw new AppError('NOT_FOUND', message('team.noJob', { id }))
  const first = rows.flatMap(({ text, hash }) => (text === null ? [] : [entryOf({ text, hash })]))
  const entries = first.length < atOnce ? first : await readTeamEntries(client, { id, month: found.month, first })
  const chain = verifyChain(id, entries)
  if (!chain.ok) throw new AppError('DATA_UNUSABLE', message('team.jobDamaged', { entry: chain.at }))
  const job: Job = { ...shownOf(readableJob(id, entries)), operations: [] }
  const forks =
    found.forks === '0' ? [] : await readForks(client, { id, month: found.month, headSeq: Number(found.head_seq) })
  return {
    entries,
    opened: {
      job,
      holder: found.holder ?? '',
      isMine: found.is_mine,
      sealFaults: checkSeals(id, entries).faults.map(sayFault),
      forks,
      work: await readWorkLines(client, id)
    }
  }
}

async function readWorkLines(client: ClientBase, id: string): Promise<TeamWorkLine[] | null> {
  const { rows } = await client.query<{ work: unknown }>('select work from fitter.job where id = $1', [id])
  const work = rows[0]?.work ?? null
  if (work === null) return null
  return readWork(work, id).map(({ id: operation, kind, title, state, reason, updatedAt }) => ({
    id: operation,
    kind,
    title,
    state,
    reason,
    updatedAt
  }))
}

export function sayFault(fault: SealFault): Message {
  switch (fault.fault) {
    case 'noSeal':
      return message('report.check.noSeal')
    case 'addedAfterSeal':
      return message('report.check.addedAfterSeal', { n: fault.n })
    default:
      return message(`report.check.${fault.fault}`, { entry: fault.entry })
  }
}

/**
 * The log of a team job up to an entry, continuing those that were read, page by page; the caller checks the hashes.
 */
export async function readTeamEntries(
  client: ClientBase,
  {
    id,
    month,
    upTo = mostEntries,
    first = []
  }: { id: string; month: string; upTo?: number; first?: readonly JournalEntry[] }
): Promise<JournalEntry[]> {
  const entries = [...first]
  for (;;) {
    const page = await client.query<{ text: string; hash: string }>(
      'select text, hash from fitter.entry where month = $1 and team_id = (select fitter.my_team()) and job_id = $2 and seq > $3 and seq <= $4 order by seq limit $5',
      [month, id, entries.at(-1)?.seq ?? 0, upTo, atOnce]
    )
    entries.push(...page.rows.map(entryOf))
    if (page.rows.length < atOnce || entries.length >= mostEntries) return entries
  }
}

/** The job from a log; another laptop's log may have valid hashes and invalid content. */
export function readableJob(jobId: string, entries: readonly JournalEntry[]): ReturnType<typeof readJob> {
  try {
    return readJob(jobId, entries)
  } catch (cause) {
    throw new AppError('DATA_UNUSABLE', message('jobs.logDamaged'), { cause })
  }
}

/** The bytes of a picture, checked against their hash. */
export async function readTeamPicture(
  client: ClientBase,
  sha256: string
): Promise<{ mediaType: string; bytes: Buffer }> {
  const { rows } = await client.query<{ media_type: string }>(
    'select media_type from fitter.content where sha256 = $1',
    [sha256]
  )
  if (!rows[0]) {
    const dropped = await client.query<{ at: Date }>('select at from fitter.dropped_photo where sha256 = $1', [sha256])
    throw new AppError(
      'NOT_FOUND',
      dropped.rows[0]
        ? message('team.photoDropped', { droppedAt: dropped.rows[0].at.toISOString() })
        : message('store.noAttachment', { hash: sha256.slice(0, 16) })
    )
  }
  return { mediaType: rows[0].media_type, bytes: await readTeamContent(client, sha256) }
}
