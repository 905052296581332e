import { message } from '../../../preload/contract/messages.ts'
import { broken, byDevice, ok, provedByEvents, shortWords, unknown, type Judged } from '../judged.ts'
import { whyMissing, type Sight } from '../sight.ts'
import { apnRemedy, sameApn } from './address.ts'

/** The APN is set, and the ordered one. One through which events arrive is right, whatever it is called. */
export function judgeApn(sight: Sight): Judged {
  const { configuration, evidence, isHeardNow } = sight
  const apn = configuration.value?.APN?.trim()
  if (configuration.value === null) return provedByEvents(sight) ?? unknown(message('chain.apn.unknown', { why: whyMissing(configuration, 'APN') }))
  const by = byDevice(configuration)
  if (apn === undefined) return unknown(message('chain.apn.unreadable', { why: whyMissing(configuration, 'APN') }), by)
  if (isHeardNow) return ok({ ...by, sentence: message('chain.apn.delivers', { apn: apn === '' ? '-' : apn }), short: apn === '' ? message('chain.short.works') : shortWords(apn) })
  const { apn: wanted } = evidence.expected
  if (apn === '') return broken({ ...by, sentence: message('chain.apn.empty'), short: message('chain.short.none'), ...apnRemedy(sight) })
  if (wanted !== null && !sameApn(apn, wanted)) return broken({ ...by, sentence: message('chain.apn.differs'), short: shortWords(apn), ...apnRemedy(sight) })
  return ok({ ...by, sentence: message('chain.apn.isSet', { apn }), short: shortWords(apn) })
}
