import type { CallOutput } from '../../../preload/contract/index.ts'
import type { GpsPosition, Sparse } from '../../../preload/contract/device/deviceAreas.ts'
import type { TrackPoint } from '../../../preload/contract/device/track.ts'
import { keepLatest } from '../diagnosis/keepLatest.ts'
import { fixDoubts, wanderM } from '../../base/reading/contradictions.ts'
import { hasPosition } from '../../../preload/base/maps/position.ts'
import { distanceM, type Position } from '../../../preload/base/maps/distance.ts'

/** A day of driving, thinned out, in less than 1 MB for each device. */
const mostPoints = 5_000
const mostDevices = 16
/** Several views may read one device in parallel. */
const leastApartMs = 800
/** Longer than the slowest polling interval: nothing is known about the time in between. */
const gapMs = 20_000

interface Way {
  points: TrackPoint[]
  drivenM: number
  /** The start for measuring the next step. */
  anchor: Position | undefined
}

/** The tracks of devices while Fitter runs, for the most recently read devices. */
export function createTrackHistory({ points: most = mostPoints, now = () => Date.now() } = {}) {
  /** The most recently read device is last. */
  const ways = new Map<string, Way>()

  function wayOf(device: string): Way {
    return keepLatest(ways, device, ways.get(device) ?? { points: [], drivenM: 0, anchor: undefined }, mostDevices)
  }

  function measure(way: Way, place: Position, isAfterGap: boolean, accuracyM: number): void {
    const stepM = way.anchor === undefined ? 0 : distanceM(way.anchor, place)
    if (way.anchor !== undefined && stepM < Math.max(wanderM, accuracyM)) return
    // Without readings, the device may have been carried as well as driven.
    if (!isAfterGap) way.drivenM += stepM
    way.anchor = place
  }

  return {
    /** `device` is its IMEI, or its address while the IMEI is unknown. */
    hear(device: string, { operation, value, atMs }: { operation: string; value: unknown; atMs: number }): void {
      if (operation !== 'gps.position') return
      const position = (value ?? {}) as Sparse<GpsPosition>
      const { latitude, longitude, speed, accuracy = 0 } = position.coords ?? {}
      if (!hasPosition(position) || fixDoubts(position).length > 0 || latitude === undefined || longitude === undefined)
        return
      const way = wayOf(device)
      const last = way.points.at(-1)
      if (last && atMs - last[0] < leastApartMs) return
      const isAfterGap = last !== undefined && atMs - last[0] > gapMs
      measure(way, { latitude, longitude }, isAfterGap, accuracy)
      way.points.push([atMs, latitude, longitude, speed === undefined || speed < 0 ? null : speed, isAfterGap])
      if (way.points.length > most) way.points = thinOlderHalf(way.points)
    },
    since(device: string, sinceMs: number): CallOutput<'workspace.track'> {
      // A reading from this very millisecond belongs to the next answer.
      const nowMs = now() - 1
      const { points = [], drivenM = 0 } = ways.get(device) ?? {}
      const from = sinceMs === 0 ? 0 : points.findLastIndex(([atMs]) => atMs <= sinceMs) + 1
      return { nowMs, drivenM: Math.round(drivenM), points: points.slice(from).filter(([atMs]) => atMs <= nowMs) }
    }
  }
}

/** The newer half keeps all its points, because people look at it. Gaps also stay. */
function thinOlderHalf(points: readonly TrackPoint[]): TrackPoint[] {
  const half = points.length / 2
  return points.filter(([, , , , isAfterGap], index) => index >= half || index % 2 === 0 || isAfterGap)
}
