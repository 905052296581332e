import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { ulid } from 'ulid'
import { AppError } from '../../../preload/contract/errors.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Value } from '../../../preload/gateway/events/filter.ts'
import { csvFile, csvLines } from '../../../preload/base/messages/csvFile.ts'
import { readFilePart } from '../../base/reading/filePart.ts'

export interface EventFile {
  vehicleId: number
  fromMs: number
  toMs: number
  format: 'csv' | 'json'
  columns: readonly string[]
  n: number
  cell(index: number, column: string): Value
}

const rowsAtOnce = 1_000

/** Event files that a window downloads in pieces; one at a time, removed after the download. */
export function createEventExports(folder: string) {
  let present: { id: string; file: string } | undefined
  let isWriting = false

  async function clear(): Promise<void> {
    present = undefined
    await rm(folder, { recursive: true, force: true })
  }

  async function put({
    vehicleId,
    fromMs,
    toMs,
    format,
    columns,
    n,
    cell
  }: EventFile): Promise<CallOutput<'eventLog.export'>> {
    await clear()
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const id = ulid()
    const own = path.join(folder, id)
    const file = await open(own, 'wx', 0o600)
    try {
      if (format === 'csv') await file.write(csvFile([columns]))
      else await file.write('[')
      for (let first = 0; first < n; first += rowsAtOnce) {
        const rows = Array.from({ length: Math.min(rowsAtOnce, n - first) }, (_, index) =>
          columns.map((column) => cell(first + index, column))
        )
        if (format === 'csv') await file.write(csvLines(rows))
        else
          await file.write(
            rows
              .map(
                (row, index) =>
                  `${first + index > 0 ? ',' : ''}\n${JSON.stringify(Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])))}`
              )
              .join('')
          )
        // The thread also watches outputs, which come first.
        await setImmediate()
      }
      if (format === 'json') await file.write('\n]\n')
      await file.sync()
      present = { id, file: own }
      const days = [fromMs, toMs].map((at) => new Date(at).toISOString().slice(0, 10))
      return {
        id,
        rows: n,
        fileName: `events-${String(vehicleId)}-${days.join('-')}.${format}`,
        mediaType: format === 'csv' ? 'text/csv' : 'application/json',
        bytes: (await file.stat()).size
      }
    } finally {
      await file.close()
    }
  }

  return {
    /** Throws AppError CONFLICT while another is written: it would lose its file. */
    async write(wish: EventFile): Promise<CallOutput<'eventLog.export'>> {
      if (isWriting) throw new AppError('CONFLICT', message('report.exportRuns'))
      isWriting = true
      try {
        return await put(wish)
      } finally {
        isWriting = false
      }
    },
    part(id: string, from: number): Promise<{ base64: string; next: number | null }> {
      if (present?.id !== id) throw new AppError('NOT_FOUND', message('report.noSuchExport'))
      return readFilePart(present.file, from)
    },
    async end(id: string): Promise<void> {
      if (present?.id === id) await clear()
    },
    stop: clear
  }
}
