import fs from 'node:fs'
import Database from 'better-sqlite3'
import { message, type Message } from '../../../../../preload/contract/messages.ts'
import { findLoss, holdsEntry, type EndMark } from '../../file/endMark.ts'
import { migrateFile } from '../../file/migrate.ts'
import { mendJobs, type MendedJobs } from './jobLogs.ts'
import { openPages } from './pages.ts'
import { takeOver } from './takeOver.ts'
import { findRows } from './trees.ts'
import { mendWork, type MendedWork } from './waitingWork.ts'
import type { Progress } from '../../file/progress.ts'

export interface SalvageRequest {
  /** The damaged file that was set aside, with its write-ahead log. Read-only. */
  from: string
  /** The new, empty file. */
  to: string
  withLog: boolean
  /** The name of the old file for a person. */
  asideName: string
  mark: EndMark | null
  /** Complete copies, newest first. */
  backups: readonly string[]
  at: string
}

export interface Salvaged {
  jobs: MendedJobs
  work: MendedWork
  rows: number
  incomplete: string[]
  isEndThere: boolean
  /** Of two ways to read a file, uses the better result. */
  worth: number
  /** What a person must know, most important first; empty when nothing is missing. */
  losses: Message[]
}

/** Writes everything readable of a damaged file into a new one, and the rest into its losses. */
export function salvageFile(
  { from, to, withLog, asideName, mark, backups, at }: SalvageRequest,
  tell: Progress
): Salvaged {
  const sql = new Database(to)
  const file = openPages(from, { withLog })
  try {
    sql.pragma('journal_mode = off')
    sql.pragma('synchronous = off')
    const found = findRows(file, tell)
    migrateFile(sql, null, () => undefined, found.form.version)
    // A migration leaves foreign keys on, but salvaged rows come in any order.
    sql.pragma('foreign_keys = off')
    const taken = withoutGuards(sql, () => takeOver(sql, found))
    migrateFile(sql, null, tell)
    sql.pragma('foreign_keys = off')
    const mended = sql.transaction(() =>
      withoutGuards(sql, () => {
        const jobs = mendJobs(sql, { at, named: taken.named.get('job'), backups, tell })
        const end = mark ? endLost(sql, mark) : undefined
        return { jobs, end, work: mendWork(sql, taken, { at, isEndLost: end !== undefined }) }
      })
    )()
    const rows = [...taken.rows.values()].reduce((sum, n) => sum + n, 0)
    const { end } = mended
    const isAllThere = taken.incomplete.size === 0 && mended.jobs.damaged === 0 && !end && !taken.isGatewayCopyLost
    const losses = isAllThere
      ? []
      : sayLosses({ ...mended, asideName, rows, isGatewayCopyLost: taken.isGatewayCopyLost })
    const keep = sql.prepare('insert into loss (found_at, message) values (?, ?)')
    for (const loss of losses) keep.run(at, JSON.stringify(loss))
    if (mark)
      sql
        .prepare(
          "insert into setting (name, value) values ('$fence', ?) on conflict (name) do update set value = excluded.value"
        )
        .run(String(mark.fence))
    const entries = taken.rows.get('journal') ?? 0
    return {
      ...mended,
      rows,
      incomplete: [...taken.incomplete],
      isEndThere: end === undefined,
      worth: (end ? 0 : 1_000_000_000) + entries + rows,
      losses
    }
  } finally {
    file.close()
    sql.close()
    fs.chmodSync(to, 0o600)
  }
}

function endLost(sql: Database.Database, mark: EndMark): Message | undefined {
  return findLoss({ ...mark, fence: 0 }, { fence: 0, holds: holdsEntry(sql) })
}

interface Found {
  jobs: MendedJobs
  work: MendedWork
  asideName: string
  rows: number
  isGatewayCopyLost: boolean
  end: Message | undefined
}

function sayLosses({ jobs, work, asideName, rows, isGatewayCopyLost, end }: Found): Message[] {
  if (rows === 0) return [message('damage.begunAnew', { name: asideName })]
  const { unreadable, heldBack, gone, areOutputsUnknown } = work
  return [
    message('damage.salvaged', {
      jobs: jobs.jobs,
      whole: jobs.jobs - jobs.damaged,
      damaged: jobs.damaged,
      name: asideName
    }),
    ...(areOutputsUnknown ? [message('damage.outputsUnknown')] : []),
    ...(unreadable + heldBack > 0 ? [message('damage.workHeldBack', { n: unreadable + heldBack })] : []),
    ...(gone > 0 ? [message('damage.workGone', { n: gone })] : []),
    ...(end ? [end] : []),
    ...(isGatewayCopyLost ? [message('damage.gatewayCopyLost')] : [])
  ]
}

/** Runs `work` without the triggers that protect stored data; they are active again afterwards. */
function withoutGuards<T>(sql: Database.Database, work: () => T): T {
  const guards = sql
    .prepare<[], { name: string; sql: string }>(
      "select name, sql from sqlite_schema where type = 'trigger' and sql like '%raise(%'"
    )
    .all()
  for (const { name } of guards) sql.exec(`drop trigger ${name}`)
  const result = work()
  for (const { sql: text } of guards) sql.exec(text)
  return result
}
