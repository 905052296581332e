import type { DataFile } from '../file/database.ts'
import { isDamage } from '../file/errors.ts'

/**
 * Runs `work`; if SQLite reports damage twice, rebuilds the derived data and runs `work` again. If `work` itself needs
 * damaged data, its failure is the result. One report is not enough: a full-text index also reports damage when the
 * disk could not read a page, and rebuilding it then would remove intact data.
 */
export function runWithMending<T>(data: DataFile, text: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!isDamage(error) || data.isWriting()) throw error
    try {
      return work()
    } catch (again) {
      if (!isDamage(again)) throw again
    }
    try {
      data.makeAgain(text)
    } catch (second) {
      if (isDamage(second)) throw error
      throw second
    }
    return work()
  }
}
