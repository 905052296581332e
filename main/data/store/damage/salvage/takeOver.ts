import type Database from 'better-sqlite3'
import type { Row, Value } from './cells.ts'
import type { FoundFile } from './trees.ts'
import type { TableForm } from './tables.ts'

/** Recounted from the jobs as they are inserted. */
const counted: ReadonlySet<string> = new Set(['job_count', 'job_facet', 'team_waiting'])
/** The name prefix of the tables with gateway data: their search words are stored nowhere else. */
const gatewayCopies = 'copy_'

/** The salvaged rows of each table, and the tables with losses. */
export interface TakenOver {
  rows: Map<string, number>
  incomplete: Set<string>
  /** Rows that only their index contains: their number and the indexed columns. */
  named: Map<string, Map<bigint, Map<string, Value>>>
  /** The local copy of gateway data is empty: it is rebuilt when the gateway can be reached. */
  isGatewayCopyLost: boolean
}

/** Writes every found row into a new, empty file of the same version. */
export function takeOver(sql: Database.Database, found: FoundFile): TakenOver {
  const wanted = found.form.tables.filter(({ name }) => !counted.has(name))
  const taken: TakenOver = { rows: new Map(), incomplete: new Set(), named: new Map(), isGatewayCopyLost: false }
  const puts = new Map(wanted.map((table) => [table.name, createPut(sql, table)]))
  const incomplete = new Set<TableForm>()

  function put(table: TableForm, row: Row): void {
    const isKept = puts.get(table.name)?.(row)
    if (isKept === undefined) incomplete.add(table)
    if (isKept) taken.rows.set(table.name, (taken.rows.get(table.name) ?? 0) + 1)
  }

  sql.transaction(() => {
    for (const table of wanted) {
      if (!found.ownRows(table, (row) => put(table, row))) incomplete.add(table)
    }
    for (const table of wanted) takeNamed(table)
    takeWords()
    found.looseRows(incomplete, put)
    for (const { name } of incomplete) taken.incomplete.add(name)
  })()
  return taken

  function takeNamed(table: TableForm): void {
    const named = new Map<bigint, Map<string, Value>>()
    for (const index of table.indexes) {
      found.indexRows(index, (rowid, columns) => {
        const known = named.get(rowid) ?? new Map<string, Value>()
        for (const [column, value] of columns) known.set(column, value)
        named.set(rowid, known)
      })
    }
    if (incomplete.has(table)) taken.named.set(table.name, named)
  }

  function takeWords(): void {
    const own = wanted.filter(({ name }) => name.startsWith(gatewayCopies))
    const tables = found.wordTables(`${gatewayCopies}word`)
    if (tables !== undefined && !own.some((table) => incomplete.has(table))) {
      // SQLite checks them as well.
      sql.unsafeMode(true)
      for (const { name, rows } of tables) putAll(sql, name, rows)
      sql.unsafeMode(false)
      return
    }
    taken.isGatewayCopyLost = true
    for (const table of own) {
      incomplete.delete(table)
      taken.rows.delete(table.name)
      sql.exec(`delete from ${table.name}`)
    }
  }
}

/** True when it was inserted, false when it existed already, undefined when the file rejected it. */
function createPut(sql: Database.Database, table: TableForm): (row: Row) => boolean | undefined {
  const statements = new Map<number, Database.Statement>()
  return ({ rowid, values }) => {
    const columns = table.columns.slice(0, values.length).map(({ name }) => name)
    const statement =
      statements.get(values.length) ??
      sql.prepare(
        `insert or ignore into ${table.name} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`
      )
    statements.set(values.length, statement)
    try {
      return (
        statement.run(values.map((value, index) => (columns[index] === table.rowidColumn ? (rowid ?? null) : value)))
          .changes > 0
      )
    } catch (error) {
      if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT'))
        return undefined
      throw error
    }
  }
}

/** The tables behind a full-text index, unchanged: a part of them would find wrong rows. */
function putAll(sql: Database.Database, name: string, rows: readonly Row[]): void {
  sql.exec(`delete from ${name}`)
  const columns = (sql.pragma(`table_info(${name})`) as { name: string; type: string; pk: number }[]).map(
    ({ name: column, type, pk }) => ({ column, isRowid: pk === 1 && type === 'INTEGER' })
  )
  const put = sql.prepare(
    `insert into ${name} (${columns.map(({ column }) => column).join(', ')}) values (${columns.map(() => '?').join(', ')})`
  )
  for (const { rowid, values } of rows)
    put.run(columns.map(({ isRowid }, index) => (isRowid && rowid !== undefined ? rowid : (values[index] ?? null))))
}
