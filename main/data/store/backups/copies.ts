import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { CopyMark } from './copyMark.ts'
import type { MadeGeneration } from './copyWork.ts'
import { onData, translateDataError } from '../file/errors.ts'
import { databaseFileName, markFileName } from '../file/fileNames.ts'
import { holdFolder } from '../file/folderLock.ts'
import { generationName } from './generations.ts'
import { inWorker, type WorkOptions } from '../file/inWorker.ts'
import { keepForOwner } from '../file/ownerOnly.ts'
import { putInPlace } from '../file/syncToDisk.ts'
import { carryOutputs } from '../work/carriedOutputs.ts'

/** Writes a consistent copy of the data file to `out`, complete and on the disk before it gets that name. */
export async function backupData(file: string, out: string, options: WorkOptions = {}): Promise<void> {
  const target = path.resolve(out)
  if (isSameFile(target, file)) throw new AppError('INVALID_REQUEST', message('store.backupOverData'))
  const refusal = (cause?: unknown) =>
    new AppError('INVALID_REQUEST', message('store.backupNotWritten', { file: out }), { cause })
  const partial = `${target}.${randomBytes(6).toString('hex')}.part`
  try {
    const present = fs.lstatSync(target, { throwIfNoEntry: false })
    // Renaming would replace a pipe, a device, a link or a folder.
    if (present && !present.isFile()) throw new Error(`${target} is no file`)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    // A new file with a name where nobody can have placed a link.
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

/** The name of a copy until it is complete. */
const partialForm = /^fitter-.*\.[0-9a-f]{12}\.part$/

/** Makes a backup in a separate thread and removes the one it replaces; on another disk `withPictures`. */
export async function keepGeneration(
  file: string,
  { folder, at, withPictures }: { folder: string; at: Date; withPictures: boolean },
  options: WorkOptions = {}
): Promise<MadeGeneration> {
  const partial = path.join(folder, `${generationName(at)}.${randomBytes(6).toString('hex')}.part`)
  try {
    if (!withPictures) onData(() => fs.mkdirSync(folder, { recursive: true, mode: 0o700 }))
    const wish = { file, folder, partial, at: at.toISOString(), withPictures }
    return await onScratch(partial, options, () => inWorker({ task: 'generation', ...wish }, options))
  } finally {
    // Also one that an earlier process left behind.
    if (fs.existsSync(folder))
      for (const name of fs.readdirSync(folder))
        if (partialForm.test(name.replace(/-(wal|shm|journal)$/, '')))
          fs.rmSync(path.join(folder, name), { force: true })
  }
}

function removePartial(name: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    // A path below something other than a folder has nothing to remove.
    if (fs.existsSync(name + suffix)) fs.rmSync(name + suffix)
  }
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => (fs.existsSync(name) ? fs.statSync(name) : undefined))
  return (
    path.resolve(one) === path.resolve(other) ||
    (a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev)
  )
}

export interface Restored {
  kept: string | null
  /** Missing pictures that the copy names; everything else of their jobs is there. */
  findings: Message[]
  /** What may be on, of both files. */
  outputs: PutInPlace['outputs']
}

/** Replaces the data file with a checked backup; the present file is kept beside it under the returned name. */
export async function restoreData(
  folder: string,
  backup: string,
  at: Date,
  options: WorkOptions = {}
): Promise<Restored> {
  onData(() => keepForOwner(folder))
  const release = onData(() => holdFolder(folder))
  let incoming: Incoming | undefined
  try {
    incoming = await prepareRestore(folder, backup, options)
    return { ...putRestored(folder, incoming, at), findings: incoming.findings }
  } finally {
    incoming?.remove()
    release()
  }
}

/** A file of ours that a thread uses, truncated to stop the work: only then SQLite stops at once. */
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

/** A prepared copy in the data folder, migrated to this version and checked, with its pictures in place. */
export interface Incoming {
  file: string
  mark: CopyMark
  findings: Message[]
  /** Removes it; does nothing after it was put in place. */
  remove(): void
}

