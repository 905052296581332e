import type Database from 'better-sqlite3'
import { readJson } from '../file/errors.ts'
import { claimOf, type KeptClaim } from '../work/claims.ts'
import { isOpen } from '../work/holdBack.ts'

/** Marks a copy of the data file and describes it. The file in use has no such mark. */
export interface CopyMark {
  /** When it was made, ISO 8601. */
  madeAt: string
  jobs: number
  openOperations: number
  /** The last change to a job or to gateway work in it; empty: never. */
  newestAt: string
  /** The number of problems found when the copy was inspected; 0: all is well. */
  findings: number
}

const markName = '$copy'

export function readCopyMark(sql: Database.Database): CopyMark | undefined {
  const row = sql.prepare<[string], { value: string }>('select value from setting where name = ?').get(markName)
  if (!row) return undefined
  const { madeAt, jobs, openOperations, newestAt, findings } = readJson<Partial<CopyMark>>(row.value)
  return {
    madeAt: madeAt ?? '',
    jobs: jobs ?? 0,
    openOperations: openOperations ?? 0,
    newestAt: newestAt ?? '',
    findings: findings ?? 0
  }
}

/** The SHA-256 of the copy (main/data/store/backups/copyHash.ts); undefined in a file that was never a copy, such as one that was put aside. */
export function readCopyHash(sql: Database.Database): string | undefined {
  if (!sql.prepare("select 1 from sqlite_master where name = 'setting'").get()) return undefined
  const row = sql.prepare<[string], { value: string }>('select value from setting where name = ?').get(markName)
  const { sha256 } = row ? readJson<{ sha256?: unknown }>(row.value) : {}
  return typeof sha256 === 'string' ? sha256 : undefined
}

/**
 * Marks a file as a copy. Without `madeAt`, its age is that of its newest content. `sha256`: the placeholder for the
 * hash.
 */
export function markCopy(
  sql: Database.Database,
  { madeAt, findings = 0, sha256 }: { madeAt?: string; findings?: number; sha256?: string } = {}
): CopyMark {
  const mark = { ...contentOf(sql), findings }
  const whole = { ...mark, madeAt: madeAt ?? mark.newestAt }
  sql
    .prepare('insert into setting (name, value) values (?, ?) on conflict (name) do update set value = excluded.value')
    .run(markName, JSON.stringify({ ...whole, ...(sha256 === undefined ? {} : { sha256 }) }))
  return whole
}

export function contentOf(sql: Database.Database): Pick<CopyMark, 'jobs' | 'openOperations' | 'newestAt'> {
  const one = <Row>(text: string) => sql.prepare<[], Row>(text).get()
  const columns = [
    ['job', 'updated_at'],
    ['operation', 'updated_at'],
    ['attempt', 'started_at']
  ]
  const times = columns.map(
    ([table, column]) => one<{ at: string | null }>(`select max(${column}) as at from ${table}`)?.at ?? ''
  )
  return {
    jobs: one<{ n: number }>('select count(*) as n from job')?.n ?? 0,
    openOperations: one<{ n: number }>(`select count(*) as n from operation where ${isOpen}`)?.n ?? 0,
    newestAt: times.reduce((a, b) => (a > b ? a : b), '')
  }
}

/**
 * Turns a copy that became the data file, no matter who put it there, into the file in use. Its waiting work may have
 * been sent since the copy was made: each operation is read back before it is sent, and if nothing is found a person
 * decides (main/gateway/waitingWork/handover/claim.ts).
 */
export function settleCopy(sql: Database.Database): void {
  const mark = readCopyMark(sql)
  if (!mark) return
  const madeMs = Date.parse(mark.madeAt)
  sql
    .transaction(() => {
      const put = sql.prepare('update operation set claim = ? where id = ?')
      for (const { id, claim } of sql
        .prepare<[], { id: string; claim: string | null }>(`select id, claim from operation where ${isOpen}`)
        .all()) {
        const before = claim === null ? null : claimOf(claim)
        const sinceMs = [madeMs, before?.sinceMs ?? NaN].filter(Number.isFinite)
        const kept: KeptClaim = {
          sinceMs: sinceMs.length > 0 ? Math.min(...sinceMs) : null,
          waitMs: before?.waitMs ?? 0,
          whenAbsent: 'ask',
          isReadBack: false
        }
        put.run(JSON.stringify(kept), id)
      }
      sql.prepare('delete from setting where name = ?').run(markName)
    })
    .immediate()
}
