import { message, type Message } from '../../../preload/contract/messages.ts'
import { hasIp, readRegistration, readSignal } from '../../device/facts.ts'
import { brokenLink, byDevice, okLink, provedByEvents, unknownLink, type LinkVerdict } from '../linkVerdict.ts'
import { whyMissing, type EvidenceView } from '../evidenceView.ts'

const nothingFound: Readonly<
  Record<'searching' | 'denied' | 'notRegistered', { sentence: Message; remedy: Message; short: Message }>
> = {
  searching: {
    sentence: message('chain.registration.searching'),
    remedy: message('network.noneFound'),
    short: message('network.registrationSearching')
  },
  denied: {
    sentence: message('chain.registration.denied'),
    remedy: message('network.simRefused'),
    short: message('network.registrationDenied')
  },
  notRegistered: {
    sentence: message('chain.registration.notRegistered'),
    remedy: message('chain.registration.antennaOrSim'),
    short: message('chain.short.none')
  }
}

/** The modem is registered in a mobile network (GSM_REG, GPRS_REG); otherwise what arriving events prove. */
export function judgeRegistration(sight: EvidenceView): LinkVerdict {
  const { modem, limits, upS } = sight
  if (modem.value === null) return judgeByGateway(sight)
  const by = byDevice(modem)
  const { GSM_REG, GPRS_REG, RSSI, RAT, OPERATOR, IP } = modem.value
  if (GSM_REG === undefined && GPRS_REG === undefined)
    return unknownLink(message('chain.registration.unreadable', { why: whyMissing(modem, 'GSM_REG') }), by)
  const registration = readRegistration(GSM_REG, GPRS_REG)
  const signalDbm = readSignal(RSSI)?.dBm
  const detail = signalDbm === undefined ? null : message('chain.registration.signal', { signalDbm })
  switch (registration) {
    case 'registered':
    case 'roaming':
      return okLink({
        ...by,
        sentence: message('chain.registration.in', {
          network: [OPERATOR?.trim(), RAT?.trim()].filter(Boolean).join(' ') || '-',
          isRoaming: registration === 'roaming' ? 'yes' : 'no'
        }),
        short: shortOf(RAT, signalDbm),
        detail
      })
    case 'unknown':
      return unknownLink(message('chain.registration.wording', { gsm: GSM_REG ?? '', gprs: GPRS_REG ?? '' }), {
        ...by,
        detail
      })
    default:
      // Between two cells, or right after the start, it searches for a moment.
      if (registration !== 'denied' && hasIp(IP))
        return unknownLink(message('chain.registration.hasAddress'), { ...by, detail })
      if (registration !== 'denied' && upS !== null && upS < limits.networkWithinS)
        return unknownLink(message('chain.registration.starting', { upS: Math.round(upS) }), { ...by, detail })
      return brokenLink({ ...by, ...nothingFound[registration], detail, action: { kind: 'openPart', part: 'network' } })
  }
}

function shortOf(rat: string | undefined, signalDbm: number | undefined): Message {
  const name = rat?.trim().slice(0, 6) ?? ''
  if (signalDbm === undefined)
    return name === '' ? message('chain.short.registered') : message('chain.short.network', { rat: name })
  return name === ''
    ? message('network.signalOf', { signalDbm })
    : message('chain.short.networkSignal', { rat: name, signalDbm })
}

function judgeByGateway(sight: EvidenceView): LinkVerdict {
  const signalDbm = sight.events.find((event) => event.signalDbm !== null)?.signalDbm ?? undefined
  const proved = provedByEvents(sight, signalDbm === undefined ? undefined : message('network.signalOf', { signalDbm }))
  return proved ?? unknownLink(message('chain.registration.unknown', { why: whyMissing(sight.modem, 'GSM_REG') }))
}
