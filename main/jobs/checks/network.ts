import { message, nameMessage, type Message } from '../../../preload/contract/messages.ts'
import type { ModemInformation, Reading } from '../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { hasIp, readRegistration, readSignal, type Registration } from '../../device/facts.ts'
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
  registration: Registration
  registered: Message
  hasIp: boolean
  dBm: number | undefined
  simState: string | undefined
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
  let weakSinceMs: number | undefined
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
        const { GSM_REG, GPRS_REG, RSSI, IP, RAT, OPERATOR, SIM_STATE } = reading.value
        context.saw({
          witness: 'device',
          what: last.seen,
          raw: { GSM_REG, GPRS_REG, RSSI, IP, RAT, OPERATOR, SIM_STATE },
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
      const isUp = !last.problem && last.hasIp && (isRegistered(last.registration) || last.registration === 'unknown')
      if (isUp && last.dBm !== undefined && last.dBm >= signalPassDbm && isRegistered(last.registration)) {
        return withFigure(
          message('meters.signal', { signalDbm: last.dBm }),
          pass(message('network.good', { network: last.network || message('network.network'), signalDbm: last.dBm }), [
            'device'
          ])
        )
      }
      if (isUp && last.dBm !== undefined && last.dBm >= signalWarnDbm) {
        weakSinceMs ??= nowMs
        if (nowMs - weakSinceMs > settlesInMs) return usable(last)
      } else weakSinceMs = undefined
      context.show({
        say: message('network.waiting'),
        hint: last.problem ?? hintFor(last),
        meters: [
          makeMeter(
            message('network.registered'),
            isRegistered(last.registration) ? message('meters.yes') : last.registered,
            { tone: isRegistered(last.registration) ? 'pass' : 'live' }
          ),
          makeMeter(
            message('network.signal'),
            last.dBm === undefined ? undefined : message('meters.signal', { signalDbm: last.dBm }),
            {
              target: message('meters.atLeastSignal', { signalDbm: signalPassDbm }),
              tone: last.dBm !== undefined && last.dBm >= signalPassDbm ? 'pass' : 'live',
              ...peak.best((signalDbm) => message('meters.signal', { signalDbm }))
            }
          ),
          makeMeter(message('network.address'), last.hasIp ? message('meters.present') : message('meters.none'), {
            tone: last.hasIp ? 'pass' : 'live'
          })
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
  if (last.hasIp && last.dBm === undefined)
    return unreadable(message('network.signalUnreadable'), message('network.lookAtModem'))
  if (last.hasIp && isRegistered(last.registration) && last.dBm !== undefined) {
    return fail(message('network.tooWeak', { signalDbm: last.dBm }), message('network.checkAntenna'), ['device'])
  }
  return fail(
    message('network.notIn', { forS: giveUpS, seen: last.seen }),
    hintFor(last) ?? message('network.checkSim'),
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

function signalOf(signal: { dBm: number; assumed: string } | undefined, rssi: string | undefined): Message {
  if (!signal) return message('network.signalUnknown')
  return signal.assumed === 'csq'
    ? message('network.signalAsCsq', { signalDbm: signal.dBm, csq: rssi ?? '' })
    : message('network.signalOf', { signalDbm: signal.dBm })
}

function look(reading: Reading<ModemInformation>): Seen {
  const { GSM_REG, GPRS_REG, RSSI, IP, RAT, OPERATOR, SIM_STATE } = reading.value
  const registration = readRegistration(GSM_REG, GPRS_REG)
  const signal = readSignal(RSSI)
  const network = [RAT, OPERATOR].filter(Boolean).join(' ')
  const registered =
    registration === 'unknown'
      ? message('network.registrationUnknown', { gsm: GSM_REG ?? '', gprs: GPRS_REG ?? '' })
      : registrationWords[registration]
  return {
    registration,
    hasIp: hasIp(IP),
    dBm: signal?.dBm,
    simState: SIM_STATE,
    network,
    registered,
    seen: message('network.seen', {
      network: network || message('network.noNetwork'),
      signal: signalOf(signal, RSSI),
      address: hasIp(IP) ? message('network.addressPresent') : message('network.noAddress'),
      registration: registered
    }),
    problem: missingField(reading, ['GSM_REG', 'GPRS_REG', 'IP', 'RSSI'])
  }
}

/** An address proves a network, but an undocumented wording does not prove a registration. */
function usable({ registration, dBm, network, seen }: Seen): Outcome {
  return registration === 'unknown'
    ? warn(message('network.wordingUnknown', { seen }), message('network.seeWhetherDelivered'), ['device'])
    : withFigure(
        message('meters.signal', { signalDbm: dBm ?? 0 }),
        warn(
          message('network.weak', { network: network || message('network.network'), signalDbm: dBm ?? 0 }),
          message('network.moveAntenna'),
          ['device']
        )
      )
}

function isRegistered(registration: Registration): boolean {
  return registration === 'registered' || registration === 'roaming'
}

function hintFor({ registration, simState, hasIp: hasAddress }: Seen): Message | null {
  if (simState !== undefined && /absent|no.?sim|not.?insert|not.?present|missing|fail|error|pin|puk/i.test(simState)) {
    return message('network.simReports', { state: simState })
  }
  if (registration === 'denied') return message('network.simRefused')
  if (registration === 'searching' || registration === 'notRegistered') return message('network.noneFound')
  if (isRegistered(registration) && !hasAddress) return message('network.checkApn')
  return null
}
