import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { hasPieces, takePiecesOut } from '../jobs/attachmentPieces.ts'
import { openReservedSpace, type ReservedSpace } from './reservedSpace.ts'
import { sumOf, type ClosedSum } from './closedSum.ts'
import { settleCopy } from '../backups/copyMark.ts'
import {
  findLoss,
  findOutputLoss,
  holdsEntry,
  openEndMark,
  openOutputsQuery,
  type EndMark,
  type EndMarkFile
} from './endMark.ts'
import { isDamage, onData } from './errors.ts'
import { databaseFileName } from './fileNames.ts'
import { keepForOwner } from './ownerOnly.ts'
import { holdBack } from '../work/holdBack.ts'
import { nameHolder, waitForOthersMs } from './held.ts'
import { holdFolder } from './folderLock.ts'
import { markSuspect } from '../damage/lookOver.ts'
import { migrateFile } from './migrate.ts'
import type { Progress } from './progress.ts'
import { remakeTable } from '../damage/remake.ts'
import { createWriting, type Writing, type WritingOptions } from './writing.ts'

export interface DataFile extends Omit<Writing, 'assertWhole' | 'end' | 'stop'> {
  readonly file: string
  /** Increases by one each time the file is opened for writing; a writer with an older number has lost its lease. */
  readonly fence: number
  /** A statement that is prepared on first use. SQLite errors become AppErrors. */
  prepare<Parameters extends unknown[] = unknown[], Row = unknown>(text: string): Statement<Parameters, Row>
  /** Rebuilds derived data after SQLite reported damage. */
  makeAgain(text: string): void
  /** Why it is read-only; null when it can be written to. */
  readonly readOnly: Message | null
  close(): void
}

export interface Statement<Parameters extends unknown[], Row> {
  get(...parameters: Parameters): Row | undefined
  all(...parameters: Parameters): Row[]
  run(...parameters: Parameters): { changes: number; lastInsertRowid: number | bigint }
}

/**
 * Opens the database of a data folder and locks it for this process until `close`. The operating system releases the
 * lock when a process dies. Throws AppError DATA_LOCKED or DATA_UNUSABLE. `held` releases a folder that is already
 * locked; `ballast`: the folder's reserve, if it was needed before; `waitMs`: how long it waits for another program
 * that uses the file.
 */
export function openDataFile(
  folder: string,
  options: { progress?: Progress | undefined; held?: () => void; reserved?: ReservedSpace; waitMs?: number } = {}
): DataFile {
  const { progress = () => undefined, held, reserved = openReservedSpace(folder), waitMs = waitForOthersMs } = options
  const file = path.join(folder, databaseFileName)
  return namingHolder(file, () => {
    keepForOwner(folder)
    const release = held ?? holdFolder(folder)
    const mark = openEndMark(folder)
    let sql: Database.Database | undefined
    try {
      // Created here so that no other user can read it, whoever created the folder.
      fs.closeSync(fs.openSync(file, 'a', 0o600))
      const expected = mark.read()
      const sum = expected?.closed ? sumOf(file) : null
      sql = new Database(file, { timeout: waitMs })
      sql.pragma('journal_mode = wal')
      sql.pragma('synchronous = full')
      sql.pragma('foreign_keys = on')
      migrateFile(sql, file, progress)
      // A copy for elsewhere that was put here by hand.
      if (hasPieces(sql)) sql.transaction((opened: Database.Database) => takePiecesOut(opened, progress)).immediate(sql)
      const isEndLost = expected !== undefined && keepLoss(sql, expected, sum)
      // Afterwards, because a copy reports its age, which says more than a loss.
      settleCopy(sql)
      const fence = takeLease(sql, expected?.fence ?? 0)
      // Reported once: later the file itself records the loss.
      const last = isEndLost ? null : (expected?.last ?? null)
      const outputs = sql
        .prepare<[], { id: number }>(openOutputsQuery)
        .all()
        .map(({ id }) => id)
      mark.keep({ fence, last, outputs })
      return makeDataFile({ file, sql, fence, last, outputs, mark, reserved, release })
    } catch (error) {
      sql?.close()
      mark.close()
      release()
      throw error
    }
  })
}

/** Errors become AppErrors; one of a file that another program holds names that program. */
function namingHolder<T>(file: string, work: () => T): T {
  try {
    return onData(work)
  } catch (error) {
    throw nameHolder(error, file)
  }
}

interface OpenFile extends Omit<WritingOptions, 'assertStillThere'> {
  file: string
  release(): void
}

function makeDataFile({ file, sql, fence, last, outputs, mark, reserved, release }: OpenFile): DataFile {
  const opened = fs.statSync(file)
  // A new folder delays it a little: a program that only reads a folder needs no reserve.
  if (fence > 1 && !reserved.isGivenUp()) reserved.take()
  const writing = createWriting({ sql, fence, last, outputs, mark, reserved, assertStillThere })

  /** A file with damage found in use is inspected completely before it is opened again. */
  function noting<T>(work: () => T): T {
    try {
      return namingHolder(file, work)
    } catch (error) {
      if (isDamage(error)) markSuspect(path.dirname(file))
      throw error
    }
  }

  /** If the file was deleted or replaced in the meantime, a write would appear successful and be lost. */
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
    makeAgain: (text) => onData(() => remakeTable(sql, text)),
    close() {
      // The number of the mark's handle may belong to another file by now.
      if (!sql.open) return
      writing.stop()
      sql.close()
      keepSum(mark, file, { fence, ...writing.end() })
      mark.close()
      release()
    }
  }
}

/** The identity of the file until it is opened again. */
function keepSum(mark: EndMarkFile, file: string, end: EndMark): void {
  try {
    const closed = sumOf(file)
    if (closed) mark.keep({ ...end, closed })
  } catch {
    // The log is closed and complete; a mark without a checksum claims nothing about it.
  }
}

/** Recorded for each start and check: a loss is permanent. True when the mark's last entry is no longer valid. */
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

/** This also proves that the folder is writable, before a person sees anything. */
function takeLease(sql: Database.Database, least: number): number {
  return sql
    .transaction(() => {
      const fence = Math.max(readFence(sql), least) + 1
      sql
        .prepare(
          "insert into setting (name, value) values ('$fence', ?) on conflict (name) do update set value = excluded.value"
        )
        .run(String(fence))
      return fence
    })
    .immediate()
}
