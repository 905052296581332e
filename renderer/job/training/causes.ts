import type { ExerciseArea } from '../../../preload/contract/app/exercises.ts'
import { message, type MessageId } from '../../../preload/contract/messages.ts'
import { say } from '../../base/say.ts'

export const areas = [
  'supply',
  'radio',
  'records',
  'lines',
  'wire',
  'accessories'
] as const satisfies readonly ExerciseArea[]

/** The actual fault in a fault story. */
export function sayCause(cause: string): string {
  return say(message(`stories.${cause}` as Extract<MessageId, `stories.${string}`>))
}
