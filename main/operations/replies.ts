import type { AppError } from '../../preload/contract/errors.ts'
import type { OperationState } from '../../preload/contract/operations.ts'

/** What the answer to a write means for its operation (docs/operations.md, "Replies"). */
export function readReply(error: AppError): { state: OperationState; reason: string } {
  if (error.status !== undefined && error.status >= 300 && error.status < 400) {
    return { state: 'needsAttention', reason: 'Something between here and the gateway redirected the request. Wrong network?' }
  }
  // Also where the client knows that it is about rights: they may be given, and then it can be sent again.
  if (error.status === 401 || error.code === 'NOT_AUTHENTICATED') {
    return { state: 'needsAttention', reason: `Sign in at the gateway, then send it again. ${error.message}` }
  }
  switch (error.code) {
    case 'RATE_LIMITED':
      return { state: 'pending', reason: 'The gateway limits requests; it will be sent after the reset.' }
    case 'REFUSED':
    case 'NOT_PERMITTED':
    case 'INVALID_REQUEST':
      return { state: 'failed', reason: error.message }
    case 'NOT_FOUND':
      return { state: 'needsAttention', reason: 'The gateway does not show one of the records: not found, or not permitted for this user.' }
    case 'CONFLICT':
      return { state: 'unknown', reason: 'The gateway says that it exists already. Looking whether it is ours.' }
    default:
      return error.fate === 'notSent' || error.fate === 'away'
        ? { state: 'pending', reason: `Not sent: ${error.message}` }
        : { state: 'unknown', reason: `It is not known whether this arrived: ${error.message}` }
  }
}
