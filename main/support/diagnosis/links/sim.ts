import { message } from '../../../../preload/contract/messages.ts'
import { judgeMobileNetwork } from '../../../device/client/radio/mobileNetwork.ts'
import { byDevice, linkOfPart, provedByEvents, shortWords, unknownLink, type LinkVerdict } from '../linkVerdict.ts'
import { startedSOf, whyMissing, type EvidenceView } from '../evidenceView.ts'
import { lastDigits } from '../../../base/reading/simNumber.ts'

/** The SIM in use is present and ready; otherwise what the gateway can know about it. */
export function judgeSim(sight: EvidenceView): LinkVerdict {
  const { modem } = sight
  if (modem.value === null) return judgeByGateway(sight)
  const { card, sim } = judgeMobileNetwork(modem.value, startedSOf(sight))
  if (sim === null)
    return unknownLink(
      message('chain.sim.unreadable', {
        why: whyMissing(modem, card.kind === 'embedded' ? 'eSIM_STATE' : 'SIM_STATE')
      }),
      byDevice(modem)
    )
  return linkOfPart({ ...sim, short: sim.short ?? shortWords(card.state?.trim() || '-') }, byDevice(modem))
}

function judgeByGateway(sight: EvidenceView): LinkVerdict {
  const proved = provedByEvents(sight)
  if (proved) return proved
  const [id] = sight.gateway?.record?.value?.simIds ?? []
  const by = { witness: id === undefined ? null : ('gateway' as const), readAt: sight.gateway?.record?.readAt ?? null }
  const why = whyMissing(sight.modem, 'SIM_STATE')
  return unknownLink(
    id === undefined
      ? message('chain.sim.unknown', { why })
      : message('chain.sim.onlyDevice', { digits: lastDigits(id, 4) }),
    by
  )
}
