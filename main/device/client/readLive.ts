import type { Json } from '../../../preload/contract/define.ts'
import type { Reading } from '../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { LiveOperation, LiveReading } from '../../../preload/contract/device/workspace.ts'

interface AskOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
}

type Read = (options?: AskOptions) => Promise<Reading<unknown>>

/** The read-only operations that may be repeated. The device client has this shape. */
export interface LiveDevice {
  gps: { position: Read }
  eth: { state: Read }
  wifi: { state: Read; list: Read }
  hotspot: { state: Read; list: Read }
  modem: { information: Read; configuration: Read }
  io: { all: Read }
  accel: { state: Read; configuration: Read }
  system: { info: Read }
  apps: { list: Read }
}

const asks: Readonly<Record<LiveOperation, (device: LiveDevice, options: AskOptions) => Promise<Reading<unknown>>>> = {
  'gps.position': (device, options) => device.gps.position(options),
  'eth.state': (device, options) => device.eth.state(options),
  'wifi.state': (device, options) => device.wifi.state(options),
  'wifi.list': (device, options) => device.wifi.list(options),
  'hotspot.state': (device, options) => device.hotspot.state(options),
  'hotspot.list': (device, options) => device.hotspot.list(options),
  'modem.information': (device, options) => device.modem.information(options),
  'modem.configuration': (device, options) => device.modem.configuration(options),
  'io.all': (device, options) => device.io.all(options),
  'accel.state': (device, options) => device.accel.state(options),
  'accel.configuration': (device, options) => device.accel.configuration(options),
  'system.info': (device, options) => device.system.info(options),
  'apps.list': (device, options) => device.apps.list(options)
}

/** Reads once. The reading contains failures; only CANCELLED throws. */
export async function readLive(
  device: LiveDevice,
  operation: LiveOperation,
  options: AskOptions,
  now: () => Date = () => new Date()
): Promise<LiveReading> {
  try {
    const { value, raw, problems, readAt, elapsedMs } = await asks[operation](device, options)
    return { value: value as Json, raw: (raw ?? null) as Json, problems, readAt, elapsedMs, failure: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
    return {
      value: null,
      raw: null,
      problems: [],
      readAt: now().toISOString(),
      elapsedMs: null,
      failure: { code: error.code, message: error.sentence }
    }
  }
}
