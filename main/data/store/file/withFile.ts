import Database from 'better-sqlite3'
import { onData } from './errors.ts'

/** Opens a file for one task. SQLite errors become AppErrors. */
export function withFile<T>(file: string, options: Database.Options, work: (sql: Database.Database) => T): T {
  return onData(() => {
    const sql = new Database(file, { timeout: 5_000, ...options })
    try {
      return work(sql)
    } finally {
      sql.close()
    }
  })
}
