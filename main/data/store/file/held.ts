import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { tryTo } from './tryTo.ts'

/** How long opening the data file, and a write, wait for another program that uses it. */
export const waitForOthersMs = 5_000
/** While an output may be on, and while the file is known to be held: the thread has to answer. */
export const briefWaitMs = 250
/** For the watch that asks again and again. */
export const lookWaitMs = 20

/** Programs by what they do, for a person who has to find out what to close. */
const kinds: readonly (readonly [kind: string, names: RegExp])[] = [
  [
    'scanner',
    /^(clam|freshclam|msmpeng|sophos|savd|mdatp|wdavdaemon|falcon-|crowdstrike|sentinel|eset|esets|avast|avg|bdservice|kesl|kav|mcafee|symantec|nis)/i
  ],
  [
    'backup',
    /^(rsync|restic|borg|duplicity|duplicati|deja-dup|timeshift|kopia|rdiff-backup|bacula|bareos|urbackup|veeam|acronis|tar|cp|dd|backintime|backupd|robocopy)/i
  ],
  ['browser', /^(sqlite|db ?browser|dbeaver|datagrip|beekeeper|litecli|navicat|tableplus|libreoffice|soffice)/i],
  [
    'sync',
    /^(dropbox|nextcloud|owncloud|onedrive|syncthing|insync|seafile|megasync|pcloud|icloud|bird|google-drive|rclone)/i
  ]
]

/** Whether this failure means that another program, which is no Fitter, holds the data file: it may succeed later. */
export function isHeld(error: unknown): error is AppError {
  return error instanceof AppError && (error.sentence.id === 'store.held' || error.sentence.id === 'store.heldBy')
}

/**
 * The same for a file that Windows shares with nobody while a scanner or a backup reads it: the code is that of a
 * missing right.
 */
export function isPerhapsHeld(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  if (isHeld(error)) return true
  const cause = error instanceof AppError ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return (
    platform === 'win32' && /^(EPERM|EACCES|SQLITE_CANTOPEN|SQLITE_IOERR_(LOCK|READ|WRITE|ACCESS|DELETE))/.test(code)
  )
}

/** The same failure with the program that holds this file, as far as the system tells; any other failure unchanged. */
export function nameHolder(error: unknown, file: string): unknown {
  if (!isHeld(error) || error.sentence.id === 'store.heldBy') return error
  const program = findHolder(file)
  if (program === undefined) return error
  return new AppError('DATA_LOCKED', message('store.heldBy', { program, kind: kindOf(program) }), {
    cause: error.cause,
    retryable: true
  })
}

export function kindOf(program: string): string {
  return kinds.find(([, names]) => names.test(program))?.[0] ?? 'other'
}

/**
 * The name of a program that has a lock on the file, otherwise of one that has it open. Linux shows both; other systems
 * only to an administrator.
 */
function findHolder(file: string): string | undefined {
  if (process.platform !== 'linux') return undefined
  const files = ['', '-wal', '-shm'].flatMap((suffix) => fs.statSync(file + suffix, { throwIfNoEntry: false }) ?? [])
  const locking = lockingProcesses(new Set(files.map(({ ino }) => ino)))
  const found =
    locking.length > 0 ? locking : openingProcesses(new Set(['', '-wal', '-shm'].map((suffix) => file + suffix)))
  return found.flatMap((id) => programOf(id) ?? [])[0]
}

/** `1: POSIX  ADVISORY  WRITE 1234 08:02:131 120 120`: the process, and the file as device and number. */
function lockingProcesses(inodes: ReadonlySet<number>): number[] {
  const ids = readText('/proc/locks')
    .split('\n')
    .flatMap((line) => {
      const [, id, inode] = /\b(?:WRITE|READ)\s+(\d+)\s+[0-9a-f]+:[0-9a-f]+:(\d+)\s/i.exec(line) ?? []
      return id !== undefined && inodes.has(Number(inode)) && Number(id) !== process.pid ? [Number(id)] : []
    })
  return [...new Set(ids)]
}

function openingProcesses(files: ReadonlySet<string>): number[] {
  const real = new Set([...files].map((file) => tryTo(() => fs.realpathSync(file)) ?? file))
  return (tryTo(() => fs.readdirSync('/proc')) ?? [])
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((id) => {
      const open = tryTo(() => fs.readdirSync(`/proc/${id}/fd`)) ?? []
      return open.some((handle) => real.has(tryTo(() => fs.readlinkSync(`/proc/${id}/fd/${handle}`)) ?? ''))
        ? [Number(id)]
        : []
    })
}

/** As it was called, without its folder and its parameters, which may be private. */
function programOf(id: number): string | undefined {
  const [called = ''] = readText(`/proc/${id}/cmdline`).split('\0')
  const name = path.basename(called) || readText(`/proc/${id}/comm`).trim()
  return name === '' ? undefined : name.slice(0, 40)
}

function readText(file: string): string {
  return tryTo(() => fs.readFileSync(file, 'utf8')) ?? ''
}
