import { AppError } from '../../preload/contract/errors.ts'

/** A refusal of our own, before anything was sent. */
export function refuse(message: string): AppError {
  return new AppError('INVALID_REQUEST', message)
}
