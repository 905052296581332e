import Database from 'better-sqlite3'
import { migrateFile } from '../../file/migrate.ts'
import { migrations } from '../../file/migrationList.ts'
import type { Value } from './cells.ts'

/** A table of one version: how its rows look on the disk. */
export interface TableForm {
  name: string
  /** Its columns in the order of a row; computed columns are not stored. */
  columns: readonly ColumnForm[]
  /** It has row numbers; otherwise the first columns are the key. */
  hasRowid: boolean
  /** The column that is the row number, and is stored empty. */
  rowidColumn: string | undefined
  indexes: readonly IndexForm[]
}

interface ColumnForm {
  name: string
  type: string
  isOptional: boolean
  /** Rows from before it was added do not have it. */
  mayLack: boolean
}

export interface IndexForm {
  name: string
  /** The indexed columns, before the number (or the key) of the row. */
  columns: readonly string[]
}

/** All tables of a version, from its own migrations: a table of a later version is included automatically. */
export interface FileForm {
  version: number
  tables: readonly TableForm[]
}

/** Tables behind a full-text index: they are rebuilt, or copied with what they index. */
export function isWordTable(name: string): boolean {
  return /_word(_\w+)?$/.test(name)
}

export function formOfVersion(version: number): FileForm {
  const sql = new Database(':memory:')
  try {
    migrateFile(sql, null, () => undefined, version)
    const names = sql
      .prepare<[], { name: string }>(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by rowid"
      )
      .all()
    return { version, tables: names.filter(({ name }) => !isWordTable(name)).map(({ name }) => formOf(sql, name)) }
  } finally {
    sql.close()
  }
}

/** The version with the most similar tables: for a file whose header is lost. */
export function versionLike(names: ReadonlySet<string>): number {
  let best = { version: migrations.length, likeness: -1 }
  for (let version = migrations.length; version > 0; version--) {
    const known = formOfVersion(version).tables.map(({ name }) => name)
    const own = [...names].filter((name) => !isWordTable(name) && !name.startsWith('sqlite_'))
    const likeness = known.filter((name) => names.has(name)).length * 2 - known.length - own.length
    if (likeness > best.likeness || best.likeness === -1) best = { version, likeness }
  }
  return names.size === 0 ? migrations.length : best.version
}

interface Column {
  name: string
  type: string
  notnull: number
  dflt_value: string | null
  pk: number
  hidden: number
}

function formOf(sql: Database.Database, table: string): TableForm {
  const all = sql.pragma(`table_xinfo(${table})`) as Column[]
  const kept = all.filter(({ hidden }) => hidden !== 2)
  const key = kept.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  const { sql: text } = sql
    .prepare<[string], { sql: string }>('select sql from sqlite_schema where name = ?')
    .get(table) ?? { sql: '' }
  const hasRowid = !/without rowid\s*$/i.test(text)
  const rowidColumn = hasRowid && key.length === 1 && key[0]?.type === 'INTEGER' ? key[0].name : undefined
  const ordered = hasRowid ? kept : [...key, ...kept.filter(({ pk }) => pk === 0)]
  const indexes = sql.pragma(`index_list(${table})`) as { name: string; origin: string }[]
  return {
    name: table,
    hasRowid,
    rowidColumn,
    columns: ordered.map(({ name, type, notnull, pk, dflt_value }) => ({
      name,
      type,
      isOptional: notnull === 0 && pk === 0,
      mayLack: pk === 0 && (notnull === 0 || dflt_value !== null)
    })),
    indexes: indexes
      .filter(({ origin }) => hasRowid || origin !== 'pk')
      .map(({ name }) => ({
        name,
        columns: (sql.pragma(`index_info(${name})`) as { name: string | null }[]).map((column) => column.name ?? '')
      }))
  }
}

/** Whether a row can belong to this table: columns that were added later may be missing at its end. */
export function hasForm({ columns, rowidColumn }: TableForm, values: readonly Value[]): boolean {
  if (
    values.length > columns.length ||
    values.length === 0 ||
    columns.slice(values.length).some(({ mayLack }) => !mayLack)
  )
    return false
  return values.every((value, index) => {
    const column = columns[index]
    if (!column) return false
    if (column.name === rowidColumn) return value === null
    return value === null ? column.isOptional : isOfType(value, column.type)
  })
}

function isOfType(value: Exclude<Value, null>, type: string): boolean {
  switch (type) {
    case 'TEXT':
      return typeof value === 'string'
    case 'INTEGER':
    case 'INT':
      return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
    case 'REAL':
      return typeof value === 'number'
    case 'BLOB':
      return Buffer.isBuffer(value)
    default:
      return true
  }
}
