import { AppError } from '../../preload/contract/errors.ts'

export interface LastResort {
  /** Brings outputs off first, then writes the fault down. Never rejects. */
  faulted(error: unknown): Promise<void>
  /** Ends the front end in good order. */
  end(): void
}

/**
 * What nobody waited for must not end Fitter in the middle of a step. A failure that is expected (a full disk, a record that
 * cannot be read) and a promise that nobody heard leave the rest as it was: the front end goes on. After an exception that
 * nobody caught, what is in memory can be half done: the front end ends in good order. Gives the function that stops it.
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

/** A reader that went away (a closed pipe, a page that was shut) is no fault of ours either. */
function isExpected(error: unknown): boolean {
  if (error instanceof AppError) return error.code !== 'INTERNAL'
  return error instanceof Error && ['EPIPE', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? '')
}
