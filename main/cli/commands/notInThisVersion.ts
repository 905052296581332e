import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { Command } from '../command.ts'

/** A command that is documented and that this version does not have: it says so and names what there is instead. */
export function notInThisVersion(name: string, instead: Message): Command {
  return () => Promise.reject(new AppError('INVALID_REQUEST', message('terminal.notInThisVersion', { name, instead })))
}
