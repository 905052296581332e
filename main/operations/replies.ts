import type { AppError } from '../../preload/contract/errors.ts'
import type { OperationState } from '../../preload/contract/operations.ts'

/** Whether a failed request can have reached the gateway. */
export type Sent = 'no' | 'maybe'

/** What the answer to a write means for its operation (operations.md, "Replies"). */
export function readReply(error: AppError, sent: Sent): { state: OperationState; reason: string } {
  if (error.status !== undefined && error.status >= 300 && error.status < 400) {
    return { state: 'needsAttention', reason: 'Something between here and the gateway redirected the request. Wrong network?' }
  }
  switch (error.code) {
    case 'RATE_LIMITED':
      return { state: 'pending', reason: 'The gateway limits requests; it will be sent after the reset.' }
    case 'REFUSED':
    case 'NOT_PERMITTED':
      return { state: 'failed', reason: error.message }
    case 'NOT_AUTHENTICATED':
      return { state: 'needsAttention', reason: `Sign in at the gateway, then send it again. ${error.message}` }
    case 'NOT_FOUND':
      return { state: 'needsAttention', reason: 'The gateway does not show one of the records: not found, or not permitted for this user.' }
    case 'INVALID_REQUEST':
      return { state: 'failed', reason: error.message }
    case 'CONFLICT':
      return { state: 'unknown', reason: 'The gateway says that it exists already. Looking whether it is ours.' }
    default:
      return sent === 'no'
        ? { state: 'pending', reason: `Not sent: ${error.message}` }
        : { state: 'unknown', reason: `It is not known whether this arrived: ${error.message}` }
  }
}
