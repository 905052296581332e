import type { GivenOperation } from '../../operations/given.ts'

/** Whether work is as it was when the file was written. */
export function isUnchanged(before: readonly GivenOperation[], after: readonly GivenOperation[]): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}
