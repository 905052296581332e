import fs from 'node:fs'
import { crc32 } from 'node:zlib'

export interface ClosedSum {
  sizeBytes: number
  crc32: number
}

/** Reading a larger file would delay each start and end noticeably; the data check verifies its seals. */
const upToBytes = 32 * 1024 * 1024

/** Null for a file that is too large, or that still has a write-ahead log. */
export function sumOf(file: string): ClosedSum | null {
  const log = fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  const sizeBytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (log > 0 || sizeBytes === 0 || sizeBytes > upToBytes) return null
  return { sizeBytes, crc32: crc32(fs.readFileSync(file)) }
}
