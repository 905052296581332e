import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../../../preload/contract/errors.ts'
import { findLoss, holdsEntry, type EndMark } from '../file/endMark.ts'
import { isDamage, onData } from '../file/errors.ts'
import { databaseFileName, suspectFileName } from '../file/fileNames.ts'
import { migrations } from '../file/migrationList.ts'

export type FirstLook =
  /** There is no file yet. */
  | { found: 'none' }
  /** No problem was found. */
  | { found: 'sound' }
  /** A later version of Fitter wrote it. */
  | { found: 'newer' }
  | { found: 'damaged' }

/** A file up to this size is inspected completely before it is opened; a larger one only after a problem in use. */
const wholeUpToBytes = 8 * 1024 * 1024
/** After a sudden end, which is when files get damaged. */
const wholeAfterKillUpToBytes = 64 * 1024 * 1024
const newestJobs = 5

/**
 * An inspection whose time does not grow with the log: the start of the file, its list of tables, both ends of every
 * table and index, the newest jobs and waiting work. A small file is inspected completely, and so is one that had a
 * problem in use. It writes nothing, so every problem is still there afterwards. Throws AppError of the file system.
 */
export function lookOver(folder: string, mark: EndMark | undefined): FirstLook {
  const file = path.join(folder, databaseFileName)
  const sizeBytes = sizeOf(file)
  const logBytes = sizeOf(`${file}-wal`)
  if (sizeBytes === 0) return { found: logBytes > 0 ? 'damaged' : 'none' }
  try {
    return onData(() => {
      const sql = new Database(file, { readonly: true, timeout: 1_000 })
      try {
        const version = Number(sql.pragma('user_version', { simple: true }))
        if (version > migrations.length) return { found: 'newer' }
        if (isCut(sql, sizeBytes) || hasNoTables(sql) || !areEndsReadable(sql)) return { found: 'damaged' }
        const isWhole =
          fs.existsSync(path.join(folder, suspectFileName)) ||
          sizeBytes + logBytes <= (logBytes > 0 ? wholeAfterKillUpToBytes : wholeUpToBytes)
        if (isWhole && !isSound(sql)) return { found: 'damaged' }
        // A write-ahead log of another file hides stored data: without it, the data may still be there.
        if (mark && logBytes > 0 && isEndMissing(sql, mark)) return { found: 'damaged' }
        return { found: 'sound' }
      } finally {
        sql.close()
      }
    })
  } catch (error) {
    if (isDamage(error)) return { found: 'damaged' }
    throw error
  }
}

function sizeOf(file: string): number {
  return onData(() => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0)
}

/** Pages that the file claims to have but are missing. */
function isCut(sql: Database.Database, sizeBytes: number): boolean {
  const pageBytes = Number(sql.pragma('page_size', { simple: true }))
  const pages = Number(sql.pragma('page_count', { simple: true }))
  return sizeBytes % pageBytes !== 0 || (pages * pageBytes > sizeBytes && sizeOf(`${sql.name}-wal`) === 0)
}

/** A file with data but none of Fitter's tables: it was emptied, or it is another file. */
function hasNoTables(sql: Database.Database): boolean {
  return ['journal', 'job', 'setting', 'operation'].some(
    (name) => !sql.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(name)
  )
}

/** With the first column of each index; null for the row id, and for an expression. */
const treesQuery =
  "select type, name, tbl_name, sql, (select info.name from pragma_index_info(tree.name) as info limit 1) as first from sqlite_schema as tree where type in ('table', 'index')"

function areEndsReadable(sql: Database.Database): boolean {
  const trees = sql
    .prepare<[], { type: string; name: string; tbl_name: string; sql: string | null; first: string | null }>(treesQuery)
    .all()
  for (const { type, name, tbl_name: table, sql: text, first } of trees) {
    if (type === 'index') {
      const [part, column] = [partOf(text), first ?? 'rowid']
      sql
        .prepare(
          `select (select 1 from "${table}" indexed by "${name}" ${part} order by "${column}" asc limit 1), (select 1 from "${table}" indexed by "${name}" ${part} order by "${column}" desc limit 1)`
        )
        .get()
      continue
    }
    if (text?.startsWith('create virtual')) continue
    sql.prepare(`select * from "${name}" limit 1`).get()
    if (!/without rowid\s*$/i.test(text ?? '')) sql.prepare(`select * from "${name}" order by rowid desc limit 1`).get()
  }
  const jobs = sql
    .prepare<[number], { id: string }>('select id from job order by created_at desc limit ?')
    .all(newestJobs)
  const log = sql.prepare<[string], { data: string }>('select * from journal where job_id = ?')
  for (const { id } of jobs) log.all(id)
  return true
}

/** A partial index serves only queries with its condition. */
function partOf(text: string | null): string {
  return /\bwhere\b.*$/is.exec(text ?? '')?.[0] ?? ''
}

function isSound(sql: Database.Database): boolean {
  const [first] = sql.pragma('quick_check(1)') as { quick_check: string }[]
  // Pages of a rebuilt index stay unused until the file is compacted.
  return first === undefined || first.quick_check === 'ok' || isOnlyUnused(sql)
}

function isOnlyUnused(sql: Database.Database): boolean {
  const all = sql.pragma('quick_check(1000)') as { quick_check: string }[]
  return all.every(({ quick_check: why }) => /^(Page \d+: never used|\*\*\* in database main \*\*\*)$/.test(why))
}

function isEndMissing(sql: Database.Database, mark: EndMark): boolean {
  const fence = sql.prepare<[], { value: string }>("select value from setting where name = '$fence'").get()
  return findLoss(mark, { fence: Number(fence?.value ?? 0), holds: holdsEntry(sql) }) !== undefined
}

/** Marks a file that could not be read somewhere while in use: it is inspected completely before it is opened again. */
export function markSuspect(folder: string): void {
  try {
    fs.closeSync(fs.openSync(path.join(folder, suspectFileName), 'a', 0o600))
  } catch (error) {
    // The problem is reported anyway; a medium that cannot be written to cannot store the mark.
    if (!(error instanceof Error && 'code' in error) || error instanceof AppError) throw error
  }
}

export function clearSuspect(folder: string): void {
  fs.rmSync(path.join(folder, suspectFileName), { force: true })
}
