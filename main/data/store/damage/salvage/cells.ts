import type { PageFile } from './pages.ts'
import { decodeUtf8 } from '../../../../../preload/base/messages/utf8.ts'

/** The value of a column as SQLite stores it. */
export type Value = null | number | bigint | string | Buffer

export interface Row {
  /** For a table with row numbers; undefined when the first columns are the key. */
  rowid: bigint | undefined
  values: Value[]
}

/** table: rows by number. index: rows by their first columns, also of tables without row numbers. */
export type PageKind = 'tableLeaf' | 'tableBranch' | 'indexLeaf' | 'indexBranch'

const kinds: ReadonlyMap<number, PageKind> = new Map([
  [13, 'tableLeaf'],
  [5, 'tableBranch'],
  [10, 'indexLeaf'],
  [2, 'indexBranch']
])

export interface ReadPage {
  kind: PageKind
  rows: Row[]
  /** Pages below a branch. */
  children: number[]
  /** Invalid cells: this many rows (or branches) are lost. */
  unreadable: number
}

/** Reads one page of a tree; undefined when it is not one. `used` is called with every overflow page. */
export function readPage(
  file: PageFile,
  number: number,
  used: (page: number) => void = () => undefined
): ReadPage | undefined {
  const page = file.keptPage(number)
  if (!page) return undefined
  const head = number === 1 ? 100 : 0
  const kind = kinds.get(page.readUInt8(head))
  if (!kind) return undefined
  const isBranch = kind === 'tableBranch' || kind === 'indexBranch'
  const cells = page.readUInt16BE(head + 3)
  const first = head + (isBranch ? 12 : 8)
  if (first + cells * 2 > page.length) return undefined
  const read: ReadPage = { kind, rows: [], children: [], unreadable: 0 }
  for (let index = 0; index < cells; index++) {
    try {
      readCell(page.readUInt16BE(first + index * 2))
    } catch (error) {
      if (!(error instanceof NotReadable) && !(error instanceof RangeError)) throw error
      read.unreadable += 1
    }
  }
  if (isBranch) read.children.push(page.readUInt32BE(head + 8))
  return read

  function readCell(offset: number): void {
    const bytes = page as Buffer
    if (offset < first + cells * 2 || offset >= bytes.length) throw new NotReadable()
    let at = offset
    if (isBranch) {
      read.children.push(bytes.readUInt32BE(at))
      at += 4
    }
    if (kind === 'tableBranch') return
    const size = readVarint(bytes, at)
    at = size.end
    let rowid: bigint | undefined
    if (kind === 'tableLeaf') {
      const key = readVarint(bytes, at)
      rowid = BigInt.asIntN(64, BigInt(key.value))
      at = key.end
    }
    const payload = gather(bytes, at, toLength(size.value), kind === 'tableLeaf')
    read.rows.push({ rowid, values: readRecord(payload) })
  }

  /** A row that does not fit on its page continues on others, each of which names the next. */
  function gather(bytes: Buffer, at: number, length: number, isTable: boolean): Buffer {
    // None of our files reserves space at the end of a page.
    const usable = file.pageBytes
    const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23
    if (length <= most) {
      if (at + length > bytes.length) throw new NotReadable()
      return bytes.subarray(at, at + length)
    }
    const least = Math.floor(((usable - 12) * 32) / 255) - 23
    const fitting = least + ((length - least) % (usable - 4))
    const local = fitting <= most ? fitting : least
    if (at + local + 4 > bytes.length || length > file.pages * usable) throw new NotReadable()
    const parts = [bytes.subarray(at, at + local)]
    let next = bytes.readUInt32BE(at + local)
    const seen = new Set<number>()
    for (let left = length - local; left > 0; left -= usable - 4) {
      if (next === 0 || seen.has(next)) throw new NotReadable()
      seen.add(next)
      used(next)
      const more = file.keptPage(next)
      if (!more) throw new NotReadable()
      parts.push(more.subarray(4, 4 + Math.min(left, usable - 4)))
      next = more.readUInt32BE(0)
    }
    if (next !== 0) throw new NotReadable()
    return Buffer.concat(parts)
  }
}

/** Bytes that are not a row. */
class NotReadable extends Error {
  override readonly name = 'NotReadable'
}

const longest = 1_000_000_000

function toLength(value: bigint | number): number {
  if (value < 0 || value > longest) throw new NotReadable()
  return Number(value)
}

function readVarint(bytes: Buffer, at: number): { value: bigint | number; end: number } {
  const one = bytes.readUInt8(at)
  if (one < 0x80) return { value: one, end: at + 1 }
  const two = bytes.readUInt8(at + 1)
  if (two < 0x80) return { value: ((one & 0x7f) << 7) | two, end: at + 2 }
  let value = 0n
  for (let index = 0; index < 8; index++) {
    const byte = bytes.readUInt8(at + index)
    value = (value << 7n) | BigInt(byte & 0x7f)
    if ((byte & 0x80) === 0) return { value, end: at + index + 1 }
  }
  return { value: (value << 8n) | BigInt(bytes.readUInt8(at + 8)), end: at + 9 }
}

function readRecord(payload: Buffer): Value[] {
  const head = readVarint(payload, 0)
  const headEnd = toLength(head.value)
  if (headEnd > payload.length) throw new NotReadable()
  const types: number[] = []
  for (let at = head.end; at < headEnd;) {
    const { value, end } = readVarint(payload, at)
    types.push(toLength(value))
    at = end
  }
  let at = headEnd
  const values = types.map((type) => {
    const { value, length } = readValue(payload, at, type)
    at += length
    return value
  })
  if (at > payload.length) throw new NotReadable()
  return values
}

const integerBytes = [0, 1, 2, 3, 4, 6, 8]

function readValue(payload: Buffer, at: number, type: number): { value: Value; length: number } {
  if (type === 0) return { value: null, length: 0 }
  if (type === 8 || type === 9) return { value: type - 8, length: 0 }
  const bytes = integerBytes[type]
  if (bytes !== undefined) {
    if (bytes === 8) return { value: payload.readBigInt64BE(at), length: 8 }
    return { value: payload.readIntBE(at, bytes), length: bytes }
  }
  if (type === 7) return { value: payload.readDoubleBE(at), length: 8 }
  if (type < 12) throw new NotReadable()
  const length = Math.floor((type - 12) / 2)
  if (at + length > payload.length) throw new NotReadable()
  const part = payload.subarray(at, at + length)
  if (type % 2 === 0) return { value: Buffer.from(part), length }
  const value = decodeUtf8(part)
  if (value === undefined) throw new NotReadable()
  return { value, length }
}
