import { AppError } from '../../preload/contract/errors.ts'
import type { DeviceClient } from '../device/client.ts'
import { createFixWatch } from '../device/fixWatch.ts'
import { pause } from '../time/pause.ts'

const standstillKmh = 0.5
const fixAgeMs = 10_000
/** Clocks may disagree although the fix is fresh: then the time stamp has to move, which it does each second. */
const stampMovesMs = 1_500

/**
 * The conditions of an output test for a single call outside a checklist, read once and strictly: fresh fix with
 * speed 0, MOT false, engine off (the relay may act on the starter). Throws INTERLOCK with what is missing.
 */
export async function checkStandstill(device: Pick<DeviceClient, 'gps' | 'io'>, signal: AbortSignal): Promise<void> {
  const watch = createFixWatch({ device, signal, monotonicMs: () => performance.now(), now: () => new Date() })
  await watch.read()
  if (watch.hasFix() && watch.ageMs() > fixAgeMs) {
    await pause(stampMovesMs, signal)
    await watch.read()
  }
  const failure = watch.failure()
  if (failure) throw failure
  const lines = await device.io.all({ signal })
  const speed = watch.speedKmh()
  const missing: string[] = []
  if (!watch.hasFix() || watch.ageMs() > fixAgeMs) missing.push('a fresh position')
  if (speed === undefined || speed > standstillKmh) missing.push('standstill')
  if (lines.value.MOT !== false) missing.push('no motion')
  if (lines.value.TIG !== false) missing.push('the engine off')
  if (missing.length > 0) throw new AppError('INTERLOCK', `The output stays off. Missing: ${missing.join(', ')}.`)
}
