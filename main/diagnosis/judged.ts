import type { ChainStep } from '../../preload/contract/diagnosis.ts'
import { message, plainMessage, type Message } from '../../preload/contract/messages.ts'
import type { Sight, Told } from './sight.ts'

/** What a link comes to, looked at by itself; whether the walk gets as far is not its business. */
export type Judged = Omit<ChainStep, 'link' | 'state'> & { state: 'ok' | 'broken' | 'unknown' }

type Given = Partial<Omit<Judged, 'state'>> & Pick<Judged, 'sentence' | 'short'>

const nothingMore = { detail: null, source: null, remedy: null, action: null, witness: null, readAt: null } as const

export function ok(given: Given): Judged {
  return { ...nothingMore, ...given, state: 'ok' }
}

/** A broken link always says what to do. */
export function broken(given: Given & { remedy: Message; witness: NonNullable<Judged['witness']> }): Judged {
  return { ...nothingMore, ...given, state: 'broken' }
}

/** Nobody could say. It accuses nothing. */
export function unknown(sentence: Message, given: Partial<Omit<Judged, 'state' | 'sentence'>> = {}): Judged {
  return { ...nothingMore, short: message('chain.short.unknown'), ...given, sentence, state: 'unknown' }
}

export function byDevice({ readAt }: Told<unknown>): { witness: 'device'; readAt: string | null } {
  return { witness: 'device', readAt }
}

/** What events that arrive prove of everything before the gateway; undefined where none did lately. */
export function provedByEvents({ heard, isHeardNow }: Sight, short: Message = message('chain.short.works')): Judged | undefined {
  if (!isHeardNow || heard === null) return undefined
  return ok({ sentence: message('chain.eventsProve', { ageS: Math.round(heard.ageS) }), short, witness: 'gateway', readAt: heard.readAt })
}

/** Words of the other side under the name of a link: there is little room. */
export function shortWords(text: string): Message {
  return plainMessage(text.length > 16 ? `${text.slice(0, 15)}…` : text)
}
