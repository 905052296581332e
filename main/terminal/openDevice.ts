import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import { isValidImei, namedDigits, readAnnouncedName } from '../../preload/contract/base/imei.ts'
import { removeHiddenMarks } from '../../preload/base/messages/hiddenMarks.ts'
import { parseAddress } from '../base/addresses/address.ts'
import { whyNoImei } from '../base/reading/imeiSentence.ts'
import type { DeviceClient } from '../device/client/client.ts'
import type { CommandContext } from './context.ts'
import { usageError } from './output/usage.ts'

export interface OpenedDevice {
  client: DeviceClient
  /** `host:port` that was used. */
  address: string
  imei: string | null
}

/** A device that does not answer by then counts as silent; otherwise commands with many requests would take minutes. */
export const deviceTimeoutMs = 5_000

/**
 * Opens the device that a person named: address, host name or IMEI. By mDNS, because not every system resolves
 * `.local`.
 */
export async function openDevice(context: CommandContext, given: string): Promise<OpenedDevice> {
  const host = bareHost(given)
  const connections = await context.connections()
  await offerCredentials(context)
  const imei = imeiIn(host)
  const number = namedDigits(host)
  const wrong = imei === null && number !== undefined ? whyNoImei(number) : undefined
  if (wrong) throw usageError(wrong)
  // Naming a host at the terminal selects it: stored credentials may be sent to it.
  if (imei === null) {
    connections.devices.pick(host, null)
    return { client: connections.devices.open(host, null), address: host, imei: null }
  }

  connections.discovery.watch()
  const found = await connections.discovery.findImei(imei, {
    timeoutMs: context.common.timeoutMs ?? 8_000,
    signal: context.signal
  })
  if (found.kind !== 'found') throw new AppError('UNREACHABLE', found.detail, { retryable: true })
  const address = connections.addressOf(found.device)
  if (address === undefined)
    throw new AppError('UNREACHABLE', message('terminal.noAddressHeard', { host }), { retryable: true })
  connections.devices.pick(address, imei)
  return { client: connections.devices.open(address, imei), address, imei }
}

/** The IMEI that names a device, or is part of its host name. */
export function imeiIn(named: string): string | null {
  const host = bareHost(named)
  return readAnnouncedName(host.replace(/:\d+$/, ''))?.imei ?? (isValidImei(host) ? host : null)
}

/** As typed, or as copied from a browser. */
function bareHost(named: string): string {
  const typed = removeHiddenMarks(named).trim()
  return typed.includes('/') ? (parseAddress(typed)?.label ?? typed) : typed
}

/** Without stored credentials and without an environment, a person at a terminal is asked once. */
async function offerCredentials(context: CommandContext): Promise<void> {
  const connections = await context.connections()
  if ((await connections.devices.hasCredentials(null)) || !context.terminal.canAsk) return
  const user = await context.terminal.ask(message('terminal.deviceUser'), context.signal)
  if (user === '') return
  await connections.devices.keep(
    null,
    { user, password: await context.terminal.askSecret(message('terminal.devicePassword'), context.signal) },
    true
  )
}
