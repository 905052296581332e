import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '../../preload/contract/errors.ts'

/** Writes a file that was asked for; it is complete before it takes its name. */
export function writeOut(file: string, content: Uint8Array): void {
  const partial = `${file}.part`
  try {
    fs.mkdirSync(path.dirname(path.resolve(file)), { recursive: true })
    fs.writeFileSync(partial, content)
    fs.renameSync(partial, file)
  } catch (error) {
    if (fs.existsSync(partial)) fs.rmSync(partial)
    throw new AppError('INVALID_REQUEST', `${file} cannot be written. Choose another place, or make room.`, { cause: error })
  }
}
