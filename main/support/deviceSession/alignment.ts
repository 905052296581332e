import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { DeviceClient } from '../../device/client/client.ts'
import { createFixWatch } from '../../device/client/fixWatch.ts'

/**
 * Throws INTERLOCK unless the device has a position, stands still and has its engine off. An unreadable value is a
 * condition that is not met. Level ground is something only a person can see.
 */
export async function assertCanAlign(
  device: Pick<DeviceClient, 'gps' | 'io'>,
  standstillKmh: number,
  signal: AbortSignal
): Promise<void> {
  const watch = createFixWatch({ device, signal, monotonicMs: () => performance.now(), now: () => new Date() })
  const [{ value }] = await Promise.all([device.io.all({ signal }), watch.read()])
  const failure = watch.failure()
  if (failure) throw failure
  const speedKmh = watch.speedKmh()
  const missing: Message[] = [
    ...(watch.hasFix() ? [] : [message('outputs.missing.fix')]),
    ...(speedKmh === undefined
      ? [message('outputs.missing.speed')]
      : speedKmh > standstillKmh
        ? [message('outputs.missing.standstill', { speedKmh })]
        : []),
    ...(value.MOT === false ? [] : [message('outputs.missing.motion')]),
    ...(value.TIG === false ? [] : [message('outputs.missing.engineOff')])
  ]
  if (missing.length > 0) throw new AppError('INTERLOCK', message('common.notSentMissing', { missing }))
}
