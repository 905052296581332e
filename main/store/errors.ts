import { AppError } from '../../preload/contract/errors.ts'

const damaged = 'The job log is damaged. Keep a copy of the data folder, then bring a backup back with "fitter data restore".'

const sentences: [RegExp, 'DATA_LOCKED' | 'DATA_UNUSABLE', string][] = [
  [/^SQLITE_(BUSY|LOCKED)/, 'DATA_LOCKED', 'Another Fitter uses this data folder. Close it, or choose another folder with --data.'],
  [/^SQLITE_FULL/, 'DATA_UNUSABLE', 'The disk with the data folder is full. Make room; nothing that was confirmed is lost.'],
  [/^SQLITE_READONLY/, 'DATA_UNUSABLE', 'The data folder cannot be written to. Allow writing, or choose another folder with --data.'],
  [/^SQLITE_CANTOPEN/, 'DATA_UNUSABLE', 'The data folder cannot be opened. Check that it exists and may be written to, or choose another with --data.'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'DATA_UNUSABLE', damaged],
  [/^SQLITE_IOERR/, 'DATA_UNUSABLE', 'The disk with the data folder reports errors. Check the disk, or choose another folder with --data.'],
  [/^(EACCES|EPERM|EROFS)/, 'DATA_UNUSABLE', 'The data folder cannot be written to. Allow writing, or choose another folder with --data.'],
  [/^(ENOSPC|EDQUOT)/, 'DATA_UNUSABLE', 'The disk with the data folder is full. Make room; nothing that was confirmed is lost.'],
  [/^(ENOTDIR|EEXIST|ENOENT|EISDIR)/, 'DATA_UNUSABLE', 'The data folder cannot be made there. Choose another folder with --data.']
]

/** Runs `work` on the data folder and turns what SQLite or the file system says into an AppError with a remedy. */
export function onData<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw translateDataError(error)
  }
}

function translateDataError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = sentences.find(([pattern]) => pattern.test(code))
  if (!known) return error
  return new AppError(known[1], known[2], { cause: error, retryable: known[1] === 'DATA_LOCKED' })
}

/** JSON of a column. What this program wrote is JSON: anything else is damage. */
export function readJson<T>(text: string): T {
  try {
    return JSON.parse(text) as T
  } catch (cause) {
    throw new AppError('DATA_UNUSABLE', damaged, { cause })
  }
}
