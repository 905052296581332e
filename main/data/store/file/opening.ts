import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { openReservedSpace, type ReservedSpace } from './reservedSpace.ts'
import { openDataFile, type DataFile } from './database.ts'
import { openEndMark, type EndMark } from './endMark.ts'
import { isDiskFull, onData } from './errors.ts'
import { databaseFileName, markFileName } from './fileNames.ts'
import { generationFiles } from '../backups/generations.ts'
import { briefWaitMs, isPerhapsHeld, nameHolder, waitForOthersMs } from './held.ts'
import { holdFolder } from './folderLock.ts'
import { inWorker, type WorkOptions } from './inWorker.ts'
import { clearSuspect, lookOver } from '../damage/lookOver.ts'
import { keepForOwner } from './ownerOnly.ts'
import { asideNameAt, exchangeFiles, newNameAt, removeHalfMade } from '../damage/putAside.ts'
import { openToRead, type ReadOnlyReason } from './readOnly.ts'
import type { Salvaged } from '../damage/salvage/salvage.ts'
import { putInPlace, syncToDisk } from './syncToDisk.ts'

export type Opening =
  | { how: 'asIs' }
  /** Only derived data was damaged: nothing is missing. */
  | { how: 'mended'; aside: string }
  | { how: 'salvaged'; aside: string; salvaged: Salvaged }
  | { how: 'readOnly'; why: ReadOnlyReason; sentence: Message }
  | { how: 'begunAnew'; aside: string }

const againMs = 100

export interface OpeningOptions extends WorkOptions {
  now?: () => Date
}

/**
 * Opens a folder in any state: what a damaged file still has is copied into a new one. DATA_LOCKED, or DATA_UNUSABLE if
 * nothing can be opened.
 */
export async function openData(
  folder: string,
  options: OpeningOptions = {}
): Promise<{ data: DataFile; opening: Opening }> {
  const reserved = openReservedSpace(folder)
  try {
    return await openOnce(folder, reserved, options)
  } catch (error) {
    if (!isDiskFull(error) || !reserved.giveUp()) return openFull(folder, error)
  }
  try {
    // Work that was started there before can still be finished.
    return await openOnce(folder, reserved, options)
  } catch (error) {
    return openFull(folder, error)
  }
}

/** Another program may use the file for a moment: then it is tried again, and the thread is free meanwhile. */
async function openOnce(
  folder: string,
  reserved: ReservedSpace,
  options: OpeningOptions
): Promise<{ data: DataFile; opening: Opening }> {
  const untilMs = performance.now() + waitForOthersMs
  for (;;) {
    const isLast = performance.now() >= untilMs
    try {
      return await openNow(folder, reserved, options, isLast)
    } catch (error) {
      if (isLast || !isPerhapsHeld(error)) throw nameHolder(error, path.join(folder, databaseFileName))
      await setTimeout(againMs, undefined, { signal: options.signal })
    }
  }
}

/** Even without any free space a folder can be read. */
function openFull(folder: string, error: unknown): { data: DataFile; opening: Opening } {
  if (isDiskFull(error) && hasFile(folder)) return openedToRead(folder, 'full')
  throw error
}

async function openNow(
  folder: string,
  reserved: ReservedSpace,
  options: OpeningOptions,
  isLast: boolean
): Promise<{ data: DataFile; opening: Opening }> {
  const isOnlyToRead = (error: unknown): boolean =>
    isNotWritable(error) && hasFile(folder) && (isLast || !isPerhapsHeld(error))
  let release
  try {
    release = onData(() => {
      keepForOwner(folder)
      return holdFolder(folder)
    })
  } catch (error) {
    if (isOnlyToRead(error)) return openedToRead(folder, 'notWritable')
    throw error
  }
  try {
    onData(() => {
      removeHalfMade(folder)
      exchangeFiles(folder)
    })
    const mark = readMark(folder)
    const { found } = lookOver(folder, mark)
    if (found === 'newer') return openedToRead(folder, 'newer', release)
    const opening = found === 'damaged' ? await bringOver(folder, mark, options) : { how: 'asIs' as const }
    onData(() => clearSuspect(folder))
    return {
      data: openDataFile(folder, { progress: options.progress, held: release, reserved, waitMs: briefWaitMs }),
      opening
    }
  } catch (error) {
    release()
    if (isOnlyToRead(error)) return openedToRead(folder, 'notWritable')
    throw error
  }
}

function openedToRead(folder: string, why: ReadOnlyReason, release?: () => void): { data: DataFile; opening: Opening } {
  const data = openToRead(folder, why, release)
  return { data, opening: { how: 'readOnly', why, sentence: data.readOnly ?? message('damage.readOnlyMedium') } }
}

function isNotWritable(error: unknown): boolean {
  return (
    error instanceof AppError && (error.sentence.id === 'store.notWritable' || error.sentence.id === 'store.notOpened')
  )
}

function hasFile(folder: string): boolean {
  return fs.existsSync(path.join(folder, databaseFileName))
}

function readMark(folder: string): EndMark | undefined {
  if (!fs.existsSync(path.join(folder, markFileName))) return undefined
  return onData(() => {
    const mark = openEndMark(folder)
    try {
      return mark.read()
    } finally {
      mark.close()
    }
  })
}

/** The new file, too, is checked for outputs that may be on; losses of the log were already reported. */
function keepOutputs(folder: string, mark: EndMark | undefined): void {
  if (!mark?.outputs) return
  const made = openEndMark(folder)
  made.keep({ fence: 0, last: null, outputs: mark.outputs })
  made.close()
}

/** The old file is touched only when the new one is complete and on the disk. */
async function bringOver(folder: string, mark: EndMark | undefined, options: OpeningOptions): Promise<Opening> {
  const at = (options.now?.() ?? new Date()).toISOString()
  const file = path.join(folder, databaseFileName)
  const aside = asideNameAt(at)
  const made = path.join(folder, newNameAt(at))
  const backups = generationFiles(folder)
  // The write-ahead log may belong to another file: then the file alone contains more.
  const ways = fs.existsSync(`${file}-wal`) ? [true, false] : [false]
  const tries: { partial: string; salvaged: Salvaged }[] = []
  try {
    for (const withLog of ways) {
      const partial = `${made}-${randomBytes(4).toString('hex')}.part`
      onData(() => fs.closeSync(fs.openSync(partial, 'wx', 0o600)))
      tries.push({
        partial,
        salvaged: await inWorker(
          {
            task: 'salvage',
            request: { from: file, to: partial, withLog, asideName: aside, mark: mark ?? null, backups, at }
          },
          options
        )
      })
      if (tries.at(-1)?.salvaged.isEndThere) break
    }
    const best = tries.toSorted((a, b) => b.salvaged.worth - a.salvaged.worth)[0]
    if (!best) throw new AppError('DATA_UNUSABLE', message('store.damaged'))
    onData(() => {
      syncToDisk(best.partial)
      putInPlace(best.partial, made)
      exchangeFiles(folder)
      keepOutputs(folder, mark)
    })
    const { salvaged } = best
    if (salvaged.rows === 0) return { how: 'begunAnew', aside }
    return salvaged.losses.length === 0 ? { how: 'mended', aside } : { how: 'salvaged', aside, salvaged }
  } finally {
    for (const { partial } of tries) fs.rmSync(partial, { force: true })
  }
}
