import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

// In memory where the system offers it: hundreds of small files that are synced would only wear the disk.
const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** A folder of this test alone; gone when the test is over. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(base, 'fitter-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
