import { AppError } from '../../../preload/contract/errors.ts'

/** The log could not be written or read. */
export function isAboutData(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'DATA_UNUSABLE' || error.code === 'DATA_LOCKED')
}

/**
 * Writes, and where the data file cannot be written now, writes again when it can: another program may hold it for a
 * while. Throws what prevented the write where nobody waits for the disk, or when the wait ends without it.
 */
export async function untilStored<T>(
  write: () => T,
  usable: () => Promise<void> | undefined,
  waits: (failure: AppError) => void = () => undefined
): Promise<T> {
  for (;;) {
    try {
      return write()
    } catch (error) {
      const soon = isAboutData(error) ? usable() : undefined
      if (!soon || !isAboutData(error)) throw error
      waits(error)
      await soon.catch(() => {
        throw error
      })
    }
  }
}
