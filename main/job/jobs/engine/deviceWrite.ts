import type { Json } from '../../../../preload/contract/define.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import { plainJson } from '../record/journal.ts'
import type { CheckContext } from './check.ts'

export interface DeviceChange {
  /** As in the API of the device, such as `modem.editApn`. */
  operation: string
  /** Without secrets. */
  input: Json
  what: Message
  answered(status: number): Message
}

/**
 * Sends a change to the device once: the intent is in the log before the first byte, then the answer. After a failure
 * it may have arrived.
 */
export async function sendChange<Reply extends { status: number; raw: unknown }>(
  context: Pick<CheckContext, 'recordWrite'>,
  { operation, input, what, answered }: DeviceChange,
  send: () => Promise<Reply>
): Promise<{ reply: Reply } | { failure: AppError }> {
  context.recordWrite({ operation, input, phase: 'intent', what, raw: null })
  let reply: Reply
  try {
    reply = await send()
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure
    context.recordWrite({ operation, input, phase: 'unknown', what: failure.sentence, raw: null })
    if (failure.code === 'CANCELLED') throw failure
    return { failure }
  }
  context.recordWrite({ operation, input, phase: 'answered', what: answered(reply.status), raw: plainJson(reply.raw) })
  return { reply }
}
