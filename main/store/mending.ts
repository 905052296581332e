import type { DataFile } from './database.ts'
import { isDamage } from './errors.ts'

/**
 * Runs `work`; when SQLite calls the file damaged, what can be made again from the rest is made again, and `work` runs
 * once more. What `work` is about may be damaged itself: then the second failure is the answer.
 */
export function mending<T>(data: DataFile, text: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!isDamage(error) || data.isWriting()) throw error
    try {
      data.makeAgain(text)
    } catch (second) {
      if (isDamage(second)) throw error
      throw second
    }
    return work()
  }
}
