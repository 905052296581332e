import { message, nameMessage, type Message } from '../../../../preload/contract/messages.ts'
import type { ModemInformation, Reading } from '../../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { isOnNetwork, type Registration } from '../../../device/client/facts.ts'
import { judgeMobileNetwork, type MobileNetwork, type PartVerdict } from '../../../device/client/radio/mobileNetwork.ts'
import {
  fail,
  missingField,
  pass,
  unreadable,
  warn,
  withFigure,
  type CheckContext,
  type Outcome,
  type MessageOrText
} from '../engine/check.ts'
import { createPeakHold, makeMeter } from '../engine/meters.ts'
import { deviceLost } from '../engine/silence.ts'

const settleMs = 20_000

interface Seen {
  modem: MobileNetwork
  registered: Message
  dBm: number | undefined
  network: string
  seen: Message
  /** A required field is missing or has another type. */
  problem: MessageOrText | undefined
}

/** Registered on a mobile network, with an address and enough signal. */
export async function checkNetwork(context: CheckContext): Promise<Outcome> {
  const { signalPassDbm, signalWarnDbm, giveUpS } = context.profile.network
  const settlesInMs = Math.min(settleMs, giveUpS * 500)
  const thresholds = { signalPassDbm, signalWarnDbm }
  const peak = createPeakHold(context.monotonicMs)
  let noted = ''
  let usableSinceMs: number | undefined
  let problemSinceMs: number | undefined
  let last: Seen | undefined
  let failure: AppError | undefined

  for (;;) {
    const nowMs = context.elapsedMs()
    try {
      const reading = await context.device.modem.information({ signal: context.signal })
      failure = undefined
      last = look(reading)
      peak.see(last.dBm)
      if (nameMessage(last.seen) !== noted) {
        const { GSM_REG, GPRS_REG, RSSI, IP, RAT, OPERATOR, SIM_TYPE, SIM_STATE, eSIM_STATE } = reading.value
        context.saw({
          witness: 'device',
          what: last.seen,
          raw: { GSM_REG, GPRS_REG, RSSI, IP, RAT, OPERATOR, SIM_TYPE, SIM_STATE, eSIM_STATE },
          thresholds
        })
        noted = nameMessage(last.seen)
      }
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
      failure = error
    }
    if (last && !failure) {
      if (last.problem) problemSinceMs ??= nowMs
      else problemSinceMs = undefined
      if (problemSinceMs !== undefined && nowMs - problemSinceMs >= settlesInMs) break
      const { registered, signal } = last.modem
      const isUp = !last.problem && isInNetwork(last.modem)
      if (isUp && last.dBm !== undefined && last.dBm >= signalPassDbm && isOnNetwork(registered)) {
        return withFigure(
          message('meters.signal', { signalDbm: last.dBm }),
          pass(message('network.good', { network: last.network || message('network.network'), signalDbm: last.dBm }), [
            'device'
          ])
        )
      }
      if (isUp && (signal.kind === 'notKnown' || (last.dBm !== undefined && last.dBm >= signalWarnDbm))) {
        usableSinceMs ??= nowMs
        if (nowMs - usableSinceMs > settlesInMs) return usable(last)
      } else usableSinceMs = undefined
      context.show({
        say: message('network.waiting'),
        hint: last.problem ?? hintFor(last),
        meters: [
          makeMeter(message('network.registered'), isOnNetwork(registered) ? message('meters.yes') : last.registered, {
            tone: isOnNetwork(registered) ? 'pass' : 'live'
          }),
          makeMeter(
            message('network.signal'),
            last.dBm === undefined ? undefined : message('meters.signal', { signalDbm: last.dBm }),
            {
              target: message('meters.atLeastSignal', { signalDbm: signalPassDbm }),
              tone: last.dBm !== undefined && last.dBm >= signalPassDbm ? 'pass' : 'live',
              ...peak.best((signalDbm) => message('meters.signal', { signalDbm }))
            }
          ),
          makeMeter(
            message('network.address'),
            last.modem.hasAddress ? message('meters.present') : message('meters.none'),
            { tone: last.modem.hasAddress ? 'pass' : 'live' }
          )
        ],
        leftMs: giveUpS * 1000 - context.elapsedMs()
      })
    }
    const lost = deviceLost(context)
    if (lost) return lost
    if (context.elapsedMs() > giveUpS * 1000) break
    await context.pause(2_000)
  }
  if (failure || !last)
    return unreadable(
      message('network.notTold', { why: failure?.sentence ?? message('network.noAnswer') }),
      message('jobs.runAgainWhenAnswering')
    )
  if (last.problem)
    return unreadable(message('network.unreadable', { why: last.problem }), message('jobs.lookAtRawAnswer'))
  if (isInNetwork(last.modem)) {
    if (last.dBm === undefined) return unreadable(message('network.signalUnreadable'), message('network.lookAtModem'))
    return fail(message('network.tooWeak', { signalDbm: last.dBm }), message('network.checkAntenna'), ['device'])
  }
  const fault = faultOf(last.modem)
  return fail(
    message('network.missing', { fault: fault.sentence, forS: giveUpS, seen: last.seen }),
    fault.remedy ?? message('network.checkSim'),
    ['device']
  )
}

