import type { Message } from '../../../preload/contract/messages.ts'
import { AppError } from '../../../preload/contract/errors.ts'

/** The gateway's own answer; while it is offline, the local copy, if there is one. A refusal stays a refusal. */
export async function whileAway<T, Kept>(
  ask: () => Promise<T>,
  kept: (why: Message) => Promise<Kept | undefined>
): Promise<T | Kept> {
  try {
    return await ask()
  } catch (error) {
    const isAway = error instanceof AppError && error.code !== 'CANCELLED' && error.fate !== 'refused'
    const copied = isAway ? await kept(error.sentence) : undefined
    if (copied === undefined) throw error
    return copied
  }
}
