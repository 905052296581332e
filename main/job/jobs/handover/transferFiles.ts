import { appendFile, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { CallOutput, CallParsed } from '../../../../preload/contract/index.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { readFilePart } from '../../../base/reading/filePart.ts'
import { limits } from './fileForm.ts'
import type { Transfers } from './transfers.ts'

/** Handover files that a window sends or receives in pieces; each can be created again after it was removed. */
export type TransferFiles = ReturnType<typeof createTransferFiles>

export function createTransferFiles({ folder, transfers }: { folder: string; transfers: Transfers }) {
  const made = new Map<string, string>()
  const uploads = new Map<string, { file: string; received: number; totalBytes: number }>()
  let n = 0

  /** The file name is fixed: text from a window never becomes part of a path. */
  function nextName(): string {
    n += 1
    return path.join(folder, `${process.pid}-${n}`)
  }

  async function forget(id: string): Promise<void> {
    const file = made.get(id) ?? uploads.get(id)?.file
    made.delete(id)
    uploads.delete(id)
    if (file !== undefined) await rm(file, { force: true })
  }

  async function begin(upload: string, totalBytes: number) {
    // Only one at a time: a new upload discards an unfinished one.
    for (const other of uploads.keys()) await forget(other)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const begun = { file: nextName(), received: 0, totalBytes }
    uploads.set(upload, begun)
    return begun
  }

  function whole(upload: string): string {
    const found = uploads.get(upload)
    if (!found || found.received !== found.totalBytes)
      throw new AppError('INVALID_REQUEST', message('transfer.noSuchUpload'))
    return found.file
  }

  return {
    async give(
      { jobIds, to }: CallParsed<'transfers.give'>,
      signal: AbortSignal
    ): Promise<CallOutput<'transfers.give'>> {
      for (const other of made.keys()) await forget(other)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const { file, ...given } = await transfers.give({ jobIds, to, file: nextName() }, signal)
      made.set(given.id, file)
      return { ...given, fileName: `fitter-${given.id}.handover` }
    },
    async part(id: string, from: number): Promise<CallOutput<'transfers.part'>> {
      const file = made.get(id)
      if (file === undefined) throw new AppError('NOT_FOUND', message('transfer.noSuchUpload'))
      return readFilePart(file, from)
    },
    end: forget,
    async add({ upload, totalBytes, from, base64 }: CallParsed<'transfers.add'>): Promise<CallOutput<'transfers.add'>> {
      if (totalBytes > limits.fileBytes) throw new AppError('INVALID_REQUEST', message('transfer.tooLarge'))
      const present = from === 0 ? await begin(upload, totalBytes) : uploads.get(upload)
      const piece = Buffer.from(base64, 'base64')
      if (
        !present ||
        present.received !== from ||
        present.totalBytes !== totalBytes ||
        from + piece.length > totalBytes
      ) {
        await forget(upload)
        throw new AppError('INVALID_REQUEST', message('transfer.noSuchUpload'))
      }
      await appendFile(present.file, piece, { mode: 0o600 })
      present.received += piece.length
      if (present.received < totalBytes) return { outcome: 'more' }
      try {
        return { outcome: 'whole', holds: await transfers.look(present.file) }
      } catch (error) {
        await forget(upload)
        throw error
      }
    },
    async take(upload: string): Promise<CallOutput<'transfers.take'>> {
      const result = await transfers.take(whole(upload))
      await forget(upload)
      return result
    },
    async stop(): Promise<void> {
      await rm(folder, { recursive: true, force: true })
    }
  }
}
