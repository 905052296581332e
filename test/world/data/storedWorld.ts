import { makeWorld } from '../gateway/operationWorld.ts'
import { openTestStore } from './storedJobs.ts'
import { tempFolder } from '../tempFolder.ts'

/** For work that nobody stops. */
export const never = new AbortController().signal

/** A world over the real table in a file. */
export function makeStoredWorld(options: Parameters<typeof makeWorld>[0]) {
  const rows = openTestStore(tempFolder()).operations
  return { rows, world: makeWorld({ ...options, rows }) }
}
