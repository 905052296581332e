import type { Clocks } from '../../../preload/contract/jobs/jobs.ts'
import { correctGpsEpoch } from '../../device/facts.ts'
import type { DevicePort } from './ports.ts'

export interface ClocksOptions {
  device: DevicePort
  monotonicMs(): number
  now(): Date
  clockDifferenceMs(): number | null
}

/** What the clocks beside this computer's say. The device is asked nothing for it: its time comes with its positions. */
export interface WatchedClocks {
  /** The same device; its positions pass by here. */
  device: DevicePort
  read(): Clocks
}

/** Later than this after it was read, the device's time is left out: it may have been set in the meantime. */
const freshMs = 60_000
/** A clock further off than dates go tells nothing. */
const furthestMs = 8.64e15

export function watchClocks({ device, monotonicMs, now, clockDifferenceMs }: ClocksOptions): WatchedClocks {
  let heard: { unixMs: number; atMs: number } | undefined
  return {
    device: {
      ...device,
      gps: {
        ...device.gps,
        async position(options) {
          const reading = await device.gps.position(options)
          const timestampS = reading.value.timestamp
          if (timestampS !== undefined) heard = { unixMs: correctGpsEpoch(timestampS, now().getTime()).unixMs, atMs: monotonicMs() }
          return reading
        }
      }
    },
    read() {
      const differenceMs = clockDifferenceMs()
      const deviceMs = heard && monotonicMs() - heard.atMs <= freshMs ? heard.unixMs + monotonicMs() - heard.atMs : null
      return { device: isoOf(deviceMs), gateway: isoOf(differenceMs === null ? null : now().getTime() + differenceMs) }
    }
  }
}

function isoOf(ms: number | null): string | null {
  return ms === null || !(Math.abs(ms) <= furthestMs) ? null : new Date(ms).toISOString()
}
