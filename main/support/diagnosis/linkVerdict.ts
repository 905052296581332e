import type { ChainStep, Finding } from '../../../preload/contract/support/diagnosis.ts'
import { message, plainMessage, type Message } from '../../../preload/contract/messages.ts'
import type { PartVerdict } from '../../device/client/radio/mobileNetwork.ts'
import type { EvidenceView, ReadingOfDevice } from './evidenceView.ts'

/** The result of one link alone; whether the walk reaches it is decided elsewhere. */
export type LinkVerdict = Omit<ChainStep, 'link' | 'state'> & { state: 'ok' | 'broken' | 'unknown' }

/** A finding with its defaults: a warning, without a start time. */
export type Found = Omit<Finding, 'tone' | 'sinceAt'> & Partial<Pick<Finding, 'tone' | 'sinceAt'>>

type Given = Partial<Omit<LinkVerdict, 'state'>> & Pick<LinkVerdict, 'sentence' | 'short'>

const nothingMore = {
  detail: null,
  source: null,
  remedy: null,
  action: null,
  witness: null,
  readAt: null,
  sinceAt: null
} as const

export function okLink(given: Given): LinkVerdict {
  return { ...nothingMore, ...given, state: 'ok' }
}

export function brokenLink(
  given: Given & { remedy: Message; witness: NonNullable<LinkVerdict['witness']> }
): LinkVerdict {
  return { ...nothingMore, ...given, state: 'broken' }
}

/** No witness could answer. It accuses nothing. */
export function unknownLink(
  sentence: Message,
  given: Partial<Omit<LinkVerdict, 'state' | 'sentence'>> = {}
): LinkVerdict {
  return { ...nothingMore, short: message('chain.short.unknown'), ...given, sentence, state: 'unknown' }
}

/** The modem's own judgement as a link; a broken one leads to the network page. */
export function linkOfPart(
  { state, sentence, short, detail, remedy }: PartVerdict,
  by: { witness: 'device'; readAt: string | null }
): LinkVerdict {
  if (state === 'broken' && remedy)
    return brokenLink({
      ...by,
      sentence,
      short: short ?? message('chain.short.none'),
      detail,
      remedy,
      action: { kind: 'openPart', part: 'network' }
    })
  return state === 'ok'
    ? okLink({ ...by, sentence, short: short ?? message('chain.short.works'), detail })
    : unknownLink(sentence, { ...by, ...(short && { short }), detail })
}

export function byDevice({ readAt }: ReadingOfDevice<unknown>): { witness: 'device'; readAt: string | null } {
  return { witness: 'device', readAt }
}

/** What arriving events prove about everything before the gateway; undefined without recent ones. */
export function provedByEvents(
  { heard, isHeardNow }: EvidenceView,
  short: Message = message('chain.short.works')
): LinkVerdict | undefined {
  if (!isHeardNow || heard === null) return undefined
  return okLink({
    sentence: message('chain.eventsProve', { ageS: Math.round(heard.ageS) }),
    short,
    witness: 'gateway',
    readAt: heard.readAt
  })
}

/** A time for the contract; null for an invalid one. */
export function isoAt(ms: number): string | null {
  return ms >= 0 && ms < Date.UTC(9999, 0) ? new Date(ms).toISOString() : null
}

/** The other side's words below the name of a link, shortened because there is little room. */
export function shortWords(text: string): Message {
  return plainMessage(text.length > 16 ? `${text.slice(0, 15)}…` : text)
}
