import { inflateRawSync } from 'node:zlib'
import { readSheet } from 'read-excel-file/universal'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type MessageId } from '../../../preload/contract/messages.ts'
import { writeTypedNumber } from '../../../preload/base/messages/typedNumber.ts'

/** A workbook of Excel 2007 and later (.xlsx) is an archive. */
export function isWorkbook(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])
}

/** A workbook of Excel 97 to 2003 (.xls): a compound file. */
export function isOldWorkbook(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])
}

/** The sheet of 20,000 orders has 6 MB. */
const mostUnpackedBytes = 16 * 1024 * 1024
const mostEntries = 500
const endBytes = 22
const entryBytes = 46

/**
 * The rows of the first sheet as texts. Throws INVALID_REQUEST for any other file, and for one that unpacks to too
 * much.
 */
export async function readWorkbook(bytes: Uint8Array): Promise<string[][]> {
  checkSize(bytes)
  try {
    const rows = await readSheet(new Blob([Uint8Array.from(bytes)]), { trim: false })
    return rows.map((row) => row.map(asText))
  } catch (error) {
    throw refusal('reading.notWorkbook', error)
  }
}

/** In the form that the reader of tables reads in one way only. */
function asText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date)
    return cell
      .toISOString()
      .replace('T', ' ')
      .replace(/:\d{2}\.\d{3}Z$/, '')
      .replace(/ 00:00$/, '')
  return typeof cell === 'number' ? writeTypedNumber(cell) : String(cell as string | boolean)
}

/**
 * Before the library unpacks it: what each part really contains must be what the directory says, and together not too
 * much.
 */
function checkSize(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
    const n = file.readUInt16LE(end + 10)
    if (end < 0 || end + endBytes > file.length || n > mostEntries) throw refusal('reading.notWorkbook')
    let left = mostUnpackedBytes
    for (let at = file.readUInt32LE(end + 16), index = 0; index < n; index += 1) {
      const [method, packed, size, from] = [
        file.readUInt16LE(at + 10),
        file.readUInt32LE(at + 20),
        file.readUInt32LE(at + 24),
        file.readUInt32LE(at + 42)
      ]
      left -= size
      if (left < 0) throw refusal('reading.workbookTooLarge')
      const dataAt = from + 30 + file.readUInt16LE(from + 26) + file.readUInt16LE(from + 28)
      const data = file.subarray(dataAt, dataAt + packed)
      if (method === 8 && inflateRawSync(data, { maxOutputLength: Math.max(1, size) }).length !== size)
        throw refusal('reading.notWorkbook')
      at += entryBytes + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
    }
  } catch (error) {
    throw error instanceof AppError ? error : refusal('reading.notWorkbook', error)
  }
}

function refusal(
  id: Extract<MessageId, 'reading.notWorkbook' | 'reading.workbookTooLarge'>,
  cause?: unknown
): AppError {
  return new AppError('INVALID_REQUEST', message(id), cause === undefined ? {} : { cause })
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte)
}
