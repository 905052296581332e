import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { lookAt, removePartial } from './writeOut.ts'

/** Throws INVALID_REQUEST if the name exists: called before the work that fills the file. */
export function assertIsNew(file: string): void {
  if (lookAt(file)) throw new AppError('INVALID_REQUEST', message('terminal.fileIsThere', { file }))
}

/** Writes a new file, readable only for its owner; it is complete before it gets its name. */
export function writeNew(file: string, content: Uint8Array): void {
  assertIsNew(file)
  const partial = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    fs.mkdirSync(path.dirname(path.resolve(file)), { recursive: true })
    const handle = fs.openSync(partial, 'wx', 0o600)
    try {
      fs.writeFileSync(handle, content)
      fs.fsyncSync(handle)
    } finally {
      fs.closeSync(handle)
    }
    giveName(partial, file)
  } catch (error) {
    removePartial(partial)
    if (error instanceof AppError) throw error
    throw new AppError('INVALID_REQUEST', message('terminal.notWritten', { file }), { cause: error })
  }
}

/** A hard link fails if the name exists in the meantime; on a medium without hard links the name is checked again. */
function giveName(partial: string, file: string): void {
  try {
    fs.linkSync(partial, file)
    fs.rmSync(partial)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new AppError('INVALID_REQUEST', message('terminal.fileIsThere', { file }), { cause: error })
    assertIsNew(file)
    fs.renameSync(partial, file)
  }
}
