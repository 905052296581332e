import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'

/** A wrong command line: exit code 2, with the right usage. */
export function usageError(problem: Message): AppError {
  return new AppError('INVALID_REQUEST', message('terminal.usage', { problem }))
}
