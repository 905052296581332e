import type Database from 'better-sqlite3'

/** Rebuilds a table of derived data from `text`, even if SQLite cannot read its pages any more. */
export function remakeTable(sql: Database.Database, text: string): void {
  const names = [...text.matchAll(/create (?:virtual )?(?:table|trigger|index) (\w+)/g)].map(([, name]) => name ?? '')
  sql
    .transaction(() => {
      for (const name of names) takeOut(sql, name)
      sql.exec(text)
    })
    .immediate()
}

/** A damaged table cannot be dropped: SQLite would read its pages. Its name is removed; its pages stay unused. */
export function takeOut(sql: Database.Database, name: string): void {
  sql.unsafeMode(true)
  try {
    sql.pragma('writable_schema = on')
    // A full-text table has tables of its own, named after it.
    sql
      .prepare('delete from sqlite_schema where name = ? or tbl_name = ? or name glob ? or tbl_name glob ?')
      .run(name, name, `${name}_*`, `${name}_*`)
  } finally {
    sql.pragma('writable_schema = reset')
    sql.unsafeMode(false)
  }
}
