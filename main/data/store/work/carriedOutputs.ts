import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { findOutputLoss, openEndMark, type EndMark } from '../file/endMark.ts'
import { translateDataError } from '../file/errors.ts'
import { databaseFileName, markFileName } from '../file/fileNames.ts'
import { withFile } from '../file/withFile.ts'
import type { LedgerRow } from './outputLedger.ts'

/** A row of the ledger as any version of the file has it. */
interface Row extends Record<string, string | number | null> {
  imei: string
  output: string
  path: LedgerRow['path']
  since: string
  job_id: string | null
  is_on_settled: number
  ended_at: string | null
}

interface Ledger {
  rows: Row[]
  /** What nobody has read yet about outputs without a row. */
  losses: Message[]
}

/** Losses that a person must know, whatever file takes the place of the one that recorded them. */
const aboutOutputs: readonly string[] = ['store.outputsLost', 'damage.outputsUnknown'] satisfies Message['id'][]

/**
 * Continues the ledger of a folder in the file that takes the place of its data: no backup knows what was switched on
 * after it, or was seen off. An end is never taken back, whichever file has it. When the present ledger cannot be read,
 * the new file says what the mark knows of it. Returns the outputs that may be on.
 */
export function carryOutputs(
  folder: string,
  incoming: string
): Pick<LedgerRow, 'imei' | 'output' | 'path' | 'since'>[] {
  const ledger = readLedger(folder)
  return withFile(incoming, {}, (sql) =>
    sql
      .transaction(() => {
        carryEnds(
          sql,
          ledger.rows.filter((row) => row.ended_at !== null)
        )
        for (const row of ledger.rows) if (row.ended_at === null) carryOpen(sql, row)
        const keep = sql.prepare('insert into loss (found_at, message) values (?, ?)')
        for (const loss of ledger.losses) keep.run(new Date().toISOString(), JSON.stringify(loss))
        return sql
          .prepare<[], Row>('select imei, output, path, since from output_ledger where ended_at is null order by id')
          .all()
      })
      .immediate()
  )
}

function readLedger(folder: string): Ledger {
  const file = path.join(folder, databaseFileName)
  if (!fs.existsSync(file)) return { rows: [], losses: [] }
  const mark = readMark(folder)
  let sql: Database.Database | undefined
  try {
    sql = new Database(file)
    const has = (table: string) =>
      sql?.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(table) !== undefined
    if (!has('output_ledger')) return { rows: [], losses: [] }
    const loss = mark && findOutputLoss(mark, sql)
    return {
      rows: sql.prepare<[], Row>('select * from output_ledger order by id').all(),
      losses: [...(loss ? [loss] : []), ...unreadLosses(sql)]
    }
  } catch (error) {
    if (!(translateDataError(error) instanceof AppError)) throw error
    const n = mark?.outputs?.length
    return {
      rows: [],
      losses: n === undefined ? [message('damage.outputsUnknown')] : n > 0 ? [message('store.outputsLost', { n })] : []
    }
  } finally {
    sql?.close()
  }
}

function unreadLosses(sql: Database.Database): Message[] {
  const isRead = sql.pragma('table_info(loss)') as { name: string }[]
  if (!isRead.some(({ name }) => name === 'read_at')) return []
  return sql
    .prepare<[], { message: string }>('select message from loss where read_at is null')
    .all()
    .map(({ message: text }) => JSON.parse(text) as Message)
    .filter(({ id }) => aboutOutputs.includes(id))
}

function readMark(folder: string): EndMark | undefined {
  if (!fs.existsSync(path.join(folder, markFileName))) return undefined
  const mark = openEndMark(folder)
  try {
    return mark.read()
  } finally {
    mark.close()
  }
}

/** The same entry, whatever number it has in the other file. */
const isSame = 'imei = @imei and path = @path and output = @output and since = @since'
const nameOf = ({ imei, path: way, output, since }: Row): string => [imei, way, output, since].join(' ')

/**
 * Also an end whose entry the other file never had: a third file, a backup from between the two, may still have it
 * open.
 */
function carryEnds(sql: Database.Database, ended: readonly Row[]): void {
  // Read once: no index finds an entry that ended, and the ledger grows with the years.
  const known = new Set(sql.prepare<[], Row>('select imei, path, output, since from output_ledger').all().map(nameOf))
  const end = sql.prepare(
    `update output_ledger set is_on_settled = 1, ended_at = @ended_at, ended_how = @ended_how, ended_by = @ended_by, end_reason = @end_reason where ${isSame} and ended_at is null`
  )
  for (const row of ended) {
    if (known.has(nameOf(row))) end.run(row)
    else insertRow(sql, row)
  }
}

function carryOpen(sql: Database.Database, row: Row): void {
  const same = sql.prepare<[Row], { id: number }>(`select id from output_ledger where ${isSame}`).get(row)
  if (same)
    return void sql
      .prepare('update output_ledger set is_on_settled = max(is_on_settled, ?) where id = ? and ended_at is null')
      .run(row.is_on_settled, same.id)
  const earlier = sql
    .prepare<[Row], { id: number }>(
      'select id from output_ledger where imei = @imei and path = @path and output = @output and ended_at is null'
    )
    .get(row)
  // An output has one open entry: the later "on" is the one that can still take effect.
  if (earlier)
    return void sql
      .prepare('update output_ledger set since = max(since, ?), is_on_settled = min(is_on_settled, ?) where id = ?')
      .run(row.since, row.is_on_settled, earlier.id)
  insertRow(sql, row)
}

function insertRow(sql: Database.Database, row: Row): void {
  const hasJob = sql.prepare<[string | null]>('select 1 from job where id = ?').get(row.job_id) !== undefined
  sql
    .prepare(
      `insert into output_ledger (imei, output, path, vehicle_id, address, since, switched_by, job_id, is_on_settled, ended_at, ended_how, ended_by, end_reason)
       values (@imei, @output, @path, @vehicle_id, @address, @since, @switched_by, @job_id, @is_on_settled, @ended_at, @ended_how, @ended_by, @end_reason)`
    )
    .run({ ...row, job_id: hasJob ? row.job_id : null })
}
