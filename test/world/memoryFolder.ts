import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const inMemory = '/dev/shm'
/** Several times what all tests have there at once. */
const roomMb = 1_000

/**
 * The folder for what tests keep for a while: in memory where the system offers enough of it, since thousands of small
 * files that are synced would only wear the disk, and make every test wait for it.
 */
export const memoryFolder = isUsable() ? inMemory : tmpdir()

function isUsable(): boolean {
  if (!existsSync(inMemory) || !existsSync('/proc/mounts')) return false
  const { bavail, bsize } = statfsSync(inMemory)
  const mounted = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === inMemory)
  // Tests start programs that they have written there.
  return bavail * bsize > roomMb * 1024 * 1024 && mounted !== undefined && !mounted.includes('noexec')
}
