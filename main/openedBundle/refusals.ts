import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'

/** What the file does not hold. It is no failure of anything. */
export function notInBundle(): AppError {
  return new AppError('NOT_FOUND', message('cab.notInBundle'))
}

/** What would change something, or ask somebody. */
export function onlyLookedAt(): AppError {
  return new AppError('NOT_PERMITTED', message('cab.onlyLookedAt'))
}
