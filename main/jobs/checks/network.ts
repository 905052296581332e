import { AppError } from '../../../preload/contract/errors.ts'
import { hasIp, readRegistration, readSignal } from '../../deviceFacts.ts'
import { fail, pass, unreadable, warn, type CheckContext, type Outcome } from '../check.ts'
import { clockText, meter } from '../meters.ts'
import { deviceLost } from '../silence.ts'

const settleMs = 20_000

/** Registered in a mobile network, with an address and enough signal. */
export async function checkNetwork(context: CheckContext): Promise<Outcome> {
  const { signalPassDbm, signalWarnDbm, giveUpS } = context.profile.network
  const thresholds = { signalPassDbm, signalWarnDbm }
  let noted = ''
  let weakSinceMs: number | undefined
  let last: { state: string; ip: boolean; dBm: number | undefined; text: string; problem: string } | undefined

  for (;;) {
    try {
      const reading = await context.device.modem.information({ signal: context.signal })
      const { GSM_REG, GPRS_REG, RSSI, IP, RAT, OPERATOR, SIM_STATE } = reading.value
      const missing = (['IP', 'RSSI'] as const).find((name) => reading.value[name] === undefined)
      const registration = readRegistration(GSM_REG ?? '', GPRS_REG ?? '')
      const signal = readSignal(RSSI ?? '')
      const ip = hasIp(IP ?? '')
      const text = [
        [RAT, OPERATOR].filter(Boolean).join(' ') || 'no network',
        signal ? `${signal.dBm} dBm${signal.assumed === 'csq' ? ` (read as CSQ ${RSSI})` : ''}` : 'signal unknown',
        ip ? 'address present' : 'no address',
        `registration ${registration}`
      ].join(', ')
      if (text !== noted) {
        context.saw({ witness: 'device', what: text, raw: { GSM_REG, GPRS_REG, RSSI, IP, RAT, OPERATOR, SIM_STATE }, thresholds })
        noted = text
      }
      // The wording of a registration is not documented: with an address in the network, an unknown one counts as registered.
      const isRegistered = registration === 'registered' || registration === 'roaming' || (registration === 'unknown' && ip)
      last = {
        state: registration,
        ip,
        dBm: signal?.dBm,
        text,
        problem: missing ? (reading.problems.find((line) => line.startsWith(missing)) ?? `${missing}: missing in the answer`) : ''
      }
      if (isRegistered && ip && signal) {
        if (signal.dBm >= signalPassDbm) return pass(`${[RAT, OPERATOR].filter(Boolean).join(' ')} ${signal.dBm} dBm`.trim(), ['device'])
        weakSinceMs ??= context.monotonicMs()
        if (signal.dBm >= signalWarnDbm && context.monotonicMs() - weakSinceMs > settleMs) {
          return warn(`${RAT ?? 'network'}, ${signal.dBm} dBm: weak`, 'Move the antenna away from metal; here it works, in a worse place it may not.', ['device'])
        }
      }
      context.show({
        say: 'Waiting for the mobile network.',
        hint: last.problem || hintFor(registration, SIM_STATE),
        meters: [
          meter('Registered', isRegistered ? 'yes' : registration, { tone: isRegistered ? 'pass' : 'live' }),
          meter('Signal', signal?.dBm, { unit: 'dBm', target: `≥ ${signalPassDbm} dBm`, tone: signal && signal.dBm >= signalPassDbm ? 'pass' : 'live' }),
          meter('Address', ip ? 'present' : 'none', { tone: ip ? 'pass' : 'live' })
        ],
        leftMs: giveUpS * 1000 - context.elapsedMs()
      })
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
    }
    const lost = deviceLost(context)
    if (lost) return lost
    if (context.elapsedMs() > giveUpS * 1000) break
    await context.pause(2_000)
  }
  if (last?.problem) return unreadable(`The network cannot be read: ${last.problem}`, 'Look at the raw answer; the device may run an older system.')
  if (last?.ip && last.dBm === undefined) return unreadable('The signal strength cannot be read', 'Look at the raw answer of the modem.')
  if (last?.ip && last.dBm !== undefined && last.state !== 'notRegistered') {
    return fail(`${last.dBm} dBm: too weak`, 'Check the GSM antenna and its plug, or move the vehicle.', ['device'])
  }
  return fail(`Not in a mobile network after ${clockText(giveUpS * 1000)} min`, hintFor(last?.state ?? '', undefined) || 'Check SIM, antenna and APN.', ['device'])
}

function hintFor(registration: string, simState: string | undefined): string {
  if (registration === 'denied') return 'The network refuses this SIM: it may be blocked or not activated. Ask the back office.'
  if (simState !== undefined && /absent|no.?sim|not.?insert|fail|error|pin|puk/i.test(simState)) return `The SIM reports "${simState}": check that it is inserted and has no PIN.`
  if (registration === 'searching') return 'The device searches for a network: check the GSM antenna.'
  return ''
}
