import type { ModemInformation, Reading } from '../../../preload/contract/deviceAreas.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { hasIp, readRegistration, readSignal, type Registration } from '../../device/facts.ts'
import { fail, missingField, pass, unreadable, warn, type CheckContext, type Outcome } from '../check.ts'
import { clockText, meter } from '../meters.ts'
import { deviceLost } from '../silence.ts'

const settleMs = 20_000

interface Seen {
  registration: Registration
  hasIp: boolean
  dBm: number | undefined
  simState: string | undefined
  network: string
  text: string
  /** A field that the check relies on is missing or of another type. */
  problem: string | undefined
}

/** Registered in a mobile network, with an address and enough signal. */
export async function checkNetwork(context: CheckContext): Promise<Outcome> {
  const { signalPassDbm, signalWarnDbm, giveUpS } = context.profile.network
  const settlesInMs = Math.min(settleMs, giveUpS * 500)
  const thresholds = { signalPassDbm, signalWarnDbm }
  let noted = ''
  let weakSinceMs: number | undefined
  let problemSinceMs: number | undefined
  let last: Seen | undefined
  let failure: AppError | undefined

  for (;;) {
    const nowMs = context.monotonicMs()
    try {
      const reading = await context.device.modem.information({ signal: context.signal })
      failure = undefined
      last = look(reading)
      if (last.text !== noted) {
        const { GSM_REG, GPRS_REG, RSSI, IP, RAT, OPERATOR, SIM_STATE } = reading.value
        context.saw({ witness: 'device', what: last.text, raw: { GSM_REG, GPRS_REG, RSSI, IP, RAT, OPERATOR, SIM_STATE }, thresholds })
        noted = last.text
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
        return pass(`${last.network} ${last.dBm} dBm`.trim(), ['device'])
      }
      if (isUp && last.dBm !== undefined && last.dBm >= signalWarnDbm) {
        weakSinceMs ??= nowMs
        if (nowMs - weakSinceMs > settlesInMs) return usable(last)
      } else weakSinceMs = undefined
      context.show({
        say: 'Waiting for the mobile network.',
        hint: last.problem ?? hintFor(last),
        meters: [
          meter('Registered', isRegistered(last.registration) ? 'yes' : last.registration, { tone: isRegistered(last.registration) ? 'pass' : 'live' }),
          meter('Signal', last.dBm, { unit: 'dBm', target: `≥ ${signalPassDbm} dBm`, tone: last.dBm !== undefined && last.dBm >= signalPassDbm ? 'pass' : 'live' }),
          meter('Address', last.hasIp ? 'present' : 'none', { tone: last.hasIp ? 'pass' : 'live' })
        ],
        leftMs: giveUpS * 1000 - context.elapsedMs()
      })
    }
    const lost = deviceLost(context)
    if (lost) return lost
    if (context.elapsedMs() > giveUpS * 1000) break
    await context.pause(2_000)
  }
  if (failure || !last) return unreadable(`The device does not tell about its network: ${failure?.message ?? 'no answer'}`, 'Run the step again when it answers.')
  if (last.problem) return unreadable(`The network cannot be read: ${last.problem}`, 'Look at the raw answer; the device may run an older system.')
  if (last.hasIp && last.dBm === undefined) return unreadable('The signal strength cannot be read', 'Look at the raw answer of the modem.')
  if (last.hasIp && isRegistered(last.registration)) return fail(`${last.dBm} dBm: too weak`, 'Check the GSM antenna and its plug, or move the vehicle.', ['device'])
  return fail(`Not in a mobile network after ${clockText(giveUpS * 1000)} min (${last.text})`, hintFor(last) || 'Check SIM, antenna and APN.', ['device'])
}

function look(reading: Reading<ModemInformation>): Seen {
  const { GSM_REG, GPRS_REG, RSSI, IP, RAT, OPERATOR, SIM_STATE } = reading.value
  const registration = readRegistration(GSM_REG, GPRS_REG)
  const signal = readSignal(RSSI)
  const network = [RAT, OPERATOR].filter(Boolean).join(' ')
  const wording = registration === 'unknown' ? ` ("${GSM_REG ?? ''}", "${GPRS_REG ?? ''}")` : ''
  return {
    registration,
    hasIp: hasIp(IP),
    dBm: signal?.dBm,
    simState: SIM_STATE,
    network,
    text: [
      network || 'no network',
      signal ? `${signal.dBm} dBm${signal.assumed === 'csq' ? ` (read as CSQ ${RSSI})` : ''}` : 'signal unknown',
      hasIp(IP) ? 'address present' : 'no address',
      `registration ${registration}${wording}`
    ].join(', '),
    problem: missingField(reading, ['GSM_REG', 'GPRS_REG', 'IP', 'RSSI'])
  }
}

/** An address proves a network, but a wording that nobody documented is no proof of a registration. */
function usable({ registration, dBm, network, text }: Seen): Outcome {
  return registration === 'unknown'
    ? warn(`${text}: this wording of the registration is not known`, 'With an address the device is in a network. See whether its events arrive at the gateway.', ['device'])
    : warn(`${network || 'network'}, ${dBm} dBm: weak`, 'Move the antenna away from metal; here it works, in a worse place it may not.', ['device'])
}

function isRegistered(registration: Registration): boolean {
  return registration === 'registered' || registration === 'roaming'
}

function hintFor({ registration, simState, hasIp: hasAddress }: Seen): string {
  if (simState !== undefined && /absent|no.?sim|not.?insert|not.?present|missing|fail|error|pin|puk/i.test(simState)) {
    return `The SIM reports "${simState}": check that it is inserted and has no PIN.`
  }
  if (registration === 'denied') return 'The network refuses this SIM: it may be blocked or not activated. Ask the back office.'
  if (registration === 'searching' || registration === 'notRegistered') return 'The device finds no network: check the GSM antenna and its plug.'
  if (isRegistered(registration) && !hasAddress) return 'In the network, but without an address: check the APN.'
  return ''
}
