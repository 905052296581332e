import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'

/** The file does not contain this. It is not a failure. */
export function notInBundle(): AppError {
  return new AppError('NOT_FOUND', message('cab.notInBundle'))
}

/** This call would change something, or contact a device, the gateway or the team log. */
export function onlyLookedAt(): AppError {
  return new AppError('NOT_PERMITTED', message('cab.onlyLookedAt'))
}
