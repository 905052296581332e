import fs from 'node:fs'
import path from 'node:path'
import type Database from 'better-sqlite3'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { ReservedSpace } from './reservedSpace.ts'
import { watchDisk, type Disk } from './disk.ts'
import type { EndMark, EndMarkFile } from './endMark.ts'
import { briefWaitMs, isHeld, lookWaitMs, nameHolder, waitForOthersMs } from './held.ts'
import { isDiskFailure, isDiskFull, isCertainlyNotStored, onData, translateDataError } from './errors.ts'

export type Writing = ReturnType<typeof createWriting>

export interface WritingOptions {
  sql: Database.Database
  fence: number
  last: EndMark['last']
  outputs: number[]
  mark: EndMarkFile
  reserved: ReservedSpace
  /** Throws when the open file is no longer the one in the folder. */
  assertStillThere(): void
}

const lookAtRoomEvery = 16
/** The caller asks often; without a caller the list does not grow. */
const mostAddedTo = 200

/**
 * The only way to write. A failed commit proves nothing: its data may still be on the disk. A failure is reported only
 * when it is certain: another transaction on the same connection, which overwrites the same place in the write-ahead
 * log, must be on the disk. Until then nothing else is written, and the attempt is repeated.
 */
export function createWriting({
  sql,
  fence,
  last,
  outputs: openOutputs,
  mark,
  reserved,
  assertStillThere
}: WritingOptions) {
  const begin = sql.prepare('begin immediate')
  const commit = sql.prepare('commit')
  const rollback = sql.prepare('rollback')
  const readFence = sql.prepare<[], { value: string }>("select value from setting where name = '$fence'")
  const writeOver = sql.prepare(
    "insert into setting (name, value) values ('$settled', ?) on conflict (name) do update set value = excluded.value"
  )
  const disk = watchDisk({ reserved, tryToKeep: () => settle() })

  let depth = 0
  let end = last
  let outputs = openOutputs
  let isEndNew = false
  const addedTo = new Set<string>()
  let isUnsure = false
  let timesSettled = 0
  let timesWritten = 0
  let waitingMs: number | undefined

  function guarded<T>(work: () => T): T {
    if (Number(readFence.get()?.value ?? 0) !== fence) throw new AppError('DATA_LOCKED', message('store.takenOver'))
    const result = work()
    assertWhole()
    return result
  }

  /** Throws when SQLite rolled back the transaction: later statements would be stored without the earlier ones. */
  function assertWhole(): void {
    if (depth > 0 && !sql.inTransaction) throw new AppError('DATA_UNUSABLE', message('store.diskErrors'))
  }

  /** One transaction. If it throws before `commit` began, nothing is stored. */
  function transact<T>(work: () => T): T {
    if (sql.inTransaction) rollback.run()
    begin.run()
    depth = 1
    let result: T
    try {
      result = work()
    } catch (error) {
      undo()
      throw error
    } finally {
      depth = 0
    }
    try {
      commit.run()
    } catch (error) {
      isUnsure = !isCertainlyNotStored(error)
      undo()
      throw error
    }
    return result
  }

  /** What cannot be rolled back now is rolled back before the next transaction. */
  function undo(): void {
    try {
      if (sql.inTransaction) rollback.run()
    } catch {
      isUnsure = true
    }
  }

  /** Makes sure that the failed transaction is not stored. Throws while the disk cannot do that. */
  function settle(): void {
    const before = isUnsure
    waitAtMost(lookWaitMs)
    try {
      timesSettled += 1
      transact(() => guarded(() => writeOver.run(`${fence}.${timesSettled}`)))
      isUnsure = false
      disk.kept()
    } catch (error) {
      isUnsure ||= before
      throw error
    }
  }

  function attempt<T>(work: () => T): T {
    return onData(() => {
      assertStillThere()
      const result = transact(() => guarded(work))
      disk.kept()
      return result
    })
  }

  /**
   * The state of the disk after a failure. If nothing was stored for certain: whether another attempt is worthwhile.
   */
  function isWorthAnother(error: unknown): boolean {
    if (isDiskFull(error) && !isUnsure) {
      const hasRoom = [disk.giveRoom(), emptyLog()].includes(true)
      if (!hasRoom) disk.stands('full')
      return hasRoom
    }
    if (!isUnsure && !isDiskFailure(error)) return false
    disk.stands('failing')
    if (!isUnsure) return false
    assertSettled()
    return true
  }

  const logBytes = (): number => fs.statSync(`${sql.name}-wal`, { throwIfNoEntry: false })?.size ?? 0

  /** Repeatedly written pages are in the write-ahead log as often, but in the file only once. */
  function emptyLog(): boolean {
    try {
      const before = logBytes()
      sql.pragma('wal_checkpoint(truncate)')
      return logBytes() < before
    } catch {
      return false
    }
  }

  /** On a nearly full disk the log must not use the space that the file needs for the log's content. */
  function keepLogShort(): void {
    timesWritten += 1
    if (timesWritten % lookAtRoomEvery !== 0) return
    try {
      const { bavail, bsize } = fs.statfsSync(path.dirname(sql.name))
      if (bavail * bsize < logBytes() * 2) emptyLog()
    } catch {
      // The next writer gets the error.
    }
  }

  function assertSettled(): void {
    if (!isUnsure) return
    try {
      onData(settle)
    } catch (cause) {
      disk.stands('unsure')
      throw new AppError('DATA_UNUSABLE', message('store.notKnownWhetherKept'), { cause })
    }
  }

  /**
   * While an output may be on, the thread must be free to switch it off; a file that is known to be held is asked again
   * by the disk's watch.
   */
  function waitForOthers(isBrief: boolean): void {
    waitAtMost(isBrief || outputs.length > 0 || disk.standing() === 'held' ? briefWaitMs : waitForOthersMs)
  }

  function waitAtMost(waitMs: number): void {
    if (waitMs === waitingMs) return
    sql.pragma(`busy_timeout = ${waitMs}`)
    waitingMs = waitMs
  }

  function writeOutermost<T>(work: () => T, isBrief: boolean): T {
    assertSettled()
    waitForOthers(isBrief)
    for (let isLast = false; ; isLast = true) {
      try {
        return attempt(work)
      } catch (error) {
        if (isHeld(error)) {
          if (!isUnsure) disk.stands('held')
          throw nameHolder(error, sql.name)
        }
        if (isWorthAnother(error) && !isLast) continue
        throw isDiskFailure(error) ? new AppError('DATA_UNUSABLE', message('store.notKept'), { cause: error }) : error
      }
    }
  }

  /** Then it is older than the log, and still true. */
  function keepMark(): void {
    try {
      mark.keep({ fence, last: end, outputs })
    } catch (error) {
      if (isDiskFull(translateDataError(error))) disk.giveRoom()
      else disk.stands('failing')
    }
  }

  return {
    /**
     * Runs `work` in one transaction that is on the disk when it returns. It may run twice; the first run is then
     * undone. `isBrief`: it hardly waits for another program that uses the file.
     */
    write<T>(work: () => T, { isBrief = false }: { isBrief?: boolean } = {}): T {
      const before = { end, outputs }
      try {
        if (depth > 0) return onData(() => sql.transaction(() => guarded(work))())
        const result = writeOutermost(work, isBrief)
        if (isEndNew) keepMark()
        keepLogShort()
        return result
      } catch (error) {
        ;({ end, outputs } = before)
        throw error
      } finally {
        if (depth === 0) isEndNew = false
      }
    },
    /** Call within a `write`: the last entry of the log, if it is committed. */
    endsWith(entry: NonNullable<EndMark['last']>): void {
      end = entry
      isEndNew = true
      addedTo.delete(entry.job)
      addedTo.add(entry.job)
      const [oldest] = addedTo
      if (addedTo.size > mostAddedTo && oldest !== undefined) addedTo.delete(oldest)
    },
    /** Call within a `write`: the open entries of the output ledger. In the mark when the write returns. */
    keepsOutputs(ids: number[]): void {
      outputs = ids
      isEndNew = true
    },
    /** Jobs with new log entries since the last call, latest first. */
    takeAddedTo(): string[] {
      const jobs = [...addedTo].reverse()
      addedTo.clear()
      return jobs
    },
    /** The mark's content about the log and the output ledger. */
    end: (): Pick<EndMark, 'last' | 'outputs'> => ({ last: end, outputs }),
    isWriting: (): boolean => depth > 0,
    assertWhole,
    /** Runs `work` on files of the folder; when the disk is full, again with the reserved space. */
    async withRoom<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work()
      } catch (error) {
        if (!isDiskFull(error)) throw error
        if (!disk.giveRoom()) {
          disk.stands('full')
          throw error
        }
      }
      return await work()
    },
    disk: disk as Disk,
    stop: () => disk.stop()
  }
}
