import { AppError } from '../../preload/contract/errors.ts'

export interface LastResort {
  /** Switches outputs off first, then logs the fault. Never rejects. */
  faulted(error: unknown): Promise<void>
  end(): void
}

/**
 * A fault in background work does not end Fitter; after an uncaught exception the state may be inconsistent, so it ends
 * in order.
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
