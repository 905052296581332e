import { AppError } from '../../../preload/contract/errors.ts'

/** Null for 404: not found, or not permitted; the API does not distinguish them ("Errors"). */
export async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null
    throw error
  }
}
