import type { GpsPosition, Reading } from '../../../preload/contract/device/deviceAreas.ts'
import { hasPosition } from '../../../preload/base/maps/position.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { fixDoubts, movedM, type FixDoubt, type PlaceReport } from '../../base/reading/contradictions.ts'
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
/**
 * A vehicle that crawls leaves the wander of its receiver within this time; one that has just stopped is at rest after
 * it.
 */
const stillWindowMs = 20_000

export function createFixWatch(context: FixWatchContext) {
  let latest: Reading<GpsPosition> | undefined
  let failure: AppError | undefined
  let lastStamp: number | undefined
  let movedAtMs: number | undefined
  let stampUnixMs: number | undefined
  /** Fixes of the last seconds, the oldest first, by our own clock. */
  let fixes: PlaceReport[] = []

  function keepFix({ coords }: GpsPosition): void {
    const atMs = context.monotonicMs()
    fixes = fixes.filter((fix) => atMs - fix.atMs <= stillWindowMs)
    const { latitude, longitude, speed = null, accuracy = null } = coords
    if (latitude !== undefined && longitude !== undefined)
      fixes.push({ atMs, latitude, longitude, speedKmh: speed, accuracyM: accuracy })
  }

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
        // The same fix read again shows no standstill, and after a step back of the clock nobody knows which one is
        // newer.
        if (lastStamp !== undefined && stamp < lastStamp) fixes = []
        if ((lastStamp === undefined || stamp !== lastStamp) && hasPosition(latest.value))
          keepFix(latest.value as GpsPosition)
        stampUnixMs = correctGpsEpoch(stamp, context.now().getTime()).unixMs
      }
      lastStamp = stamp
      return latest
    },
    hasFix(): boolean {
      return hasPosition(latest?.value)
    },
    /** What else the receiver reports against its fix. */
    doubts: (): FixDoubt[] => fixDoubts(latest?.value),
    /** How far the latest fixes are apart, whatever the speed says; null while they show no movement. */
    movedM: (): number | null => movedM(fixes),
    /** For how long the latest fixes have been seen at one place; 0 with one fix, or while it moves. */
    stillMs: (): number => (movedM(fixes) === null ? (fixes.at(-1)?.atMs ?? 0) - (fixes[0]?.atMs ?? 0) : 0),
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
