import type { AppError } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import type { OperationState } from '../../preload/contract/operations.ts'

/** What the answer to a write means for its operation (docs/operations.md, "Replies"). */
export function readReply(error: AppError): { state: OperationState; reason: Message } {
  const why = error.sentence
  if (error.status !== undefined && error.status >= 300 && error.status < 400) return { state: 'needsAttention', reason: message('operations.redirected') }
  // Also where the client knows that it is about rights: they may be given, and then it can be sent again.
  if (error.status === 401 || error.code === 'NOT_AUTHENTICATED') return { state: 'needsAttention', reason: message('operations.signInFirst', { why }) }
  switch (error.code) {
    case 'RATE_LIMITED':
      return { state: 'pending', reason: message('operations.rateLimited') }
    case 'REFUSED':
    case 'NOT_PERMITTED':
    case 'INVALID_REQUEST':
      return { state: 'failed', reason: why }
    case 'NOT_FOUND':
      return { state: 'needsAttention', reason: message('operations.recordNotShown') }
    case 'CONFLICT':
      return { state: 'unknown', reason: message('operations.existsAlready') }
    default:
      return error.fate === 'unknown'
        ? { state: 'unknown', reason: message('operations.arrivalUnknown', { why }) }
        : { state: 'pending', reason: message('operations.notSent', { why }) }
  }
}
