import { message, type Message } from '../../../preload/contract/messages.ts'
import type { Refusal } from '../../device/client/console/consoleGuard.ts'

/** The reason why a command is not sent. If one of its programs is the reason, the program is named. */
export function refusalSentence({ why, name }: { why: Refusal; name: string }): Message {
  const reason = message(`console.${why}`)
  return name === '' ? reason : message('console.notSent', { name, why: reason })
}
