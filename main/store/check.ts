import { verifyChain } from '../seal.ts'
import type { DataFile } from './database.ts'
import { onData } from './errors.ts'
import type { JobStore } from './jobs.ts'

export interface DataCheck {
  ok: boolean
  findings: string[]
}

/** Looks the whole file over: SQLite's own integrity check, broken references, and the hash chain of every job. */
export function checkData(data: DataFile, jobs: JobStore): DataCheck {
  return onData(() => {
    const findings: string[] = []
    for (const row of data.sql.pragma('integrity_check') as { integrity_check: string }[]) {
      if (row.integrity_check !== 'ok') findings.push(`The file is damaged: ${row.integrity_check}.`)
    }
    const broken = data.sql.pragma('foreign_key_check') as { table: string }[]
    for (const row of broken) findings.push(`A row of ${row.table} points to something that is gone.`)
    for (const { id } of data.sql.prepare<[], { id: string }>('select id from job').all()) {
      const chain = verifyChain(id, jobs.journal(id))
      if (!chain.ok) findings.push(`The log of job ${id} was changed at entry ${chain.at}: ${chain.why}.`)
    }
    return { ok: findings.length === 0, findings }
  })
}
