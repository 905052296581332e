import { AppError } from '../../preload/contract/errors.ts'
import { parseDeviceName } from '../../preload/contract/base/imei.ts'
import { message } from '../../preload/contract/messages.ts'
import { whyPlaceholder } from '../base/reading/imeiSentence.ts'
import type { CommandContext } from './context.ts'
import { openDevice } from './openDevice.ts'

/** Connects to the device that a person named and reads its identity. Throws WRONG_DEVICE for a different one. */
export async function nameOfDevice(
  context: CommandContext,
  host: string
): Promise<{ imei: string; model: string; address: string }> {
  const opened = await openDevice(context, host)
  const { value } = await opened.client.system.info({ signal: context.signal, timeoutMs: context.common.timeoutMs })
  const { hostname } = value
  const name = hostname === undefined ? undefined : parseDeviceName(hostname)
  if (!name)
    throw new AppError(
      'UNREADABLE',
      hostname === undefined
        ? message('terminal.noName', { host })
        : (whyPlaceholder(hostname) ?? message('terminal.noValidName', { host, hostname }))
    )
  if (opened.imei !== null && opened.imei !== name.imei)
    throw new AppError('WRONG_DEVICE', message('terminal.wrongDevice', { host, hostname: hostname ?? '' }))
  return { ...name, address: opened.address }
}
