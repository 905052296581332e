import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { hasPieces, takePiecesOut } from '../jobs/attachmentPieces.ts'
import { openBallast, type Ballast } from './ballast.ts'
import { sumOf, type ClosedSum } from './closedSum.ts'
import { settleCopy } from '../backups/copyMark.ts'
import { findLoss, findOutputLoss, holdsEntry, openEndMark, openOutputsQuery, type EndMark, type EndMarkFile } from './endMark.ts'
import { isDamage, onData } from './errors.ts'
import { databaseFileName } from './fileNames.ts'
import { keepForOwner } from './ownerOnly.ts'
import { holdBack } from '../work/holdBack.ts'
import { holdFolder } from './folderLock.ts'
import { markSuspect } from '../damage/lookOver.ts'
import { migrateFile, type Progress } from './migrate.ts'
import { remake } from '../damage/remake.ts'
import { createWriting, type Writing } from './writing.ts'

export interface DataFile extends Omit<Writing, 'assertWhole' | 'end' | 'stop'> {
  readonly file: string
  /** Grows by one each time the file is opened for writing; a writer with an older number has lost its lease. */
  readonly fence: number
  /** A statement that is prepared when it is first used. What SQLite says about the file comes as an AppError. */
  prepare<Parameters extends unknown[] = unknown[], Row = unknown>(text: string): Statement<Parameters, Row>
  /** Makes again what can be made from the rest, after SQLite called it damaged. */
  makeAgain(text: string): void
  /** Why it can only be looked at; null when it can be written to. */
  readonly readOnly: Message | null
  close(): void
}

export interface Statement<Parameters extends unknown[], Row> {
  get(...parameters: Parameters): Row | undefined
  all(...parameters: Parameters): Row[]
  run(...parameters: Parameters): { changes: number; lastInsertRowid: number | bigint }
}

/**
 * Opens the one database of a data folder and keeps it for this process alone until `close`.
 * The operating system lets go of the lock when a process dies, however it dies.
 * Throws AppError DATA_LOCKED or DATA_UNUSABLE. `held` lets go of a folder that is held already; `ballast`: the one of
 * the folder, where somebody needed it before.
 */
export function openDataFile(folder: string, options: { progress?: Progress | undefined; held?: () => void; ballast?: Ballast } = {}): DataFile {
  const { progress = () => undefined, held, ballast = openBallast(folder) } = options
  return onData(() => {
    keepForOwner(folder)
    const file = path.join(folder, databaseFileName)
    const letGo = held ?? holdFolder(folder)
    const mark = openEndMark(folder)
    let sql: Database.Database | undefined
    try {
      // Made here so that nobody else on this computer may read it, whoever made the folder.
      fs.closeSync(fs.openSync(file, 'a', 0o600))
      const expected = mark.read()
      const sum = expected?.closed ? sumOf(file) : null
      sql = new Database(file, { timeout: 250 })
      sql.pragma('journal_mode = wal')
      sql.pragma('synchronous = full')
      sql.pragma('foreign_keys = on')
      migrateFile(sql, file, progress)
      // A copy that was made for others and put here by hand.
      if (hasPieces(sql)) sql.transaction((opened: Database.Database) => takePiecesOut(opened, progress)).immediate(sql)
      const isEndLost = expected !== undefined && keepLoss(sql, expected, sum)
      // After that: a copy says of when it is, which is more than that something is missing.
      settleCopy(sql)
      const fence = takeLease(sql, expected?.fence ?? 0)
      // Told once: what is missing then is known from the file itself.
      const last = isEndLost ? null : (expected?.last ?? null)
      const outputs = sql.prepare<[], { id: number }>(openOutputsQuery).all().map(({ id }) => id)
      mark.keep({ fence, last, outputs })
      return makeDataFile({ file, sql, fence, last, outputs, mark, ballast, letGo })
    } catch (error) {
      sql?.close()
      mark.close()
      letGo()
      throw error
    }
  })
}

interface OpenFile {
  file: string
  sql: Database.Database
  fence: number
  last: EndMark['last']
  outputs: number[]
  mark: EndMarkFile
  ballast: Ballast
  letGo(): void
}

function makeDataFile({ file, sql, fence, last, outputs, mark, ballast, letGo }: OpenFile): DataFile {
  const opened = fs.statSync(file)
  // A folder that is new waits for it a moment: whoever only looks into one needs none.
  if (fence > 1 && !ballast.isGivenUp()) ballast.take()
  const writing = createWriting({ sql, fence, last, outputs, mark, ballast, assertStillThere })

  /** What was found damaged in use is looked over whole before it is opened again. */
  function noting<T>(work: () => T): T {
    try {
      return onData(work)
    } catch (error) {
      if (isDamage(error)) markSuspect(path.dirname(file))
      throw error
    }
  }

  /** Whoever writes into a file that was deleted or exchanged meanwhile would be told "kept", and nothing was. */
  function assertStillThere(): void {
    const now = fs.statSync(file, { throwIfNoEntry: false })
    if (now && now.ino === opened.ino && now.dev === opened.dev) return
    throw new AppError('DATA_UNUSABLE', message('store.fileExchanged'))
  }

  return {
    ...writing,
    file,
    fence,
    readOnly: null,
    prepare<Parameters extends unknown[], Row>(text: string): Statement<Parameters, Row> {
      let prepared: Database.Statement<Parameters, Row> | undefined
      const statement = () => (prepared ??= sql.prepare<Parameters, Row>(text))
      return {
        get: (...parameters) => noting(() => statement().get(...parameters)),
        all: (...parameters) => noting(() => statement().all(...parameters)),
        run(...parameters) {
          writing.assertWhole()
          return noting(() => statement().run(...parameters))
        }
      }
    },
    makeAgain: (text) => onData(() => remake(sql, text)),
    close() {
      writing.stop()
      sql.close()
      keepSum(mark, file, { fence, ...writing.end() })
      mark.close()
      letGo()
    }
  }
}

/** What the file is from now on, until it is opened again. */
function keepSum(mark: EndMarkFile, file: string, end: EndMark): void {
  try {
    const closed = sumOf(file)
    if (closed) mark.keep({ ...end, closed })
  } catch {
    // The log is closed and whole; a mark without a sum claims nothing about it.
  }
}

/**
 * Told at each start and by each check from then on: what is missing does not come back by itself. True when what the mark
 * says of the last entry holds no more.
 */
function keepLoss(sql: Database.Database, expected: EndMark, sum: ClosedSum | null): boolean {
  const loss = findLoss(expected, { fence: readFence(sql), holds: holdsEntry(sql), sum })
  const outputLoss = findOutputLoss(expected, sql)
  const at = new Date().toISOString()
  sql.transaction(() => {
    const keep = sql.prepare('insert into loss (found_at, message) values (?, ?)')
    for (const one of [outputLoss, loss]) if (one) keep.run(at, JSON.stringify(one))
    if (loss) holdBack(sql, at)
  })()
  if (!loss) return false
  return loss.id !== 'store.changedWhileClosed'
}

function readFence(sql: Database.Database): number {
  return Number(sql.prepare<[], { value: string }>(fenceQuery).get()?.value ?? 0)
}

const fenceQuery = "select value from setting where name = '$fence'"

/** Also the proof that the folder can be written to, before anything is shown to a person. */
function takeLease(sql: Database.Database, least: number): number {
  return sql
    .transaction(() => {
      const fence = Math.max(readFence(sql), least) + 1
      sql
        .prepare("insert into setting (name, value) values ('$fence', ?) on conflict (name) do update set value = excluded.value")
        .run(String(fence))
      return fence
    })
    .immediate()
}
