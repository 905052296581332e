import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { stepState } from '../../../preload/contract/job/jobs.ts'
import { message } from '../../../preload/contract/messages.ts'
import { storedMessageOrNothing } from '../../../preload/contract/base/messageSchema.ts'
import type { TeamFork } from '../../../preload/contract/team/team.ts'
import type { ListedFork } from '../../../preload/contract/team/teamForks.ts'
import { sha256Hex, type JournalEntry } from '../../data/store/jobs/seal.ts'
import type { TeamForkStore } from '../../data/store/team/teamForks.ts'
import type { TeamPushStore } from '../../data/store/team/teamPush.ts'
import { readEntry } from '../server/entry.ts'

interface Row {
  seq: string
  text: string
  hash: string
  by: string | null
  pushed_at: Date
}

interface SettledRow {
  hash: string
  by: string
  settled_at: Date
  reason: string
  is_final: boolean
}

/** The number of shown entries of each side: the difference is at the beginning. */
const mostShown = 50
/** And of each part, when a person reads all of it. */
const mostRead = 1_000
const mostForks = 20
const mostJobs = 50

/** Both logs of one fork from the first entry of the job on, for a person who wants to read all of it. */
export async function readForkEntries(
  client: ClientBase,
  { jobId, lastHash }: { jobId: string; lastHash: string }
): Promise<CallOutput<'team.forkEntries'>> {
  const { rows } = await client.query<{ month: string; head_seq: string }>(
    'select month::text as month, head_seq from fitter.job where id = $1',
    [jobId]
  )
  const [job] = rows
  const forks = job
    ? await readForks(client, { id: jobId, month: job.month, headSeq: Number(job.head_seq) }, mostRead)
    : []
  const fork = forks.find((one) => one.lastHash === lastHash)
  if (!job || !fork) throw new AppError('NOT_FOUND', message('teamForks.noFork'))
  const before = await readEntries(client, {
    id: jobId,
    month: job.month,
    from: 1,
    to: Math.min(fork.seq, mostRead + 1)
  })
  return {
    before: before.flatMap(shownEntry),
    log: fork.log.entries,
    other: fork.other.entries,
    more: Math.max(0, fork.seq - 1 - mostRead) + fork.log.more + fork.other.more
  }
}

/** Both sides of each fork, so that a person can decide. */
export async function readForks(
  client: ClientBase,
  { id, month, headSeq }: { id: string; month: string; headSeq: number },
  most = mostShown
): Promise<TeamFork[]> {
  const { rows } = await client.query<Row>(
    'select f.seq, f.text, f.hash, l.name as by, f.pushed_at from fitter.fork f left join fitter.laptop l on l.id = f.pushed_by where f.job_id = $1 order by f.seq, f.pushed_at, f.hash limit 1000',
    [id]
  )
  const sides = sidesOf(rows).slice(0, mostForks)
  const settled = await readSettled(client, id)
  const forks: TeamFork[] = []
  for (const other of sides) {
    const seq = Number(other[0]?.seq)
    const log = await readEntries(client, { id, month, from: seq, to: seq + most })
    const lastHash = other.at(-1)?.hash ?? ''
    const words = settled.filter(({ hash }) => hash === lastHash)
    forks.push({
      seq,
      lastHash,
      log: sideOf(log, headSeq - seq + 1, most),
      other: sideOf(other, other.length, most),
      settled: words.map(({ by, settled_at, reason }) => ({ by, at: settled_at.toISOString(), reason })),
      isSettled: words.some(({ is_final }) => is_final)
    })
  }
  return forks
}

/**
 * Who reported that this log was set aside; final: the laptop with the log, or another one after that laptop has left.
 */
async function readSettled(client: ClientBase, jobId: string): Promise<SettledRow[]> {
  const { rows } = await client.query<SettledRow>(
    `select s.hash, l.name as by, s.settled_at, s.reason, s.settled_by = f.pushed_by or giver.left_at is not null as is_final
     from fitter.settlement s join fitter.fork f on f.team_id = s.team_id and f.job_id = s.job_id and f.seq = s.seq and f.hash = s.hash
       join fitter.laptop l on l.id = s.settled_by join fitter.laptop giver on giver.id = f.pushed_by
     where s.job_id = $1 order by s.settled_at, s.hash limit 1000`,
    [jobId]
  )
  return rows
}

