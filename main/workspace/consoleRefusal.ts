import { message, type Message } from '../../preload/contract/messages.ts'
import type { Refusal } from './consoleGuard.ts'

/** Why a command is not sent. Where a program of it is the reason, it is named. */
export function refusalSentence({ why, name }: { why: Refusal; name: string }): Message {
  const reason = message(`console.${why}`)
  return name === '' ? reason : message('console.notSent', { name, why: reason })
}
