import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { putInPlace } from '../../../data/store/file/syncToDisk.ts'
import { endLine, limits } from './fileForm.ts'

/** A complete file on the disk under a temporary name, not valid yet: its last line is blank. */
export interface WrittenFile {
  sha256: string
  sizeBytes: number
  finish(): Promise<void>
  /** Removes the file, unless it was renamed. */
  drop(): Promise<void>
}

const blockBytes = 1 << 20

/**
 * Writes lines to a file beside `target`, readable only by its owner. INVALID_REQUEST for a name of anything but a
 * file.
 */
export async function writeFile(target: string, lines: Iterable<string>, signal: AbortSignal): Promise<WrittenFile> {
  const full = path.resolve(target)
  const partial = `${full}.${randomBytes(6).toString('hex')}.part`
  const notWritten = (cause?: unknown) =>
    new AppError('INVALID_REQUEST', message('transfer.notWritten', { file: target }), { cause })
  /** Errors of the file system; any other error is a fault in Fitter. */
  const refusal = (cause: unknown) =>
    cause instanceof Error && 'code' in cause && !(cause instanceof AppError) ? notWritten(cause) : cause
  let handle: fs.FileHandle | undefined
  try {
    const present = await fs
      .lstat(full)
      .catch((error: unknown) => (isMissing(error) ? undefined : Promise.reject(error as Error)))
    if (present && !present.isFile()) throw notWritten()
    await fs.mkdir(path.dirname(full), { recursive: true })
    handle = await fs.open(partial, 'wx', 0o600)
    const written = await writeLines(handle, lines, signal)
    const end = endLine(written)
    // Reserves the space now, so that a full disk cannot prevent the last line.
    await handle.write(`${' '.repeat(end.length - 1)}\n`)
    await handle.sync()
    const file = handle
    return {
      sha256: written.sha256,
      sizeBytes: written.bytes + end.length,
      async finish() {
        try {
          await file.write(end, written.bytes)
          await file.sync()
          await file.close()
          putInPlace(partial, full)
        } catch (error) {
          throw refusal(error)
        }
      },
      async drop() {
        // The file may already be closed or renamed.
        await file.close().catch(() => undefined)
        await fs.rm(partial, { force: true })
      }
    }
  } catch (error) {
    await handle?.close()
    await fs.rm(partial, { force: true }).catch(() => undefined)
    throw refusal(error)
  }
}

async function writeLines(
  handle: fs.FileHandle,
  lines: Iterable<string>,
  signal: AbortSignal
): Promise<{ lines: number; bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let block: Buffer[] = []
  let inBlock = 0
  let bytes = 0
  let n = 0
  const flush = async (): Promise<void> => {
    await handle.writeFile(Buffer.concat(block))
    block = []
    inBlock = 0
    // Yields, because code that watches an output must run first.
    await setImmediate()
    if (signal.aborted) throw new AppError('CANCELLED', message('transfer.stopped'))
  }
  for (const line of lines) {
    const text = Buffer.from(line, 'utf8')
    if (text.length > limits.lineBytes) throw new AppError('INVALID_REQUEST', message('transfer.tooLarge'))
    hash.update(text)
    block.push(text)
    inBlock += text.length
    bytes += text.length
    n += 1
    if (bytes > limits.fileBytes) throw new AppError('INVALID_REQUEST', message('transfer.tooLarge'))
    if (inBlock >= blockBytes) await flush()
  }
  await flush()
  return { lines: n, bytes, sha256: hash.digest('hex') }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