/** Forks of the team's jobs, last pushed first, with their state on this laptop. */
export async function listForks(
  client: ClientBase,
  { teamForks, teamPush }: { teamForks: TeamForkStore; teamPush: TeamPushStore }
): Promise<ListedFork[]> {
  const { rows } = await client.query<{
    id: string
    month: string
    head_seq: string
    holder: string
    vehicle: string
    imei: string
  }>(
    `select j.id, j.month::text as month, j.head_seq, coalesce(l.name, '') as holder, j.vehicle, j.imei
     from (select f.job_id, max(f.pushed_at) as at from fitter.fork f group by f.job_id order by 2 desc limit ${String(mostJobs)}) forked
       join fitter.job j on j.id = forked.job_id left join fitter.laptop l on l.id = j.holder
     order by forked.at desc, j.id`
  )
  const listed: ListedFork[] = []
  for (const { id, month, head_seq, holder, vehicle, imei } of rows) {
    const asides = new Set(teamForks.asides(id).map(({ lastHash }) => lastHash))
    const isStopped = teamForks.stoppedBy(id)?.id === 'team.fork'
    for (const fork of await readForks(client, { id, month, headSeq: Number(head_seq) })) {
      const { seq, other, lastHash = '' } = fork
      const lastSeq = seq + other.entries.length + other.more - 1
      const here = asides.has(lastHash)
        ? 'setAside'
        : isStopped && teamPush.hashAt(id, lastSeq) === lastHash
          ? 'stopped'
          : null
      listed.push({
        ...fork,
        jobId: id,
        name: vehicle || imei || id,
        holder,
        here,
        before: await readBefore(client, { id, month, seq })
      })
    }
  }
  return listed
}

async function readBefore(
  client: ClientBase,
  { id, month, seq }: { id: string; month: string; seq: number }
): Promise<ListedFork['before']> {
  return (await readEntries(client, { id, month, from: seq - 1, to: seq })).flatMap(shownEntry)[0] ?? null
}

/** The team's entries of a job, `to` excluded. */
async function readEntries(
  client: ClientBase,
  { id, month, from, to }: { id: string; month: string; from: number; to: number }
): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    'select e.seq, e.text, e.hash, l.name as by, e.pushed_at from fitter.entry e left join fitter.laptop l on l.id = e.pushed_by where e.month = $1 and e.team_id = (select fitter.my_team()) and e.job_id = $2 and e.seq >= $3 and e.seq < $4 order by e.seq',
    [month, id, from, to]
  )
  return rows
}

/** Entries that continue each other are one log, whoever pushed them. */
function sidesOf(rows: readonly Row[]): Row[][] {
  const sides: Row[][] = []
  for (const row of rows) {
    const side = sides.find((one) => {
      const before = one.at(-1)
      return (
        before !== undefined &&
        Number(row.seq) === Number(before.seq) + 1 &&
        sha256Hex(before.hash + row.text) === row.hash
      )
    })
    if (side) side.push(row)
    else sides.push([row])
  }
  return sides.sort((one, other) => (one[0]?.pushed_at.getTime() ?? 0) - (other[0]?.pushed_at.getTime() ?? 0))
}

function sideOf(rows: readonly Row[], length: number, most: number): TeamFork['log'] {
  const entries = rows.slice(0, most).flatMap(shownEntry)
  return {
    by: rows[0]?.by ?? '',
    pushedAt: rows[0]?.pushed_at.toISOString() ?? '',
    entries,
    more: Math.max(0, length - entries.length)
  }
}

/** Invalid entries are not shown. */
function shownEntry(row: Row): TeamFork['log']['entries'] {
  const entry = readEntry(row)
  return entry ? [sayEntry(entry)] : []
}

/** One line about an entry of a log, if it has something to show. */
export function sayEntry({
  seq,
  at,
  type,
  stepId,
  data
}: Omit<JournalEntry, 'hash'>): TeamFork['log']['entries'][number] {
  const said = data as { what?: unknown; summary?: unknown; state?: unknown } | null
  const state = stepState.safeParse(type === 'waived' ? 'waived' : type === 'stepEnded' ? said?.state : undefined)
  const what = storedMessageOrNothing.safeParse(said?.what ?? said?.summary ?? null)
  return {
    seq,
    at,
    type,
    stepId,
    what: what.success ? what.data : null,
    ...(state.success ? { state: state.data } : {})
  }
}
