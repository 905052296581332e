import type { GpsPosition, Reading } from '../../preload/contract/deviceAreas.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { correctGpsEpoch } from '../deviceFacts.ts'
import type { CheckContext } from './check.ts'

/** Follows the position of a device and tells whether the fix is fresh, without trusting either clock. */
export interface FixWatch {
  /** Undefined when the device did not answer this time. */
  read(): Promise<Reading<GpsPosition> | undefined>
  latest(): Reading<GpsPosition> | undefined
  hasFix(): boolean
  /** Since the time stamp last moved, or by the clocks when they agree; Infinity before a first reading. */
  ageMs(): number
}

export function createFixWatch(context: Pick<CheckContext, 'device' | 'signal' | 'monotonicMs' | 'now'>): FixWatch {
  let latest: Reading<GpsPosition> | undefined
  let lastStamp: number | undefined
  let movedAtMs: number | undefined
  let clockAgeMs = Infinity

  return {
    latest: () => latest,
    async read() {
      try {
        latest = await context.device.gps.position({ signal: context.signal })
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
        return undefined
      }
      const stamp = latest.value.timestamp
      if (stamp !== undefined) {
        if (lastStamp !== undefined && stamp > lastStamp) movedAtMs = context.monotonicMs()
        lastStamp = stamp
        clockAgeMs = Math.abs(context.now().getTime() - correctGpsEpoch(stamp, context.now().getTime()).unixMs)
      }
      return latest
    },
    hasFix() {
      const { coords, extras } = latest?.value ?? {}
      if (coords?.latitude === undefined || coords.longitude === undefined) return false
      if (coords.latitude === 0 && coords.longitude === 0) return false
      return (extras?.fix ?? 0) > 0
    },
    ageMs() {
      const sinceMoveMs = movedAtMs === undefined ? Infinity : context.monotonicMs() - movedAtMs
      return Math.min(sinceMoveMs, clockAgeMs)
    }
  }
}
