import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { CopyMark } from './copyMark.ts'
import type { MadeGeneration } from './copyWork.ts'
import { onData, translateDataError } from '../file/errors.ts'
import { databaseFileName, markFileName } from '../file/fileNames.ts'
import { holdFolder } from '../file/folderLock.ts'
import { generationName } from './generations.ts'
import { inWorker, type WorkOptions } from '../file/inWorker.ts'
import { keepForOwner } from '../file/ownerOnly.ts'
import { putInPlace } from '../file/syncToDisk.ts'

/** Writes a consistent copy of the data file to `out`, complete and on the disk before it takes that name. */
export async function backupData(file: string, out: string, options: WorkOptions = {}): Promise<void> {
  const target = path.resolve(out)
  if (isSameFile(target, file)) throw new AppError('INVALID_REQUEST', message('store.backupOverData'))
  const refusal = (cause?: unknown) => new AppError('INVALID_REQUEST', message('store.backupNotWritten', { file: out }), { cause })
  const partial = `${target}.${randomBytes(6).toString('hex')}.part`
  try {
    const present = fs.lstatSync(target, { throwIfNoEntry: false })
    // A pipe, a device, a link or a folder would be replaced by it.
    if (present && !present.isFile()) throw new Error(`${target} is no file`)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    // A new file under a name that nobody can have laid a link at.
    fs.closeSync(fs.openSync(partial, 'wx', 0o600))
    await onScratch(partial, options, () => inWorker({ task: 'copy', file, target: partial }, options))
    putInPlace(partial, target)
  } catch (error) {
    if (error instanceof AppError && error.code === 'CANCELLED') throw error
    throw refusal(error)
  } finally {
    removePartial(partial)
  }
}

/** What a copy is called until it is whole. */
const partialForm = /^fitter-.*\.[0-9a-f]{12}\.part$/

/**
 * Makes a copy among those that are kept in `folder`, in a thread of its own, and takes away the one that it replaces.
 * `folder` may be on another disk (`withPictures`); on this one it is made where it is not there.
 */
export async function keepGeneration(file: string, { folder, at, withPictures }: { folder: string; at: Date; withPictures: boolean }, options: WorkOptions = {}): Promise<MadeGeneration> {
  const partial = path.join(folder, `${generationName(at)}.${randomBytes(6).toString('hex')}.part`)
  try {
    if (!withPictures) onData(() => fs.mkdirSync(folder, { recursive: true, mode: 0o700 }))
    const wish = { file, folder, partial, at: at.toISOString(), withPictures }
    return await onScratch(partial, options, () => inWorker({ task: 'generation', ...wish }, options))
  } finally {
    // Also one that an earlier process left when it died.
    if (fs.existsSync(folder)) for (const name of fs.readdirSync(folder)) if (partialForm.test(name.replace(/-(wal|shm|journal)$/, ''))) fs.rmSync(path.join(folder, name), { force: true })
  }
}

function removePartial(name: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    // Below something that is no folder there is nothing to take away.
    if (fs.existsSync(name + suffix)) fs.rmSync(name + suffix)
  }
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => (fs.existsSync(name) ? fs.statSync(name) : undefined))
  return path.resolve(one) === path.resolve(other) || (a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev)
}

/** What a restore did. */
export interface Restored {
  /** What was there before, beside the data file. */
  kept: string | null
  /** Pictures that the copy names and that are nowhere; everything else of their jobs is there. */
  findings: Message[]
}

/**
 * Puts a backup in the place of the data folder's file, after every log in it was checked; the present file is kept
 * beside it under the returned name.
 */
export async function restoreData(folder: string, backup: string, at: Date, options: WorkOptions = {}): Promise<Restored> {
  onData(() => keepForOwner(folder))
  const letGo = onData(() => holdFolder(folder))
  let incoming: Incoming | undefined
  try {
    incoming = await prepareRestore(folder, backup, options)
    return { kept: putRestored(folder, incoming, at), findings: incoming.findings }
  } finally {
    incoming?.remove()
    letGo()
  }
}

/**
 * A file of ours that a thread writes or reads, cut off when the work is to stop: SQLite would look at all of it before it
 * hears of that, and stops at once where nothing follows.
 */
export async function onScratch<T>(file: string, { signal }: WorkOptions, work: () => Promise<T>): Promise<T> {
  const cut = () => {
    if (fs.existsSync(file)) fs.truncateSync(file)
  }
  signal?.addEventListener('abort', cut)
  try {
    return await work()
  } finally {
    signal?.removeEventListener('abort', cut)
  }
}

/** A copy that lies in the data folder, brought up to this version and checked, with its pictures where they belong. */
export interface Incoming {
  file: string
  mark: CopyMark
  findings: Message[]
  /** Takes it away again; nothing when it was put in place. */
  remove(): void
}

