import type { Clocks } from '../../../../preload/contract/job/jobs.ts'
import { correctGpsEpoch } from '../../../device/client/facts.ts'
import type { DevicePort } from './ports.ts'

export interface ClocksOptions {
  device: DevicePort
  monotonicMs(): number
  now(): Date
  clockDifferenceMs(): number | null
}

/** Later than this after it was read, the device's time is left out: it may have been set in the meantime. */
const freshMs = 60_000
/** A clock further off than dates go tells nothing. */
const furthestMs = 8.64e15

/** The clocks of device and gateway. The device gets no request for it: its time comes with its positions. */
export function watchClocks({ device, monotonicMs, now, clockDifferenceMs }: ClocksOptions) {
  let deviceTime: { unixMs: number; atMs: number } | undefined
  const watched: DevicePort = {
    ...device,
    gps: {
      ...device.gps,
      async position(options) {
        const reading = await device.gps.position(options)
        const timestampS = reading.value.timestamp
        const stamp = timestampS === undefined ? undefined : correctGpsEpoch(timestampS, now().getTime())
        if (stamp && !stamp.isUnsure) deviceTime = { unixMs: stamp.unixMs, atMs: monotonicMs() }
        return reading
      }
    }
  }
  return {
    /** The same device; its positions are read for their time. */
    device: watched,
    read(): Clocks {
      const differenceMs = clockDifferenceMs()
      const deviceMs =
        deviceTime && monotonicMs() - deviceTime.atMs <= freshMs
          ? deviceTime.unixMs + monotonicMs() - deviceTime.atMs
          : null
      return { device: isoOf(deviceMs), gateway: isoOf(differenceMs === null ? null : now().getTime() + differenceMs) }
    }
  }
}

function isoOf(ms: number | null): string | null {
  return ms === null || !(Math.abs(ms) <= furthestMs) ? null : new Date(ms).toISOString()
}
