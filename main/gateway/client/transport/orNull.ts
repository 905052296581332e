import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'

/** Null for 404: not found, or not permitted; the API does not distinguish them ("Errors"). */
export async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

/** For what is only a help, such as a name or a text: null when it cannot be read. */
export function nullIfUnreadable(error: unknown): null {
  if (error instanceof AppError && error.code !== 'CANCELLED') return null
  throw error
}

/** Null for a part that cannot be read, with its reason among the problems: it must not hide the others. */
export async function orProblem<T>(problems: Message[], part: Message, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CANCELLED' || error.code === 'NOT_AUTHENTICATED') throw error
    problems.push(message('reading.ofPart', { part, problem: error.sentence }))
    return null
  }
}