/** Checks a copy before it changes anything. The folder may be in use in the meantime. Throws INVALID_REQUEST. */
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
  const notThere = (cause?: unknown) =>
    new AppError('INVALID_REQUEST', message('store.backupNotThere', { file: backup }), { cause })
  try {
    if (fs.statSync(backup).isFile()) return
  } catch (error) {
    // Also for a name that no file can have.
    throw notThere(error)
  }
  throw notThere()
}

interface PutInPlace {
  /** The previous file. */
  kept: string | null
  outputs: ReturnType<typeof carryOutputs>
}

/**
 * Renames a prepared copy to the data file, with what the previous one knows about outputs. The caller holds the
 * folder.
 */
export function putRestored(folder: string, incoming: Pick<Incoming, 'file'>, at: Date): PutInPlace {
  const file = path.join(folder, databaseFileName)
  return onData(() => {
    const outputs = carryOutputs(folder, incoming.file)
    const kept = fs.existsSync(file) ? setAside(folder, file, at) : null
    putInPlace(incoming.file, file)
    return { kept, outputs }
  })
}

/** The same for a workplace that was closed for it; `undo` restores the previous file. */
export function exchangeData(
  folder: string,
  incoming: Pick<Incoming, 'file'>,
  at: Date
): { kept: string | null; undo(): void } {
  const release = onData(() => holdFolder(folder))
  try {
    const { kept } = putRestored(folder, incoming, at)
    return {
      kept,
      undo() {
        if (kept === null) return
        const file = path.join(folder, databaseFileName)
        for (const suffix of ['-wal', '-shm']) fs.rmSync(file + suffix, { force: true })
        for (const [from, to] of [
          [kept, file],
          [`${kept}-wal`, `${file}-wal`],
          [`${kept}.mark`, path.join(folder, markFileName)]
        ] as const) {
          if (fs.existsSync(from)) fs.renameSync(from, to)
        }
      }
    }
  } finally {
    release()
  }
}

/** One of the two files has the name at every moment: if none did, a new empty one would be created. */
function setAside(folder: string, file: string, at: Date): string {
  const kept = `${file}.before-restore-${at.toISOString().replaceAll(':', '-')}`
  foldWalIn(file)
  // It describes the file that is set aside.
  const mark = path.join(folder, markFileName)
  if (fs.existsSync(mark)) fs.renameSync(mark, `${kept}.mark`)
  const wal = `${file}-wal`
  if (fs.existsSync(wal) && fs.statSync(wal).size > 0) fs.renameSync(wal, `${kept}-wal`)
  for (const suffix of ['-wal', '-shm']) fs.rmSync(file + suffix, { force: true })
  try {
    fs.linkSync(file, kept)
  } catch {
    // A file system without hard links.
    fs.renameSync(file, kept)
  }
  return kept
}

/** Otherwise its last entries would be in a second file. A damaged one is set aside together with that file. */
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

/** Every log in it is read; missing pictures are returned and block no job. */
async function assertBackup(
  backup: string,
  file: string,
  options: WorkOptions
): Promise<Pick<Incoming, 'mark' | 'findings'>> {
  let result
  try {
    result = await inWorker({ task: 'prepare', from: backup, file }, options)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'DATA_UNUSABLE') throw error
    if (error.sentence.id === 'store.diskFull') throw error
    const sentence =
      error.sentence.id === 'store.newerFile' ? message('store.backupNewer') : message('store.backupNotIntact')
    throw new AppError('INVALID_REQUEST', sentence, { cause: error })
  }
  const found = result.findings.filter(
    ({ id }) => id !== 'store.endLost' && id !== 'store.logGone' && id !== 'store.changedWhileClosed'
  )
  const ofLogs = found.filter(({ id }) => !/^store\.attachment(Changed|Missing)$|^store\.moreFindings$/.test(id))
  if (ofLogs.length > 0)
    throw new AppError('INVALID_REQUEST', message('store.backupDamaged', { findings: ofLogs.slice(0, 3) }))
  return { mark: result.mark, findings: found }
}
