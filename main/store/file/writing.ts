import fs from 'node:fs'
import path from 'node:path'
import type Database from 'better-sqlite3'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Ballast } from './ballast.ts'
import { watchDisk, type Disk } from './disk.ts'
import type { EndMark, EndMarkFile } from './endMark.ts'
import { isDiskFailure, isDiskFull, isKnownNotKept, onData, translateDataError } from './errors.ts'

export interface Writing {
  /** Runs `work` in one transaction that is on the disk when it returns. It may run twice, the first time undone. */
  write<T>(work: () => T): T
  /** Said within a `write`: this is the last entry of the log when it is kept. */
  endsWith(last: NonNullable<EndMark['last']>): void
  /** Said within a `write`: these entries of the ledger of outputs have not ended. On the mark when the write returns. */
  keepsOutputs(ids: number[]): void
  /** What the mark says of the log and of the ledger of outputs. */
  end(): Pick<EndMark, 'last' | 'outputs'>
  isWriting(): boolean
  /** Jobs whose logs were added to since it was asked last, the latest first. */
  takeAddedTo(): string[]
  /** Throws when SQLite undid the transaction that is under way: what follows would be kept without the rest. */
  assertWhole(): void
  /** Runs `work` on files of the folder; when the disk is full, once more with the room that was kept for that. */
  withRoom<T>(work: () => Promise<T>): Promise<T>
  disk: Disk
  stop(): void
}

export interface WritingOptions {
  sql: Database.Database
  fence: number
  last: EndMark['last']
  outputs: number[]
  mark: EndMarkFile
  ballast: Ballast
  /** Throws when the file that is open is no longer the one in the folder. */
  assertStillThere(): void
}

const lookAtRoomEvery = 16
/** Who asks does so often; where nobody does, it does not grow. */
const mostAddedTo = 200

/**
 * The one way in which anything is written. A commit that fails says nothing: it may be on the disk all the same. Nobody is
 * told "not kept" before that is so: another transaction on the same connection, which takes the same place in the
 * write-ahead log, has to be on the disk. Until then nothing else is written, and it is tried again and again.
 */
export function createWriting({ sql, fence, last, outputs: openOutputs, mark, ballast, assertStillThere }: WritingOptions): Writing {
  const begin = sql.prepare('begin immediate')
  const commit = sql.prepare('commit')
  const rollback = sql.prepare('rollback')
  const readFence = sql.prepare<[], { value: string }>("select value from setting where name = '$fence'")
  const writeOver = sql.prepare("insert into setting (name, value) values ('$settled', ?) on conflict (name) do update set value = excluded.value")
  const disk = watchDisk({ ballast, tryToKeep: () => settle() })

  let depth = 0
  let end = last
  let outputs = openOutputs
  let isEndNew = false
  const addedTo = new Set<string>()
  let isUnsure = false
  let timesSettled = 0
  let timesWritten = 0

  function guarded<T>(work: () => T): T {
    if (Number(readFence.get()?.value ?? 0) !== fence) throw new AppError('DATA_LOCKED', message('store.takenOver'))
    const result = work()
    assertWhole()
    return result
  }

  function assertWhole(): void {
    if (depth > 0 && !sql.inTransaction) throw new AppError('DATA_UNUSABLE', message('store.diskErrors'))
  }

  /** One transaction. Whatever it throws before `commit` was begun: nothing is kept. */
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
      isUnsure = !isKnownNotKept(error)
      undo()
      throw error
    }
    return result
  }

  /** What cannot be undone now is undone before the next transaction begins. */
  function undo(): void {
    try {
      if (sql.inTransaction) rollback.run()
    } catch {
      isUnsure = true
    }
  }

  /** Makes sure that what failed is not kept. Throws while the disk does not take that. */
  function settle(): void {
    const before = isUnsure
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

  /** How the disk stands after a failure. When it is known that nothing is kept, whether it is worth trying once more. */
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

  /** Pages that were written again and again stand in the write-ahead log as often; in the file itself, once. */
  function emptyLog(): boolean {
    try {
      const before = logBytes()
      sql.pragma('wal_checkpoint(truncate)')
      return logBytes() < before
    } catch {
      return false
    }
  }

  /** On a disk with little room the log must not take what the file needs to take the log in. */
  function keepLogShort(): void {
    timesWritten += 1
    if (timesWritten % lookAtRoomEvery !== 0) return
    try {
      const { bavail, bsize } = fs.statfsSync(path.dirname(sql.name))
      if (bavail * bsize < logBytes() * 2) emptyLog()
    } catch {
      // Whoever writes next is told.
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

  function writeOutermost<T>(work: () => T): T {
    assertSettled()
    for (let isLast = false; ; isLast = true) {
      try {
        return attempt(work)
      } catch (error) {
        if (isWorthAnother(error) && !isLast) continue
        throw isDiskFailure(error) ? new AppError('DATA_UNUSABLE', message('store.notKept'), { cause: error }) : error
      }
    }
  }

  /** It is older than the log then, and still true. */
  function keepMark(): void {
    try {
      mark.keep({ fence, last: end, outputs })
    } catch (error) {
      if (isDiskFull(translateDataError(error))) disk.giveRoom()
      else disk.stands('failing')
    }
  }

  return {
    write(work) {
      const before = { end, outputs }
      try {
        if (depth > 0) return onData(() => sql.transaction(() => guarded(work))())
        const result = writeOutermost(work)
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
    endsWith(entry) {
      end = entry
      isEndNew = true
      addedTo.delete(entry.job)
      addedTo.add(entry.job)
      const [oldest] = addedTo
      if (addedTo.size > mostAddedTo && oldest !== undefined) addedTo.delete(oldest)
    },
    keepsOutputs(ids) {
      outputs = ids
      isEndNew = true
    },
    takeAddedTo() {
      const jobs = [...addedTo].reverse()
      addedTo.clear()
      return jobs
    },
    end: () => ({ last: end, outputs }),
    isWriting: () => depth > 0,
    assertWhole,
    async withRoom(work) {
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
    disk,
    stop: () => disk.stop()
  }
}
