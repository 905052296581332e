import { asMessage, type Message } from '../../preload/contract/messages.ts'

/** A message as a text column holds it. Words of before, and words that are not ours, stay the text that they are. */
export function keepMessage(message: Message | string): string {
  return typeof message === 'string' ? message : JSON.stringify({ id: message.id, values: message.values })
}

/** What such a column says. */
export function readKeptMessage(stored: string): Message {
  if (!stored.startsWith('{"id":')) return asMessage(stored)
  try {
    return JSON.parse(stored) as Message
  } catch {
    // A person's words may begin in the same way.
    return asMessage(stored)
  }
}
