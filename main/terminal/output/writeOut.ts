import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'

/**
 * Writes a requested file, complete before it gets its name. Anything but an ordinary file is not replaced: that would
 * remove it.
 */
export function writeOut(file: string, content: Uint8Array): void {
  const present = lookAt(file)
  if (present && !present.isFile()) throw new AppError('INVALID_REQUEST', message('terminal.notAFile', { file }))
  // A name that nobody can have prepared as a link to somewhere else.
  const partial = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    fs.mkdirSync(path.dirname(path.resolve(file)), { recursive: true })
    fs.writeFileSync(partial, content, { flag: 'wx' })
    fs.renameSync(partial, file)
  } catch (error) {
    removePartial(partial)
    throw new AppError('INVALID_REQUEST', message('terminal.notWritten', { file }), { cause: error })
  }
}

/** What exists under a name; undefined for nothing. Throws INVALID_REQUEST for a name that no file can have. */
export function lookAt(file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false })
  } catch (error) {
    throw new AppError('INVALID_REQUEST', message('terminal.notWritten', { file }), { cause: error })
  }
}

/** If it could not be created, there is nothing to remove. */
export function removePartial(partial: string): void {
  if (fs.existsSync(partial)) fs.rmSync(partial, { force: true })
}
