import type { DataFile } from '../file/database.ts'
import { isDamage } from '../file/errors.ts'

/**
 * Runs `work`; when SQLite calls the file damaged twice, what can be made again from the rest is made again, and `work` runs
 * once more. What `work` is about may be damaged itself: then that failure is the answer. Once is not enough: a full-text
 * index calls a page damaged that the disk failed to give it, and what is taken out then was whole.
 */
export function mending<T>(data: DataFile, text: string, work: () => T): T {
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
