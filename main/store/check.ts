import { operationState } from '../../preload/contract/operations.ts'
import { verifyChain } from './seal.ts'
import { AppError } from '../../preload/contract/errors.ts'
import type { DataFile } from './database.ts'
import { onData } from './errors.ts'
import type { JobStore } from './jobs.ts'
import type { OperationStore } from './operations.ts'

export interface DataCheck {
  ok: boolean
  findings: string[]
}

/** Looks the whole file over: SQLite's own integrity check, broken references, the hash chain of every job, and the rest. */
export function checkData(data: DataFile, jobs: JobStore, operations: OperationStore): DataCheck {
  return onData(() => {
    const findings: string[] = []
    for (const row of data.sql.pragma('integrity_check') as { integrity_check: string }[]) {
      if (row.integrity_check !== 'ok') findings.push(`The file is damaged: ${row.integrity_check}.`)
    }
    const broken = data.sql.pragma('foreign_key_check') as { table: string }[]
    for (const row of broken) findings.push(`A row of ${row.table} points to something that is gone.`)
    for (const { id, last_hash } of data.sql.prepare<[], { id: string; last_hash: string }>('select id, last_hash from job').all()) {
      findings.push(...checkLog(id, last_hash, jobs))
    }
    findings.push(
      ...readable('The list of jobs', () => {
        jobs.list({})
        return []
      }),
      ...readable('The work that waits for the gateway', () => checkOperations(operations))
    )
    return { ok: findings.length === 0, findings }
  })
}

function checkLog(id: string, lastHash: string, jobs: JobStore): string[] {
  return readable(`The log of job ${id}`, () => {
    const entries = jobs.journal(id)
    const chain = verifyChain(id, entries)
    if (!chain.ok) return [`The log of job ${id} was changed at entry ${chain.at}: ${chain.why}`]
    if (entries.at(-1)?.hash !== lastHash) return [`The log of job ${id} is not whole: entries are missing at its end.`]
    return []
  })
}

function checkOperations(operations: OperationStore): string[] {
  return operations
    .list()
    .filter(({ state }) => !operationState.safeParse(state).success)
    .map(({ id, state }) => `The work ${id} has a state that does not exist: ${state}.`)
}

function readable(what: string, look: () => string[]): string[] {
  try {
    return look()
  } catch (error) {
    if (error instanceof AppError && error.code === 'DATA_UNUSABLE') return [`${what} cannot be read: a part of it is damaged.`]
    throw error
  }
}
