import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { RemedyAction } from '../../../../preload/contract/support/diagnosis.ts'
import { addressOf, sameApn } from '../../../device/client/facts.ts'
import {
  brokenLink,
  byDevice,
  okLink,
  provedByEvents,
  shortWords,
  unknownLink,
  type LinkVerdict
} from '../linkVerdict.ts'
import { startedSOf, whyMissing, type EvidenceView } from '../evidenceView.ts'

/** The network assigned an address (IP of the modem); otherwise what arriving events prove. */
export function judgeAddress(sight: EvidenceView): LinkVerdict {
  const { modem } = sight
  if (modem.value === null)
    return provedByEvents(sight) ?? unknownLink(message('chain.address.unknown', { why: whyMissing(modem, 'IP') }))
  const by = byDevice(modem)
  const { IP } = modem.value
  if (IP === undefined) return unknownLink(message('chain.address.unreadable', { why: whyMissing(modem, 'IP') }), by)
  const own = addressOf(IP)
  if (own !== undefined)
    return okLink({ ...by, sentence: message('chain.address.has', { ip: own }), short: shortWords(own) })
  if (!isNone(IP)) return unknownLink(message('chain.address.wording', { ip: IP.trim().slice(0, 60) }), by)
  const startedS = startedSOf(sight)
  if (startedS !== null) return unknownLink(message('chain.address.starting', { upS: startedS }), by)
  return brokenLink({
    ...by,
    sentence: message('chain.address.none'),
    short: message('chain.short.none'),
    ...apnRemedy(sight)
  })
}

/** No address: an empty text, an address that no network assigns, or a word for none. */
function isNone(text: string): boolean {
  const bare = text.trim().replaceAll('"', '')
  return (
    bare === '' ||
    /^(none|no|null|nil|undefined|n\/?a|not assigned|no ip|-+|0)$/i.test(bare) ||
    /^[0-9a-f.:/]+$/i.test(bare)
  )
}

/** Without an address, the APN is the most frequent cause: show it and the expected one. */
export function apnRemedy({ configuration, evidence }: EvidenceView): {
  detail: Message | null
  source: Message | null
  remedy: Message
  action: RemedyAction
} {
  const apn = configuration.value?.APN?.trim()
  const { apn: wanted, from } = evidence.expected
  if (wanted !== null && apn !== undefined && !sameApn(apn, wanted)) {
    const detail =
      apn === '' ? message('chain.apn.emptyOrdered', { wanted }) : message('chain.apn.otherOrdered', { apn, wanted })
    return {
      detail,
      source: from,
      remedy: message('chain.apn.set', { apn: wanted }),
      action: { kind: 'setApn', apn: wanted }
    }
  }
  const detail = apn === undefined ? null : apn === '' ? message('chain.apn.isEmpty') : message('chain.apn.is', { apn })
  return {
    detail,
    source: null,
    remedy: message(apn === '' ? 'chain.apn.enter' : 'chain.apn.compare'),
    action: { kind: 'openPart', part: 'network' }
  }
}
