import { message } from '../../../../preload/contract/messages.ts'
import type { TrackPoint } from '../../../../preload/contract/device/track.ts'
import { correctGpsEpoch } from '../../../device/client/facts.ts'
import { createFixWatch } from '../../../device/client/fixWatch.ts'
import type { CheckContext } from '../engine/check.ts'
import { createTripTrack, stretchOf, type Sample, type TripTrack } from './track.ts'
import type { KeptTrip, TripPiece } from './tripPieces.ts'

const writeEveryMs = 60_000

export type TripRecorder = ReturnType<typeof recordTrip>

/** Follows a vehicle during a drive, with a reading each second, and logs its track continuously. */
export function recordTrip(context: CheckContext<'testTrip'>, earlier: KeptTrip | undefined) {
  const watch = createFixWatch(context)
  let track: TripTrack = createTripTrack(earlier?.points)
  let hasBegun = earlier !== undefined
  let written = earlier?.points.length ?? 0
  let writtenAtMs = context.monotonicMs()
  let lastStampMs = -Infinity
  let answeredAtMs = context.monotonicMs()
  let offS = earlier?.clockOffS ?? 0
  let problem: 'noFix' | 'noTime' | undefined

  function write(points: TrackPoint[]): void {
    const all = track.points()
    const beganMs = all[0]?.[0]
    if (points.length === 0 || beganMs === undefined) return
    const raw: TripPiece = { tripBeganMs: beganMs, clockOffS: offS, points }
    const { drivenM } = stretchOf(all, beganMs, all.at(-1)?.[0] ?? beganMs)
    context.saw({
      witness: 'device',
      what: message('testTrip.piece', { distanceM: Math.round(drivenM), forS: Math.round(lastedMs() / 1000) }),
      raw
    })
    written += points.length
    writtenAtMs = context.monotonicMs()
  }

  function lastedMs(): number {
    const points = track.points()
    return (points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0)
  }

  return {
    /** Reads the position once; undefined without a new one. */
    async read(): Promise<Sample | undefined> {
      const reading = await watch.read()
      if (!reading) return undefined
      answeredAtMs = context.monotonicMs()
      const { coords, timestamp } = reading.value
      problem =
        !watch.hasFix() || coords?.latitude === undefined || coords.longitude === undefined
          ? 'noFix'
          : timestamp === undefined
            ? 'noTime'
            : undefined
      if (problem || timestamp === undefined || coords?.latitude === undefined || coords.longitude === undefined)
        return undefined
      const nowMs = context.now().getTime()
      const atMs = correctGpsEpoch(timestamp, nowMs).unixMs
      if (atMs <= lastStampMs) return undefined
      lastStampMs = atMs
      offS = (atMs - nowMs) / 1000
      const sample = {
        atMs,
        latitude: coords.latitude,
        longitude: coords.longitude,
        speedKmh: watch.speedKmh() ?? null
      }
      if (hasBegun) track.add(sample)
      return sample
    },
    begin(first: Sample): void {
      track = createTripTrack()
      track.add(first)
      written = 0
      hasBegun = true
    },
    get hasBegun() {
      return hasBegun
    },
    points: (): TrackPoint[] => track.points(),
    drivenM: (): number => track.drivenM(),
    lastedMs,
    /** The difference between the device's clock and ours: device times are compared with the gateway's events. */
    clockOffS: (): number => offS,
    silentForMs: (): number => context.monotonicMs() - answeredAtMs,
    /** The reason why no position can be read although the device answers. */
    problem: (): 'noFix' | 'noTime' | undefined => problem,
    /** Writes everything that is not yet in the log. */
    keep(isEnd: boolean): void {
      if (!hasBegun || (!isEnd && context.monotonicMs() - writtenAtMs < writeEveryMs)) return
      // The latest point may still change: it is written when the trip ends.
      const points = track.points()
      write(points.slice(written, isEnd ? undefined : -1))
    }
  }
}
