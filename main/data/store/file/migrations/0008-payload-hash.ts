import type Database from 'better-sqlite3'
import { sha256Hex } from '../../jobs/seal.ts'

const atOnce = 500

/** The request of gateway work, with a hash, so that a changed one is noticed and never sent. */
export function payloadHash(sql: Database.Database): void {
  sql.exec('alter table operation add column payload_hash text')
  const page = sql.prepare<[number, number], { sequence: number; payload: string }>(
    'select sequence, payload from operation where sequence > ? order by sequence limit ?'
  )
  const put = sql.prepare('update operation set payload_hash = ? where sequence = ?')
  let last = 0
  for (;;) {
    const rows = page.all(last, atOnce)
    for (const { sequence, payload } of rows) put.run(sha256Hex(payload), sequence)
    const end = rows.at(-1)
    if (!end) break
    last = end.sequence
  }
}
