import { message, type MessageId } from '../../../preload/contract/messages.ts'
import { formatSeconds } from '../../base/format.ts'
import { say } from '../../base/say.ts'
import { saveFile } from '../../base/saveFile.ts'
import { call } from '../../base/bridge.ts'

/** What a listed exercise says: the customer's words and what is practised; `why` only when it is over. */
export function sayExercise(id: string, part: 'title' | 'about' | 'report' | 'why'): string {
  return say(message(`exercises.${id}.${part}` as Extract<MessageId, `exercises.${string}`>))
}

export function sayMinutes(minutes: number): string {
  return formatSeconds(minutes * 60)
}

/** Saves the print-out: of one result, or of everybody's. */
export async function printResults(at?: string): Promise<void> {
  const { fileName, mediaType, base64 } = await call('training.print', at === undefined ? {} : { at })
  saveFile(fileName, mediaType, base64)
}
