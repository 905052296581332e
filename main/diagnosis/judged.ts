import type { ChainStep, Finding } from '../../preload/contract/diagnosis.ts'
import { message, plainMessage, type Message } from '../../preload/contract/messages.ts'
import type { Sight, Told } from './sight.ts'

/** What a link comes to, looked at by itself; whether the walk gets as far is not its business. */
export type Judged = Omit<ChainStep, 'link' | 'state'> & { state: 'ok' | 'broken' | 'unknown' }

/** A finding as it is made: amber, and without a beginning, where it does not say more. */
export type Found = Omit<Finding, 'tone' | 'sinceAt'> & Partial<Pick<Finding, 'tone' | 'sinceAt'>>

type Given = Partial<Omit<Judged, 'state'>> & Pick<Judged, 'sentence' | 'short'>

const nothingMore = { detail: null, source: null, remedy: null, action: null, witness: null, readAt: null, sinceAt: null } as const

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

/** A time for the contract; null for one that no clock shows. */
export function isoAt(ms: number): string | null {
  return ms >= 0 && ms < Date.UTC(9999, 0) ? new Date(ms).toISOString() : null
}

/** Words of the other side under the name of a link: there is little room. */
export function shortWords(text: string): Message {
  return plainMessage(text.length > 16 ? `${text.slice(0, 15)}…` : text)
}
