import { AppError } from '../../../../preload/contract/errors.ts'
import type { Message } from '../../../../preload/contract/messages.ts'

/** A refusal by Fitter, before anything was sent. */
export function refuseRequest(sentence: Message): AppError {
  return new AppError('INVALID_REQUEST', sentence)
}
