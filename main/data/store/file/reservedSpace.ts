import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { ballastFileName } from './fileNames.ts'

/**
 * Reserved space for a full disk: a file that is deleted then, so that a person can finish started work. It contains no
 * data.
 */
export type ReservedSpace = ReturnType<typeof openReservedSpace>

const mostBytes = 4 * 1024 * 1024
const stepBytes = 64 * 1024
/** Never more than this share of the free space. */
const share = 8
/** Reserved again only when this many times its size is free, so that it does not switch back and forth. */
const timesFree = 3

/** Never throws: a folder without this reserve works like any other. */
export function openReservedSpace(folder: string) {
  const file = path.join(folder, ballastFileName)
  let givenUpBytes = 0
  let isGivenUp = false

  function bytesToTake(): number {
    const { bavail, bsize } = fs.statfsSync(folder)
    const freeBytes = bavail * bsize
    if (givenUpBytes > 0) return freeBytes < givenUpBytes * timesFree ? 0 : givenUpBytes
    return Math.min(mostBytes, Math.floor(freeBytes / share / stepBytes) * stepBytes)
  }

  return {
    /** Frees the space. False when there was none. */
    giveUp(): boolean {
      try {
        givenUpBytes = fs.statSync(file).size
        fs.rmSync(file)
        isGivenUp = true
        return givenUpBytes > 0
      } catch {
        return false
      }
    },
    /** Reserves the space if the disk has plenty. Returns whether it is reserved now. */
    take(): boolean {
      try {
        const bytes = bytesToTake()
        if (!fs.existsSync(file) && (bytes === 0 || !fill(file, bytes))) return false
        isGivenUp = false
        return true
      } catch {
        return false
      }
    },
    /** Whether it was freed and not reserved again. */
    isGivenUp: (): boolean => isGivenUp
  }
}

/** Bytes that no file system can compress. */
function fill(file: string, bytes: number): boolean {
  try {
    const part = randomBytes(stepBytes)
    const handle = fs.openSync(file, 'wx', 0o600)
    try {
      for (let written = 0; written < bytes; written += part.length) writeWhole(handle, part)
    } finally {
      fs.closeSync(handle)
    }
    return true
  } catch (error) {
    fs.rmSync(file, { force: true })
    throw error
  }
}

function writeWhole(handle: number, part: Buffer): void {
  for (let at = 0; at < part.length;) at += fs.writeSync(handle, part, at)
}
