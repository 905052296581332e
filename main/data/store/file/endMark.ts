import fs from 'node:fs'
import path from 'node:path'
import type Database from 'better-sqlite3'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { ClosedSum } from './closedSum.ts'
import { markFileName } from './fileNames.ts'

/** The end of the log at the last write: a file that lost its end or is an older one opens normally in SQLite. */
export interface EndMark {
  fence: number
  last: { job: string; seq: number; hash: string } | null
  /** Open entries of the output ledger: a file without them does not know which outputs may be on. */
  outputs?: number[]
  /** The checksum of a normally closed file. Not everything in it has a seal. */
  closed?: ClosedSum
}

export type EndMarkFile = ReturnType<typeof openEndMark>

const bytesOfMark = 512
/** More outputs are never switched at once, and would not fit. */
const mostOutputsInMark = 20

export function openEndMark(folder: string) {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = fs.constants
  // Windows has no O_NOFOLLOW.
  const handle = fs.openSync(path.join(folder, markFileName), O_RDWR | O_CREAT | (O_NOFOLLOW ?? 0), 0o600)
  return {
    read(): EndMark | undefined {
      const bytes = Buffer.alloc(bytesOfMark)
      const length = fs.readSync(handle, bytes, 0, bytesOfMark, 0)
      return parseMark(bytes.toString('utf8', 0, length))
    },
    /** Not synced: a mark that is older than the log is still true. */
    keep(mark: EndMark): void {
      // Always the same length, so that one write replaces all of it.
      fs.writeSync(
        handle,
        JSON.stringify(mark)
          .padEnd(bytesOfMark - 1)
          .concat('\n'),
        0
      )
    },
    close: () => fs.closeSync(handle)
  }
}

/** Undefined for a mark that a crash truncated: nothing follows from it. */
function parseMark(text: string): EndMark | undefined {
  let read: Partial<EndMark>
  try {
    read = JSON.parse(text) as Partial<EndMark>
  } catch {
    return undefined
  }
  const { fence, last, closed, outputs } = read ?? {}
  if (typeof fence !== 'number') return undefined
  const isEntry = typeof last?.job === 'string' && typeof last.seq === 'number' && typeof last.hash === 'string'
  const isSum = typeof closed?.sizeBytes === 'number' && typeof closed.crc32 === 'number'
  const areIds = Array.isArray(outputs) && outputs.every((id) => Number.isInteger(id))
  return { fence, last: isEntry ? last : null, ...(areIds ? { outputs } : {}), ...(isSum ? { closed } : {}) }
}

/** Whether a file contains an entry: in the log of its job, or in a log that was set aside since. */
export function holdsEntry(sql: Database.Database): Present['holds'] {
  const inLog = sql.prepare<[string, number, string]>('select 1 from journal where job_id = ? and seq = ? and hash = ?')
  const aside = sql.prepare<[string, number, string]>(
    'select 1 from team_aside_entry where job_id = ? and seq = ? and hash = ?'
  )
  return ({ job, seq, hash }) => inLog.get(job, seq, hash) !== undefined || aside.get(job, seq, hash) !== undefined
}

export interface Present {
  fence: number
  holds(last: NonNullable<EndMark['last']>): boolean
  /** Null when it was not computed. */
  sum?: ClosedSum | null
}

/** What is missing or changed compared with the mark; undefined when all of it is there. */
export function findLoss(mark: EndMark, { fence, holds, sum = null }: Present): Message | undefined {
  if (fence < mark.fence) return message('store.logGone')
  if (mark.last !== null && !holds(mark.last))
    return message('store.endLost', { entry: mark.last.seq, job: mark.last.job })
  // An older mark, restored by a power cut, proves nothing about a file that was opened since.
  if (sum === null || mark.closed === undefined || mark.fence !== fence) return undefined
  return sum.sizeBytes === mark.closed.sizeBytes && sum.crc32 === mark.closed.crc32
    ? undefined
    : message('store.changedWhileClosed')
}

/** Outputs that may be on without an entry in this file; undefined when each output in the mark has one. */
export function findOutputLoss({ outputs = [] }: EndMark, sql: Database.Database): Message | undefined {
  const find = sql.prepare<[number]>('select 1 from output_ledger where id = ?')
  const lost = outputs.filter((id) => find.get(id) === undefined)
  return lost.length > 0 ? message('store.outputsLost', { n: lost.length }) : undefined
}

/** The open entries of the ledger, in the form of the mark. */
export const openOutputsQuery = `select id from output_ledger where ended_at is null order by id desc limit ${mostOutputsInMark}`
