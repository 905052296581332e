import type { ModemInformation, Sparse } from '../../../preload/contract/device/deviceAreas.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { hasIp, readRegistration } from '../../device/facts.ts'
import {
  brokenLink,
  byDevice,
  okLink,
  provedByEvents,
  shortWords,
  unknownLink,
  type LinkVerdict
} from '../linkVerdict.ts'
import { whyMissing, type EvidenceView } from '../evidenceView.ts'

export type SimWord = 'ready' | 'absent' | 'pin' | 'puk' | 'blocked' | 'notReady' | 'unknown'

/** SIM_STATE by its meaning: only READY is documented. PIN2 and PUK2 do not stop a SIM, and "no error" is not an error. */
export function readSimState(text: string | undefined): SimWord {
  const words = ` ${(text ?? '').toLowerCase().replace(/[^a-z0-9]+/g, ' ')} `
    .replace(
      / (?:sim )?(?:pin|puk|chv) ?2(?: (?:is|not|permanently|blocked|locked|required|needed|failed|failure|error|invalid|disabled|enabled|verified|ok))*(?= )/g,
      ' '
    )
    .replace(
      / (?:no|without|0|not) (?:errors?|failures?|faults?|failed|faulty|blocked|locked|invalid|rejected|defective)(?= )/g,
      ' '
    )
  if (
    / (absent|removed|missing|no sim|no card|nosim|no sim card|not inserted|not present|not detected|card removed|empty slot) /.test(
      words
    )
  )
    return 'absent'
  if (/ (puk|puk1) /.test(words)) return 'puk'
  if (
    / (blocked|permanently|locked out|perm disabled|invalid|rejected|failure|failed|fail|error|faulty|defective|card io error) /.test(
      words
    )
  )
    return 'blocked'
  if (/ not ready | notready | not provisioned /.test(words)) return 'notReady'
  if (/ (ready|loaded) /.test(words)) return 'ready'
  if (
    / (pin required|enter pin|sim pin|pin needed|pin locked|need pin|pin1|ph sim pin|pin) /.test(words) &&
    !/ (disabled|verified|ok|pin2) /.test(words)
  )
    return 'pin'
  return 'unknown'
}

interface Card {
  state: string | undefined
  id: string | undefined
  isEmbedded: boolean
}

/** The card in use: named by SIM_TYPE; otherwise the one that is ready. */
export function cardOf(modem: Sparse<ModemInformation>): Card {
  const external = { state: modem.SIM_STATE, id: modem.SIM_ID?.trim(), isEmbedded: false }
  const embedded = { state: modem.eSIM_STATE, id: modem.eSIM_ID?.trim(), isEmbedded: true }
  const type = modem.SIM_TYPE?.trim().toUpperCase()
  if (type === 'EMBEDDED') return embedded
  if (type === 'EXTERNAL') return external
  return readSimState(external.state) !== 'ready' && readSimState(embedded.state) === 'ready' ? embedded : external
}

const wrong: Readonly<
  Record<Exclude<SimWord, 'ready' | 'unknown' | 'notReady'>, { sentence: Message; remedy: Message; short: Message }>
> = {
  absent: {
    sentence: message('chain.sim.absent'),
    remedy: message('chain.sim.insert'),
    short: message('chain.short.none')
  },
  pin: {
    sentence: message('chain.sim.pin'),
    remedy: message('chain.sim.removePin'),
    short: message('chain.short.pin')
  },
  puk: { sentence: message('chain.sim.puk'), remedy: message('chain.sim.exchange'), short: message('chain.short.puk') },
  blocked: {
    sentence: message('chain.sim.blocked'),
    remedy: message('chain.sim.exchange'),
    short: message('chain.short.blocked')
  }
}

/** The SIM in use is present and ready; otherwise what the gateway can know about it. */
export function judgeSim(sight: EvidenceView): LinkVerdict {
  const { modem, limits, upS } = sight
  if (modem.value === null) return judgeByGateway(sight)
  const by = byDevice(modem)
  const card = cardOf(modem.value)
  if (card.state === undefined)
    return unknownLink(
      message('chain.sim.unreadable', { why: whyMissing(modem, card.isEmbedded ? 'eSIM_STATE' : 'SIM_STATE') }),
      by
    )
  const word = readSimState(card.state)
  if (word === 'ready')
    return okLink({
      ...by,
      sentence: message('chain.sim.ready', { kind: card.isEmbedded ? 'embedded' : 'external' }),
      short: message('chain.short.ready')
    })
  // A card that is registered with an address works, whatever its state is called.
  const isInNetwork =
    hasIp(modem.value.IP) &&
    ['registered', 'roaming'].includes(readRegistration(modem.value.GSM_REG, modem.value.GPRS_REG))
  const isStarting = word === 'notReady' && upS !== null && upS < limits.networkWithinS
  if (word === 'unknown' || isInNetwork || isStarting) {
    return unknownLink(message('chain.sim.wordUnknown', { state: card.state.trim() || '-' }), {
      ...by,
      short: shortWords(card.state.trim() || '-')
    })
  }
  const said =
    word === 'notReady'
      ? {
          sentence: message('chain.sim.notReady'),
          remedy: message('chain.sim.insert'),
          short: message('chain.short.notReady')
        }
      : wrong[word]
  return brokenLink({
    ...by,
    ...said,
    detail: message('chain.sim.reports', { state: card.state.trim() }),
    action: { kind: 'openPart', part: 'network' }
  })
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
      : message('chain.sim.onlyDevice', { digits: id.slice(-4) }),
    by
  )
}
