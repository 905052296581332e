import type { TrackPoint } from '../../../../preload/contract/device/track.ts'
import type { RoadPoint } from '../../../../preload/contract/gateway/vehicles/vehicleRoad.ts'
import { distanceM, type Position } from '../../../../preload/base/maps/distance.ts'

/** Maximum time between two positions that are compared. */
const sameMomentMs = 5_000

export interface Reading {
  atMs: number
  value: number | null
}

/**
 * The distance between both witnesses at each event of the gateway, in metres; null where nobody read the device then.
 * Nothing before the session began and after its end.
 */
export function apartOverTime(session: readonly TrackPoint[], road: readonly RoadPoint[]): Reading[] {
  const [firstMs, lastMs] = [session[0]?.[0], session.at(-1)?.[0]]
  if (firstMs === undefined || lastMs === undefined) return []
  return road
    .filter(([atMs]) => atMs >= firstMs - sameMomentMs && atMs <= lastMs + sameMomentMs)
    .map(([atMs, latitude, longitude]) => {
      const here = placeAt(session, atMs)
      return { atMs, value: here === null ? null : Math.round(distanceM(here, { latitude, longitude })) }
    })
}

/** The delay of each event on its way to the gateway, in seconds; a silence is a gap. */
export function delaysOverTime(road: readonly RoadPoint[]): Reading[] {
  return road.flatMap(([atMs, , , , delayS, isAfterSilence]) => [
    ...(isAfterSilence ? [{ atMs: atMs - 1, value: null }] : []),
    { atMs, value: delayS }
  ])
}

/** Interpolated between two readings close in time; otherwise the nearer one, if close enough. */
export function placeAt(session: readonly TrackPoint[], atMs: number): Position | null {
  let [low, high] = [0, session.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((session[middle]?.[0] ?? 0) < atMs) low = middle + 1
    else high = middle
  }
  const [before, after] = [session[low - 1], session[low]]
  if (before && after && !after[4] && after[0] - before[0] <= 2 * sameMomentMs) {
    const share = (atMs - before[0]) / Math.max(1, after[0] - before[0])
    return {
      latitude: before[1] + (after[1] - before[1]) * share,
      longitude: before[2] + (after[2] - before[2]) * share
    }
  }
  const near = [before, after]
    .filter((point) => point !== undefined)
    .sort((a, b) => Math.abs(a[0] - atMs) - Math.abs(b[0] - atMs))[0]
  return near && Math.abs(near[0] - atMs) <= sameMomentMs ? { latitude: near[1], longitude: near[2] } : null
}
