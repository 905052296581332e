import { AppError } from '../../preload/contract/errors.ts'

export interface LastResort {
  /** Switches outputs off first, then logs the fault. Never rejects. */
  faulted(error: unknown): Promise<void>
  /** Ends the front end in order. */
  end(): void
}

/**
 * A fault in background work must not end Fitter in the middle of a step. An expected failure (a full disk, an unreadable
 * record) and an unhandled rejection leave the rest intact: the front end continues. After an uncaught exception the state
 * in memory may be inconsistent: the front end ends in order. Returns the function that stops it.
 */
export function catchFaults({ faulted, end }: LastResort): () => void {
  const onRejection = (error: unknown): void => void faulted(error)
  const onException = (error: unknown): void => void faulted(error).then(() => (isExpected(error) ? undefined : end()))
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  return () => {
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtException', onException)
  }
}

/** A reader that disappeared (a closed pipe, a closed page) is not a bug either. */
function isExpected(error: unknown): boolean {
  if (error instanceof AppError) return error.code !== 'INTERNAL'
  return error instanceof Error && ['EPIPE', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? '')
}
