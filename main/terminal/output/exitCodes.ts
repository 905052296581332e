import type { AppError, ErrorCode } from '../../../preload/contract/errors.ts'

export const exitCodes = {
  done: 0,
  /** Done, but a check failed or an operation needs attention. */
  attention: 1,
  usage: 2,
  notReachable: 3,
  notPermitted: 4,
  dataFolder: 5,
  /** Done, but its output reached nobody. */
  outputLost: 6,
  bug: 70
} as const

export function exitCodeFor(error: AppError): number {
  // If something local does not exist, the command line has a wrong name; rights are not involved.
  if (error.code === 'NOT_FOUND' && error.status === undefined) return exitCodes.usage
  return exitCodeOf[error.code]
}

const exitCodeOf: Record<ErrorCode, number> = {
  INVALID_REQUEST: exitCodes.usage,
  REFUSED: exitCodes.usage,
  UNREACHABLE: exitCodes.notReachable,
  TIMEOUT: exitCodes.notReachable,
  // Something else answers: for the person, the target was not reached.
  UNREADABLE: exitCodes.notReachable,
  RATE_LIMITED: exitCodes.notReachable,
  SERVER_ERROR: exitCodes.notReachable,
  NOT_AUTHENTICATED: exitCodes.notPermitted,
  NOT_PERMITTED: exitCodes.notPermitted,
  // At the gateway 404 also means "not permitted"; the API does not distinguish them.
  NOT_FOUND: exitCodes.notPermitted,
  CONFLICT: exitCodes.attention,
  WRONG_DEVICE: exitCodes.attention,
  INTERLOCK: exitCodes.attention,
  CANCELLED: exitCodes.attention,
  DATA_LOCKED: exitCodes.dataFolder,
  DATA_UNUSABLE: exitCodes.dataFolder,
  INTERNAL: exitCodes.bug
}
