import { AppError } from '../../../../preload/contract/errors.ts'
import { message, plainMessage, type Message } from '../../../../preload/contract/messages.ts'

const damaged = message('store.damaged')
const notWritable = message('store.notWritable')
const diskFull = message('store.diskFull')
const diskErrors = message('store.diskErrors')

const sentences: [RegExp, 'DATA_LOCKED' | 'DATA_UNUSABLE', Message][] = [
  // Another Fitter holds the lock of the folder, and is told from there: this is any other program.
  [/^(SQLITE_(BUSY|LOCKED)|EBUSY|ETXTBSY)/, 'DATA_LOCKED', message('store.held')],
  // The shared memory of the file's readers is on its disk: it is the first to run out of space.
  [/^SQLITE_(FULL|IOERR_SHMSIZE)/, 'DATA_UNUSABLE', diskFull],
  [/^SQLITE_(READONLY|PERM|AUTH)/, 'DATA_UNUSABLE', notWritable],
  [/^SQLITE_CANTOPEN/, 'DATA_UNUSABLE', message('store.notOpened')],
  // A missing table, a page with other content, a number too large: this program wrote none of it.
  [
    /^SQLITE_(CORRUPT|NOTADB|ERROR|CONSTRAINT|SCHEMA|FORMAT|MISMATCH|RANGE|TOOBIG|NOMEM|PROTOCOL|INTERNAL)/,
    'DATA_UNUSABLE',
    damaged
  ],
  [/^SQLITE_(IOERR|NOLFS)/, 'DATA_UNUSABLE', diskErrors],
  [/^(EACCES|EPERM|EROFS)/, 'DATA_UNUSABLE', notWritable],
  [/^(ENOSPC|EDQUOT)/, 'DATA_UNUSABLE', diskFull],
  [/^(EIO|ESTALE)/, 'DATA_UNUSABLE', diskErrors],
  [/^(ENOTDIR|EEXIST|ENOENT|EISDIR|ELOOP|ENAMETOOLONG)/, 'DATA_UNUSABLE', message('store.folderNotMade')]
]

/** Runs `work` on the data folder and turns errors of SQLite or the file system into an AppError with a remedy. */
export function onData<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw translateDataError(error)
  }
}

/** An error of SQLite or the file system as an AppError; other errors unchanged. */
export function translateDataError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error && !(error instanceof AppError) ? String(error.code) : ''
  const known = sentences.find(([pattern]) => pattern.test(code))
  if (!known) return error
  return new AppError(known[1], known[2], { cause: error, retryable: known[1] === 'DATA_LOCKED' })
}

/** Whether the file itself is damaged, so that rebuilding derived data can help. */
export function isDamage(error: unknown): boolean {
  return error instanceof AppError && error.code === 'DATA_UNUSABLE' && error.sentence.id === damaged.id
}

/** Whether there was no space, so that nothing was stored. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof AppError && error.code === 'DATA_UNUSABLE' && error.sentence.id === diskFull.id
}

/** Whether the disk itself failed. */
export function isDiskFailure(error: unknown): boolean {
  return error instanceof AppError && error.code === 'DATA_UNUSABLE' && error.sentence.id === diskErrors.id
}

/** For an error of a commit: whether nothing was written that could complete it. For other errors this is unknown. */
export function isCertainlyNotStored(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^SQLITE_(FULL|BUSY|LOCKED|CONSTRAINT)/.test(code)
}

/** The text of a column. A damaged page may contain another type. */
export function readText(stored: unknown): string {
  if (typeof stored !== 'string') throw new AppError('DATA_UNUSABLE', damaged)
  return stored
}

/** A message in a text column, or a text of a person, such as the name of a checklist. */
export function readMessage(text: string): Message {
  return text.startsWith('{"id":') ? readJson<Message>(text) : plainMessage(text)
}

/** The JSON of a column. This program writes only JSON: anything else is damage. */
export function readJson<T>(text: string): T {
  try {
    return JSON.parse(text) as T
  } catch (cause) {
    throw new AppError('DATA_UNUSABLE', damaged, { cause })
  }
}
