import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { ballastFileName } from './fileNames.ts'

/**
 * Room that is kept for the moment in which the disk is full: a file that is given up then, so that what a person has
 * begun can still be finished. It holds nothing.
 */
export interface Ballast {
  /** Frees the room. False when there was none. */
  giveUp(): boolean
  /** Takes the room, when the disk has so much that nobody misses it. Whether it is there now. */
  take(): boolean
  /** Whether it was given up and not taken again. */
  isGivenUp(): boolean
}

const mostBytes = 4 * 1024 * 1024
const stepBytes = 64 * 1024
/** It is never more than this share of what is free. */
const share = 8
/** Taken again only when so many times its size is free: it must not go to and fro. */
const timesFree = 3

/** Never throws: a folder without this room works like any other. */
export function openBallast(folder: string): Ballast {
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
    giveUp() {
      try {
        givenUpBytes = fs.statSync(file).size
        fs.rmSync(file)
        isGivenUp = true
        return givenUpBytes > 0
      } catch {
        return false
      }
    },
    take() {
      try {
        const bytes = bytesToTake()
        if (!fs.existsSync(file) && (bytes === 0 || !fill(file, bytes))) return false
        isGivenUp = false
        return true
      } catch {
        return false
      }
    },
    isGivenUp: () => isGivenUp
  }
}

/** Bytes that no file system can make smaller. */
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
  for (let at = 0; at < part.length; ) at += fs.writeSync(handle, part, at)
}
