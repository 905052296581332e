import type { ClientBase } from 'pg'
import { storedMessageOrNothing } from '../../preload/contract/messageSchema.ts'
import type { TeamFork } from '../../preload/contract/team.ts'
import { readEntry } from './entry.ts'

interface Row {
  seq: string
  text: string
  hash: string
  by: string | null
  pushed_at: Date
}

/** So many entries of each side are shown: what parts them is at their beginning. */
const mostShown = 50
const mostForks = 20

/** Both sides of each place where another log of a job parts from that of the team, so that a person can decide. */
export async function readForks(client: ClientBase, { id, month, headSeq }: { id: string; month: string; headSeq: number }): Promise<TeamFork[]> {
  const { rows } = await client.query<Row>(
    'select f.seq, f.text, f.hash, l.name as by, f.pushed_at from fitter.fork f left join fitter.laptop l on l.id = f.pushed_by where f.job_id = $1 order by f.pushed_by, f.pushed_at, f.seq, f.hash limit 1000',
    [id]
  )
  const forks: TeamFork[] = []
  for (const other of sidesOf(rows).slice(0, mostForks)) {
    const seq = Number(other[0]?.seq)
    const log = await client.query<Row>(
      'select e.seq, e.text, e.hash, l.name as by, e.pushed_at from fitter.entry e left join fitter.laptop l on l.id = e.pushed_by where e.month = $1 and e.team_id = (select fitter.my_team()) and e.job_id = $2 and e.seq >= $3 order by e.seq limit $4',
      [month, id, seq, mostShown]
    )
    forks.push({ seq, log: sideOf(log.rows, headSeq - seq + 1), other: sideOf(other, other.length) })
  }
  return forks
}

/** What one laptop pushed at once, or going on from there, is one other log. */
function sidesOf(rows: readonly Row[]): Row[][] {
  const sides: Row[][] = []
  for (const row of rows) {
    const last = sides.at(-1)
    const before = last?.at(-1)
    if (last && before && before.by === row.by && Number(row.seq) === Number(before.seq) + 1) last.push(row)
    else sides.push([row])
  }
  return sides
}

function sideOf(rows: readonly Row[], length: number): TeamFork['log'] {
  const entries = rows.slice(0, mostShown).flatMap(shownEntry)
  return { by: rows[0]?.by ?? '', pushedAt: rows[0]?.pushed_at.toISOString() ?? '', entries, more: Math.max(0, length - entries.length) }
}

/** What makes no sense is among those that are not shown. */
function shownEntry(row: Row): TeamFork['log']['entries'] {
  const entry = readEntry(row)
  if (!entry) return []
  const { seq, at, type, stepId, data } = entry
  const said = data as { what?: unknown; summary?: unknown } | null
  const what = storedMessageOrNothing.safeParse(said?.what ?? said?.summary ?? null)
  return [{ seq, at, type, stepId, what: what.success ? what.data : null }]
}