const registrationWords: Record<Exclude<Registration, 'unknown'>, Message> = {
  registered: message('network.registrationRegistered'),
  roaming: message('network.registrationRoaming'),
  searching: message('network.registrationSearching'),
  notRegistered: message('network.registrationNotRegistered'),
  denied: message('network.registrationDenied')
}

function signalOf(signal: MobileNetwork['signal'], rssi: string | undefined): Message {
  if (signal.kind !== 'read') return message('network.signalUnknown')
  const { dBm: signalDbm, assumed } = signal.reading
  return assumed === 'csq'
    ? message('network.signalAsCsq', { signalDbm, csq: rssi ?? '' })
    : message('network.signalOf', { signalDbm })
}

function look(reading: Reading<ModemInformation>): Seen {
  const { GSM_REG, GPRS_REG, RSSI, RAT, OPERATOR } = reading.value
  const modem = judgeMobileNetwork(reading.value)
  const network = [RAT, OPERATOR].filter(Boolean).join(' ')
  const registered =
    modem.registered === 'unknown'
      ? message('network.registrationUnknown', { gsm: GSM_REG ?? '', gprs: GPRS_REG ?? '' })
      : registrationWords[modem.registered]
  return {
    modem,
    dBm: modem.signal.kind === 'read' ? modem.signal.reading.dBm : undefined,
    network,
    registered,
    seen: message('network.seen', {
      network: network || message('network.noNetwork'),
      signal: signalOf(modem.signal, RSSI),
      address: modem.hasAddress ? message('network.addressPresent') : message('network.noAddress'),
      registration: registered
    }),
    problem: missingField(reading, ['GSM_REG', 'GPRS_REG', 'IP', 'RSSI'])
  }
}

/**
 * An address proves the network, also where the modem reports no registration; a card that cannot work contradicts it.
 */
function isInNetwork({ hasAddress, sim, registration }: MobileNetwork): boolean {
  return hasAddress && sim?.state !== 'broken' && registration?.state !== 'broken'
}

/** With an address, but with an open question about the registration, or about the signal. */
function usable({ modem: { registration, signal }, dBm, network }: Seen): Outcome {
  if (registration?.state === 'unknown')
    return warn(registration.sentence, message('network.seeWhetherDelivered'), ['device'])
  if (signal.kind === 'notKnown') return warn(signal.sentence, message('network.signalOnLte'), ['device'])
  return withFigure(
    message('meters.signal', { signalDbm: dBm ?? 0 }),
    warn(
      message('network.weak', { network: network || message('network.network'), signalDbm: dBm ?? 0 }),
      message('network.moveAntenna'),
      ['device']
    )
  )
}

/** The first part that is missing, in the words of the diagnosis. */
function faultOf({ sim, registration }: MobileNetwork): Pick<PartVerdict, 'sentence' | 'remedy'> {
  const fault =
    [sim, registration].find((part) => part?.state === 'broken') ?? (registration?.state === 'ok' ? null : registration)
  return fault ?? { sentence: message('chain.address.none'), remedy: message('network.checkApn') }
}

function hintFor({ modem }: Seen): Message | null {
  return isInNetwork(modem) ? null : faultOf(modem).remedy
}
