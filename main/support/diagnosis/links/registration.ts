import { message, type Message } from '../../../../preload/contract/messages.ts'
import { judgeMobileNetwork, type SignalVerdict } from '../../../device/client/radio/mobileNetwork.ts'
import { byDevice, linkOfPart, provedByEvents, unknownLink, type LinkVerdict } from '../linkVerdict.ts'
import { startedSOf, whyMissing, type EvidenceView } from '../evidenceView.ts'

/** The modem is registered in a mobile network (GSM_REG, GPRS_REG); otherwise what arriving events prove. */
export function judgeRegistration(sight: EvidenceView): LinkVerdict {
  const { modem } = sight
  if (modem.value === null) return judgeByGateway(sight)
  const { registration, signal } = judgeMobileNetwork(modem.value, startedSOf(sight))
  if (registration === null)
    return unknownLink(message('chain.registration.unreadable', { why: whyMissing(modem, 'GSM_REG') }), byDevice(modem))
  const short = registration.state === 'ok' ? shortOf(modem.value.RAT, signal) : registration.short
  return linkOfPart({ ...registration, short, detail: detailOf(signal) }, byDevice(modem))
}

function detailOf(signal: SignalVerdict): Message | null {
  if (signal.kind === 'unreadable') return null
  return signal.kind === 'notKnown'
    ? signal.sentence
    : message('chain.registration.signal', { signalDbm: signal.reading.dBm })
}

function shortOf(rat: string | undefined, signal: SignalVerdict): Message {
  const name = rat?.trim().slice(0, 6) ?? ''
  if (signal.kind !== 'read')
    return name === '' ? message('chain.short.registered') : message('chain.short.network', { rat: name })
  const { dBm: signalDbm } = signal.reading
  return name === ''
    ? message('network.signalOf', { signalDbm })
    : message('chain.short.networkSignal', { rat: name, signalDbm })
}

function judgeByGateway(sight: EvidenceView): LinkVerdict {
  const signalDbm = sight.events.find((event) => event.signalDbm !== null)?.signalDbm ?? undefined
  const proved = provedByEvents(sight, signalDbm === undefined ? undefined : message('network.signalOf', { signalDbm }))
  return proved ?? unknownLink(message('chain.registration.unknown', { why: whyMissing(sight.modem, 'GSM_REG') }))
}
