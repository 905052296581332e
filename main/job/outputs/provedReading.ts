import type { Json } from '../../../preload/contract/define.ts'
import type { OutputLine } from '../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { proveIdentity } from '../../gateway/accounts/proveIdentity.ts'
import { shortLine } from './interlock.ts'
import { unread } from './outputRecord.ts'
import type { OutputDevice, OutputReading } from './outputTypes.ts'

/** For one answer of the device. */
export const answerWithinMs = 3_000
/** Between two readings while a change is expected. */
export const askEveryMs = 150

/** Overtakes everything else, and is believed only if the right device proves its identity directly afterwards. */
export async function readProved(imei: string, device: OutputDevice, out: OutputLine): Promise<OutputReading> {
  const limits = { timeoutMs: answerWithinMs, overtakes: true }
  const { value, raw } = await device.io.all(limits)
  await proveIdentity(device, imei, limits)
  return { on: value[out], isShort: value[shortLine(out)], raw: (raw ?? null) as Json }
}

/** An unreadable value is unknown, with the reason. */
export async function readQuietly(imei: string, device: OutputDevice, out: OutputLine): Promise<OutputReading> {
  try {
    return await readProved(imei, device, out)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...unread, raw: { error: error.message } }
  }
}
