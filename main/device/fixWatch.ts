import type { GpsPosition, Reading } from '../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { correctGpsEpoch } from './facts.ts'
import type { GpsArea } from './gps.ts'

/** Follows the position of a device and decides whether the fix is fresh, without trusting either clock. */
export type FixWatch = ReturnType<typeof createFixWatch>

export interface FixWatchContext {
  device: { gps: Pick<GpsArea, 'position'> }
  signal: AbortSignal
  monotonicMs(): number
  now(): Date
}

/** Shorter than the device client's own limit: an older answer does not help a check that decides now. */
const readWithinMs = 4_000

export function createFixWatch(context: FixWatchContext) {
  let latest: Reading<GpsPosition> | undefined
  let failure: AppError | undefined
  let lastStamp: number | undefined
  let movedAtMs: number | undefined
  let stampUnixMs: number | undefined

  return {
    latest: (): Reading<GpsPosition> | undefined => latest,
    /** Why the last reading failed; undefined when it did not. */
    failure: (): AppError | undefined => failure,
    /** Undefined when the device did not answer this time. */
    async read(): Promise<Reading<GpsPosition> | undefined> {
      try {
        latest = await context.device.gps.position({ signal: context.signal, timeoutMs: readWithinMs })
        failure = undefined
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
        failure = error
        return undefined
      }
      const stamp = latest.value.timestamp
      // Without a time stamp the age of the position is unknown, whatever an earlier one was.
      if (stamp === undefined) movedAtMs = stampUnixMs = undefined
      else {
        if (lastStamp !== undefined && stamp > lastStamp) movedAtMs = context.monotonicMs()
        stampUnixMs = correctGpsEpoch(stamp, context.now().getTime()).unixMs
      }
      lastStamp = stamp
      return latest
    },
    hasFix(): boolean {
      const { coords, extras } = latest?.value ?? {}
      if (coords?.latitude === undefined || coords.longitude === undefined) return false
      if (coords.latitude === 0 && coords.longitude === 0) return false
      // Not a position on earth, whatever the receiver reports about its fix.
      if (Math.abs(coords.latitude) > 90 || Math.abs(coords.longitude) > 180) return false
      return (extras?.fix ?? 0) > 0
    },
    /** Undefined when unreadable; some receivers report -1 when they do not know it. */
    speedKmh(): number | undefined {
      const speed = latest?.value.coords?.speed
      return speed === undefined || speed < 0 ? undefined : speed
    },
    /** Since the time stamp last changed, or by the clocks if they agree; Infinity before the first reading. */
    ageMs(): number {
      const sinceMoveMs = movedAtMs === undefined ? Infinity : context.monotonicMs() - movedAtMs
      const byClocksMs = stampUnixMs === undefined ? Infinity : Math.abs(context.now().getTime() - stampUnixMs)
      return Math.min(sinceMoveMs, byClocksMs)
    }
  }
}
