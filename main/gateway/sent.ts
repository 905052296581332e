import { AppError } from '../../preload/contract/errors.ts'

/** `no`: it is proven that the gateway did not get or did not apply the request. `maybe`: nobody knows. */
export type Sent = 'no' | 'maybe'

// Beside the error, not on it: AppError is the shape that crosses every border.
const sentByError = new WeakMap<Error, Sent>()

export function markSent(error: AppError, sent: Sent): AppError {
  sentByError.set(error, sent)
  return error
}

/**
 * Whether a failed request may have been applied. `no` only with proof: refused before sending, no connection made,
 * closed rate window, cancelled in the queue, or an answer that says it was not applied (401, 429).
 */
export function wasSent(error: unknown): Sent {
  return error instanceof Error ? (sentByError.get(error) ?? 'maybe') : 'maybe'
}

/** A refusal of our own: nothing was sent. */
export function refuse(message: string): AppError {
  return markSent(new AppError('INVALID_REQUEST', message), 'no')
}
