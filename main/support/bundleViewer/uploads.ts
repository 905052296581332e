import { appendFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { CallOutput, CallParsed } from '../../../preload/contract/index.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'

export interface UploadsOptions {
  makeFolder(): string
  mostBytes: number
  /** Opens the complete file, which is alone in its folder. */
  open(file: string): Promise<void>
}

/** Receives a support bundle from a window in pieces. Only one at a time: a new upload discards an unfinished one. */
export function createUploads({ makeFolder, mostBytes, open }: UploadsOptions) {
  let present: { upload: string; file: string; received: number; totalBytes: number } | undefined

  async function drop(): Promise<void> {
    const left = present
    present = undefined
    if (left) await rm(path.dirname(left.file), { recursive: true, force: true })
  }

  async function begin(upload: string, totalBytes: number) {
    await drop()
    // The file name is fixed: text from a window never becomes part of a path.
    return (present = { upload, file: path.join(makeFolder(), 'given.bundle'), received: 0, totalBytes })
  }

  return {
    async add({ upload, totalBytes, from, base64 }: CallParsed<'cab.add'>): Promise<CallOutput<'cab.add'>> {
      if (totalBytes > mostBytes) throw new AppError('INVALID_REQUEST', message('cab.tooLarge'))
      const one = from === 0 ? await begin(upload, totalBytes) : present
      const piece = Buffer.from(base64, 'base64')
      if (
        one?.upload !== upload ||
        one.received !== from ||
        one.totalBytes !== totalBytes ||
        from + piece.length > totalBytes
      ) {
        await drop()
        throw new AppError('INVALID_REQUEST', message('cab.noSuchUpload'))
      }
      one.received += piece.length
      await appendFile(one.file, piece, { mode: 0o600 })
      if (one.received < totalBytes) return { outcome: 'more' }
      try {
        await open(one.file)
        return { outcome: 'open' }
      } finally {
        if (present === one) present = undefined
      }
    },
    async drop(upload: string): Promise<void> {
      if (present?.upload === upload) await drop()
    }
  }
}