/** Checks a copy before anything that is there is touched. The folder may be in use meanwhile. Throws INVALID_REQUEST. */
export async function prepareRestore(folder: string, backup: string, options: WorkOptions = {}): Promise<Incoming> {
  assertIsFile(backup)
  const file = `${path.join(folder, databaseFileName)}.restoring-${randomBytes(6).toString('hex')}`
  const remove = () => removePartial(file)
  try {
    return { file, ...(await onScratch(file, options, () => assertBackup(backup, file, options))), remove }
  } catch (error) {
    remove()
    throw error
  }
}

function assertIsFile(backup: string): void {
  const notThere = (cause?: unknown) => new AppError('INVALID_REQUEST', message('store.backupNotThere', { file: backup }), { cause })
  try {
    if (fs.statSync(backup).isFile()) return
  } catch (error) {
    // Also a name that no file can have.
    throw notThere(error)
  }
  throw notThere()
}

/** Gives a prepared copy the name of the data file. Whoever calls it holds the folder. What was there gets the returned name. */
export function putRestored(folder: string, incoming: Pick<Incoming, 'file'>, at: Date): string | null {
  const file = path.join(folder, databaseFileName)
  return onData(() => {
    const kept = fs.existsSync(file) ? setAside(folder, file, at) : null
    putInPlace(incoming.file, file)
    return kept
  })
}

/** The same for a workplace that was closed for it; `undo` brings back what was there. */
export function exchangeData(folder: string, incoming: Pick<Incoming, 'file'>, at: Date): { kept: string | null; undo(): void } {
  const letGo = onData(() => holdFolder(folder))
  try {
    const kept = putRestored(folder, incoming, at)
    return {
      kept,
      undo() {
        if (kept === null) return
        const file = path.join(folder, databaseFileName)
        for (const suffix of ['-wal', '-shm']) fs.rmSync(file + suffix, { force: true })
        for (const [from, to] of [[kept, file], [`${kept}-wal`, `${file}-wal`], [`${kept}.mark`, path.join(folder, markFileName)]] as const) {
          if (fs.existsSync(from)) fs.renameSync(from, to)
        }
      }
    }
  } finally {
    letGo()
  }
}

/** At every moment one of the two files has the name: an empty one would be made where there is none. */
function setAside(folder: string, file: string, at: Date): string {
  const kept = `${file}.before-restore-${at.toISOString().replaceAll(':', '-')}`
  foldWalIn(file)
  // It says how far the file went that is put aside.
  const mark = path.join(folder, markFileName)
  if (fs.existsSync(mark)) fs.renameSync(mark, `${kept}.mark`)
  const wal = `${file}-wal`
  if (fs.existsSync(wal) && fs.statSync(wal).size > 0) fs.renameSync(wal, `${kept}-wal`)
  for (const suffix of ['-wal', '-shm']) fs.rmSync(file + suffix, { force: true })
  try {
    fs.linkSync(file, kept)
  } catch {
    // A file system without a second name for a file.
    fs.renameSync(file, kept)
  }
  return kept
}

/** Otherwise its last entries would stand in a second file. One that is damaged is put aside with both. */
function foldWalIn(file: string): void {
  let sql: Database.Database | undefined
  try {
    sql = new Database(file)
    sql.pragma('wal_checkpoint(truncate)')
  } catch (error) {
    if (!(translateDataError(error) instanceof AppError)) throw error
  } finally {
    sql?.close()
  }
}

/** Every log in it is read; what it says about pictures that are gone is given back and keeps nobody from their jobs. */
async function assertBackup(backup: string, file: string, options: WorkOptions): Promise<Pick<Incoming, 'mark' | 'findings'>> {
  let result
  try {
    result = await inWorker({ task: 'prepare', from: backup, file }, options)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'DATA_UNUSABLE') throw error
    if (error.sentence.id === 'store.diskFull') throw error
    const sentence = error.sentence.id === 'store.newerFile' ? message('store.backupNewer') : message('store.backupNotIntact')
    throw new AppError('INVALID_REQUEST', sentence, { cause: error })
  }
  const found = result.findings.filter(({ id }) => id !== 'store.endLost' && id !== 'store.logGone' && id !== 'store.changedWhileClosed')
  const ofLogs = found.filter(({ id }) => !/^store\.attachment(Changed|Missing)$|^store\.moreFindings$/.test(id))
  if (ofLogs.length > 0) throw new AppError('INVALID_REQUEST', message('store.backupDamaged', { findings: ofLogs.slice(0, 3) }))
  return { mark: result.mark, findings: found }
}
