import type { Json } from '../../preload/contract/define.ts'
import type { OutputLine } from '../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { proveIdentity } from '../connections/identity.ts'
import { shortLine } from './interlock.ts'
import { unread } from './outputRecord.ts'
import type { OutputDevice, OutputReading } from './outputTypes.ts'

/** For one answer of the device. */
export const answerWithinMs = 3_000
/** Between two readings while a change is expected. */
export const askEveryMs = 150

/** Past everything else, and believed only when the right device says right after it who it is. */
export async function readProved(imei: string, device: OutputDevice, out: OutputLine): Promise<OutputReading> {
  const limits = { timeoutMs: answerWithinMs, overtakes: true }
  const { value, raw } = await device.io.all(limits)
  await proveIdentity(device, imei, limits)
  return { on: value[out], isShort: value[shortLine(out)], raw: (raw ?? null) as Json }
}

/** What cannot be read is unknown, with why. */
export async function readQuietly(imei: string, device: OutputDevice, out: OutputLine): Promise<OutputReading> {
  try {
    return await readProved(imei, device, out)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...unread, raw: { error: error.message } }
  }
}
