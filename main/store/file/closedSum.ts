import fs from 'node:fs'
import { crc32 } from 'node:zlib'

/** What the data file was when it was closed in order. */
export interface ClosedSum {
  sizeBytes: number
  crc32: number
}

/** Reading a larger file would be felt at each start and each end; its seals are looked over by the check of the data. */
const upToBytes = 32 * 1024 * 1024

/** Null for a file that is too large, or that a write-ahead log still belongs to. */
export function sumOf(file: string): ClosedSum | null {
  const log = fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  const sizeBytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (log > 0 || sizeBytes === 0 || sizeBytes > upToBytes) return null
  return { sizeBytes, crc32: crc32(fs.readFileSync(file)) }
}
