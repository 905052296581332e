import { message } from '../../../preload/contract/messages.ts'
import type { TrackPoint } from '../../../preload/contract/device/track.ts'
import { correctGpsEpoch } from '../../device/facts.ts'
import { createFixWatch } from '../../device/fixWatch.ts'
import type { CheckContext } from '../engine/check.ts'
import { createTripTrack, stretchOf, type Sample, type TripTrack } from './track.ts'
import type { KeptTrip, TripPiece } from './tripPieces.ts'

const writeEveryMs = 60_000

export interface TripRecorder {
  /** Reads the position once; undefined when nothing new came. */
  read(): Promise<Sample | undefined>
  /** From this sample on it is the trip. */
  begin(first: Sample): void
  readonly hasBegun: boolean
  points(): TrackPoint[]
  drivenM(): number
  lastedMs(): number
  /** How far the device's clock is from ours: its own times are held against the gateway's events. */
  clockOffS(): number
  /** Since the device said anything. */
  silentForMs(): number
  /** Why no place can be read although the device answers. */
  problem(): 'noFix' | 'noTime' | undefined
  /** Writes what is not yet in the log. */
  keep(isEnd: boolean): void
}

/** Follows a vehicle through a drive, a reading each second, and keeps its way in the log as it goes. */
export function recordTrip(context: CheckContext<'testTrip'>, earlier: KeptTrip | undefined): TripRecorder {
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
    context.saw({ witness: 'device', what: message('testTrip.piece', { distanceM: Math.round(drivenM), forS: Math.round(lastedMs() / 1000) }), raw })
    written += points.length
    writtenAtMs = context.monotonicMs()
  }

  function lastedMs(): number {
    const points = track.points()
    return (points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0)
  }

  return {
    async read() {
      const reading = await watch.read()
      if (!reading) return undefined
      answeredAtMs = context.monotonicMs()
      const { coords, timestamp } = reading.value
      problem = !watch.hasFix() || coords?.latitude === undefined || coords.longitude === undefined ? 'noFix' : timestamp === undefined ? 'noTime' : undefined
      if (problem || timestamp === undefined || coords?.latitude === undefined || coords.longitude === undefined) return undefined
      const nowMs = context.now().getTime()
      const atMs = correctGpsEpoch(timestamp, nowMs).unixMs
      if (atMs <= lastStampMs) return undefined
      lastStampMs = atMs
      offS = (atMs - nowMs) / 1000
      const sample = { atMs, latitude: coords.latitude, longitude: coords.longitude, speedKmh: watch.speedKmh() ?? null }
      if (hasBegun) track.add(sample)
      return sample
    },
    begin(first) {
      track = createTripTrack()
      track.add(first)
      written = 0
      hasBegun = true
    },
    get hasBegun() {
      return hasBegun
    },
    points: () => track.points(),
    drivenM: () => track.drivenM(),
    lastedMs,
    clockOffS: () => offS,
    silentForMs: () => context.monotonicMs() - answeredAtMs,
    problem: () => problem,
    keep(isEnd) {
      if (!hasBegun || (!isEnd && context.monotonicMs() - writtenAtMs < writeEveryMs)) return
      // The newest point may still move on: it is written when the trip ends.
      const points = track.points()
      write(points.slice(written, isEnd ? undefined : -1))
    }
  }
}
