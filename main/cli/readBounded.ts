import fs from 'node:fs'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'

/** Reads a file that somebody named, and no more of it than `mostBytes`: it may be a pipe without end. Throws INVALID_REQUEST. */
export function readBounded(file: string, mostBytes: number): Buffer {
  try {
    const handle = fs.openSync(file, 'r')
    try {
      return readAll(handle, mostBytes)
    } finally {
      fs.closeSync(handle)
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('INVALID_REQUEST', message('terminal.fileNotRead', { file }), { cause: error })
  }
}

function readAll(handle: number, mostBytes: number): Buffer {
  const pieces: Buffer[] = []
  for (let left = mostBytes + 1; left > 0; ) {
    const piece = Buffer.alloc(Math.min(left, 64 * 1024))
    const read = fs.readSync(handle, piece)
    if (read === 0) return Buffer.concat(pieces)
    pieces.push(piece.subarray(0, read))
    left -= read
  }
  throw new AppError('INVALID_REQUEST', message('templates.file.tooLarge', { mostBytes }))
}
