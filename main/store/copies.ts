import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import { onData } from './errors.ts'
import { databaseFileName, markFileName } from './fileNames.ts'
import { holdFolder } from './folderLock.ts'
import { inWorker, type WorkOptions } from './inWorker.ts'
import { keepForOwner } from './ownerOnly.ts'
import { putInPlace } from './syncToDisk.ts'

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
    await inWorker({ task: 'copy', file, target: partial }, options)
    putInPlace(partial, target)
  } catch (error) {
    if (error instanceof AppError && error.code === 'CANCELLED') throw error
    throw refusal(error)
  } finally {
    removePartial(partial)
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

/**
 * Puts a backup in the place of the data folder's file, after every log in it was checked; the present file is kept
 * beside it under the returned name.
 */
export async function restoreData(folder: string, backup: string, at: Date, options: WorkOptions = {}): Promise<{ kept: string | null }> {
  const isFile = onData(() => fs.statSync(backup, { throwIfNoEntry: false })?.isFile())
  if (!isFile) throw new AppError('INVALID_REQUEST', message('store.backupNotThere', { file: backup }))
  onData(() => keepForOwner(folder))
  const letGo = onData(() => holdFolder(folder))
  const file = path.join(folder, databaseFileName)
  const incoming = `${file}.restoring-${randomBytes(6).toString('hex')}`
  try {
    onData(() => {
      fs.copyFileSync(backup, incoming, fs.constants.COPYFILE_EXCL)
      fs.chmodSync(incoming, 0o600)
    })
    await assertBackup(incoming, options)
    return onData(() => {
      const kept = fs.existsSync(file) ? setAside(folder, file, at) : null
      putInPlace(incoming, file)
      return { kept }
    })
  } finally {
    removePartial(incoming)
    letGo()
  }
}

function setAside(folder: string, file: string, at: Date): string {
  const kept = `${file}.before-restore-${at.toISOString().replaceAll(':', '-')}`
  fs.renameSync(file, kept)
  for (const suffix of ['-wal', '-shm']) {
    if (fs.existsSync(file + suffix)) fs.renameSync(file + suffix, kept + suffix)
  }
  // It says how far the file went that was put aside.
  const mark = path.join(folder, markFileName)
  if (fs.existsSync(mark)) fs.renameSync(mark, `${kept}.mark`)
  return kept
}

/** Brings the copy up to this version and reads every log in it, before anything that is there is touched. */
async function assertBackup(file: string, options: WorkOptions): Promise<void> {
  let result
  try {
    result = await inWorker({ task: 'prepare', file }, options)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'DATA_UNUSABLE') throw error
    const sentence = error.sentence.id === 'store.newerFile' ? message('store.backupNewer') : message('store.backupNotIntact')
    throw new AppError('INVALID_REQUEST', sentence, { cause: error })
  }
  const found = result.findings.filter(({ id }) => id !== 'store.endLost' && id !== 'store.logGone')
  if (found.length > 0) throw new AppError('INVALID_REQUEST', message('store.backupDamaged', { findings: found.slice(0, 3) }))
}
