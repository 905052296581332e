import type Database from 'better-sqlite3'

/** Runs `work` without the rules that keep what is written from being changed; they hold again afterwards. */
export function withoutGuards<T>(sql: Database.Database, work: () => T): T {
  const guards = sql.prepare<[], { name: string; sql: string }>("select name, sql from sqlite_schema where type = 'trigger' and sql like '%raise(%'").all()
  for (const { name } of guards) sql.exec(`drop trigger ${name}`)
  const result = work()
  for (const { sql: text } of guards) sql.exec(text)
  return result
}
