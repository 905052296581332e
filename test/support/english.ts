import { createTexts } from '../../main/messages/texts.ts'
import type { Message } from '../../preload/contract/messages.ts'

const texts = createTexts({ language: 'en', units: 'metric', timeZone: 'UTC' })

/** What a message says in English, in metric units and UTC. */
export function english(message: Message): string {
  return texts.say(message)
}
