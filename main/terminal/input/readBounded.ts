import fs from 'node:fs'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'

/** A pipe that has not ended by then is given up. */
const standardLimitS = 10
const againMs = 20
const sleeper = new Int32Array(new SharedArrayBuffer(4))

/**
 * Reads at most `mostBytes` of a named file, which may be an endless pipe, or one without a writer. Throws
 * INVALID_REQUEST.
 */
export function readBounded(file: string, mostBytes: number, withinS = standardLimitS): Buffer {
  try {
    // Opened like this, a pipe never blocks; Windows has no such pipes among its files.
    const handle = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0))
    try {
      return readAll(file, handle, { mostBytes, withinS, isPipe: fs.fstatSync(handle).isFIFO() })
    } finally {
      fs.closeSync(handle)
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('INVALID_REQUEST', message('terminal.fileNotRead', { file }), { cause: error })
  }
}

function readAll(
  file: string,
  handle: number,
  { mostBytes, withinS, isPipe }: { mostBytes: number; withinS: number; isPipe: boolean }
): Buffer {
  const untilMs = performance.now() + withinS * 1000
  const pieces: Buffer[] = []
  const piece = Buffer.alloc(64 * 1024)
  for (let left = mostBytes; left >= 0;) {
    const read = readSome(handle, piece)
    // A pipe without data may have no writer yet.
    if (read === 0 && !(isPipe && pieces.length === 0)) return Buffer.concat(pieces)
    if (read > 0) pieces.push(Buffer.from(piece.subarray(0, read)))
    else Atomics.wait(sleeper, 0, 0, againMs)
    if (performance.now() > untilMs && isPipe)
      throw new AppError('INVALID_REQUEST', message('terminal.fileNotEnded', { file, withinS }))
    left -= Math.max(0, read)
  }
  throw new AppError('INVALID_REQUEST', message('terminal.fileTooLarge', { file, mostBytes }))
}

/** The number of bytes; 0 at the end, -1 while a pipe is empty. */
function readSome(handle: number, piece: Buffer): number {
  try {
    return fs.readSync(handle, piece)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return -1
    throw error
  }
}
