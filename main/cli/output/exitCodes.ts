import type { AppError, ErrorCode } from '../../../preload/contract/errors.ts'

export const exitCodes = {
  done: 0,
  /** Done, and a check failed or an operation needs attention. */
  attention: 1,
  usage: 2,
  notReachable: 3,
  notPermitted: 4,
  dataFolder: 5,
  bug: 70
} as const

/** The exit code that stands for an error. */
export function exitCodeFor(error: AppError): number {
  // Something of ours that does not exist is a wrong name on the command line, and no question of rights.
  if (error.code === 'NOT_FOUND' && error.status === undefined) return exitCodes.usage
  return exitCodeOf[error.code]
}

const exitCodeOf: Record<ErrorCode, number> = {
  INVALID_REQUEST: exitCodes.usage,
  REFUSED: exitCodes.usage,
  UNREACHABLE: exitCodes.notReachable,
  TIMEOUT: exitCodes.notReachable,
  // Something answers, but not what was meant to: as far as the person is concerned, it was not reached.
  UNREADABLE: exitCodes.notReachable,
  RATE_LIMITED: exitCodes.notReachable,
  SERVER_ERROR: exitCodes.notReachable,
  NOT_AUTHENTICATED: exitCodes.notPermitted,
  NOT_PERMITTED: exitCodes.notPermitted,
  // At the gateway 404 also stands for "not permitted"; the API does not tell them apart.
  NOT_FOUND: exitCodes.notPermitted,
  CONFLICT: exitCodes.attention,
  WRONG_DEVICE: exitCodes.attention,
  INTERLOCK: exitCodes.attention,
  CANCELLED: exitCodes.attention,
  DATA_LOCKED: exitCodes.dataFolder,
  DATA_UNUSABLE: exitCodes.dataFolder,
  INTERNAL: exitCodes.bug
}
